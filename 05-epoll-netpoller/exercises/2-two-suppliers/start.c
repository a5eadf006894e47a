/*
 * start.c - two suppliers are asked, and both deliver.
 *
 * The first to deliver should be paid, and the other cancelled at once.
 */
#define _GNU_SOURCE
#include <err.h>
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

static void deal_with(void *arg) {
    struct supplier *supplier = arg;
    uint64_t sacks;

    if (io_read(supplier->fd, &sacks, sizeof sacks, NEVER) == -1)
        err(EXIT_FAILURE, "%s", supplier->name);
    printf("%s | delivered\n", supplier->name);
    order.winner = supplier;
    io_close(supplier->fd);
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
