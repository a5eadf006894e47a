/*
 * bakery.c - three ovens at a time on one thread.
 *
 * Each oven is a task that waits for a timerfd(2), a timer in the shape of a
 * descriptor, as it would wait for a socket. While it waits the thread is free.
 * With --blocking each oven calls a library instead. The library waits as well,
 * but on a descriptor of its own, and the thread waits with it.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>

#include "io.h"
#include "liboven.h"
#include "options.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum { SECONDS_MAX = 1000 };

struct oven {
    char name[24];
    const char *product;
    double seconds;
};

static struct {
    bool blocking;
    int ovens;
    int batches; /* that are out */
    double one_after_another;
} bakery;

/* Returns 0 when the timer has rung, or -1 and errno. */
static int wait_for_timer(int fd, double seconds) {
    int64_t deadline = now() + (int64_t)(seconds * (double)SECOND);
    struct itimerspec bell = {.it_value.tv_sec = (time_t)(deadline / SECOND),
                              .it_value.tv_nsec = (long)(deadline % SECOND)};
    uint64_t rings;

    if (timerfd_settime(fd, TFD_TIMER_ABSTIME, &bell, NULL) == -1)
        return -1;
    return io_read(fd, &rings, sizeof rings, NEVER) == -1 ? -1 : 0;
}

static int bake(double seconds) {
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

    if (fd == -1)
        return -1;
    int result = wait_for_timer(fd, seconds);
    io_close(fd);
    return result;
}

static void bake_batch(void *arg) {
    const struct oven *oven = arg;

    report(oven->name, oven->product, "in, %g s", oven->seconds);
    int result =
        bakery.blocking ? liboven_bake(oven->seconds) : bake(oven->seconds);
    if (result == -1) {
        warn("%s", oven->name);
        return;
    }
    report(oven->name, oven->product, "out");
    bakery.batches++;
}

/* Fills in `ovens`, one for each number of seconds, and starts their tasks. */
static void start_ovens(struct oven *ovens, char *const *seconds) {
    static const char *const products[] = {"bread", "croissants", "cookies"};

    for (int i = 0; i < bakery.ovens; i++) {
        struct oven *oven = &ovens[i];
        snprintf(oven->name, sizeof oven->name, "oven %d", i + 1);
        oven->product = products[i % 3];
        oven->seconds = parse_number("SECONDS", seconds[i], 0, SECONDS_MAX);
        bakery.one_after_another += oven->seconds;
    }
    report_open();
    for (int i = 0; i < bakery.ovens; i++)
        if (go(ovens[i].name, bake_batch, &ovens[i]) == -1)
            warn("%s", ovens[i].name);
}

int main(int argc, char **argv) {
    static char *const defaults[] = {"3", "2", "1"};
    static const struct setting table[] = {
        {"blocking", NULL, "let a library bake, which blocks inside",
         .flag = &bakery.blocking},
        {0},
    };
    int operands = parse_options(argc, argv, table, "[SECONDS...]");

    bakery.ovens = operands < argc ? argc - operands : 3;
    struct oven *ovens = calloc((size_t)bakery.ovens, sizeof *ovens);
    if (ovens == NULL)
        err(EXIT_FAILURE, "calloc");
    start_ovens(ovens, operands < argc ? argv + operands : defaults);
    schedule();
    report_summary("%d batch%s in %.2f s on 1 thread, rather than %.2f s one "
                   "after another",
                   bakery.batches, bakery.batches == 1 ? "" : "es",
                   report_elapsed(), bakery.one_after_another);
    free(ovens);
    int status = report_close();
    return bakery.batches < bakery.ovens ? EXIT_FAILURE : status;
}
