/*
 * solution.c - two suppliers are asked, the first to deliver is paid.
 *
 * The winner closes the loser's descriptor with io_close(), which wakes whoever
 * waits for it with ECANCELED. Nobody has to look at a flag while waiting. But
 * the loser may not be waiting: it may have its first turn yet to come, or have
 * its flour as well. So whoever comes asks first whether it is decided.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>

#include "io.h"
#include "options.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum { SUPPLIERS_MAX = 8 };

static const double millisecond = 1e6; /* nanoseconds */

struct supplier {
    char name[24];
    int fd; /* a timerfd: it can be read when the flour is there */
};

static struct {
    struct supplier suppliers[SUPPLIERS_MAX];
    int count;
    const struct supplier *winner; /* NULL until somebody has delivered */
} order;

/* The descriptor of a supplier who needs so long. */
static int ask(double milliseconds) {
    int64_t when = now() + (int64_t)(milliseconds * millisecond);
    struct itimerspec bell = {.it_value.tv_sec = (time_t)(when / SECOND),
                              .it_value.tv_nsec = (long)(when % SECOND)};
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

    if (fd == -1)
        err(EXIT_FAILURE, "timerfd_create");
    if (timerfd_settime(fd, TFD_TIMER_ABSTIME, &bell, NULL) == -1)
        err(EXIT_FAILURE, "timerfd_settime");
    return fd;
}

/* The descriptor's number is free from here on, so nobody keeps it. */
static void hang_up(struct supplier *supplier) {
    int fd = supplier->fd;

    supplier->fd = -1;
    if (fd != -1)
        io_close(fd);
}

/* Waits for the flour. 0, or -1 with errno ECANCELED if another was first. */
static int receive(const struct supplier *supplier) {
    uint64_t sacks;

    if (order.winner != NULL) {
        errno = ECANCELED;
        return -1;
    }
    return io_read(supplier->fd, &sacks, sizeof sacks, NEVER) == -1 ? -1 : 0;
}

static void cancel_others(const struct supplier *winner) {
    for (int i = 0; i < order.count; i++)
        if (&order.suppliers[i] != winner)
            hang_up(&order.suppliers[i]);
}

static void deal_with(void *arg) {
    struct supplier *supplier = arg;

    if (receive(supplier) == 0 && order.winner == NULL) {
        order.winner = supplier; /* no park() since the look: it is still so */
        printf("%s | delivered\n", supplier->name);
        cancel_others(supplier);
    } else if (order.winner != NULL) {
        printf("%s | cancelled\n", supplier->name);
    } else {
        warn("%s", supplier->name); /* the others may still deliver */
    }
    hang_up(supplier);
}

int main(int argc, char **argv) {
    static const struct setting no_options[] = {{0}};
    int operands = parse_options(argc, argv, no_options, "MILLISECONDS...");

    order.count = argc - operands;
    if (order.count < 1 || order.count > SUPPLIERS_MAX)
        errx(2, "MILLISECONDS...: from 1 to %d suppliers", SUPPLIERS_MAX);
    report_open();
    for (int i = 0; i < order.count; i++) {
        struct supplier *supplier = &order.suppliers[i];
        snprintf(supplier->name, sizeof supplier->name, "supplier %d", i + 1);
        supplier->fd =
            ask(parse_number("MILLISECONDS", argv[operands + i], 0, 1e6));
        if (go(supplier->name, deal_with, supplier) == -1)
            err(EXIT_FAILURE, "go");
    }
    schedule();
    if (order.winner == NULL)
        errx(EXIT_FAILURE, "no flour");
    report_summary("flour from %s", order.winner->name);
    return report_close();
}
