/*
 * bakery.c - three ovens at a time, through a library that blocks.
 *
 * The library is that of chapter 5, and it still waits on a descriptor that it
 * does not show. So another thread calls it. The task of the oven parks until
 * that thread is done, and the loop's thread stays free.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "liboven.h"
#include "options.h"
#include "pool.h"
#include "report.h"
#include "scheduler.h"

enum { SECONDS_MAX = 1000, WORKERS_MAX = 1000 };

struct oven {
    char name[24];
    const char *product;
    double seconds;
    int result, error; /* from the library; errno is one per thread */
};

static struct {
    int workers;
    int ovens;
    int batches; /* that are out */
    double one_after_another;
} bakery = {.workers = 4};

/* Runs on a worker: the one place where it is all right to block. */
static void call_library(void *arg) {
    struct oven *oven = arg;

    oven->result = liboven_bake(oven->seconds);
    oven->error = errno;
}

static int bake(struct oven *oven) {
    if (offload(call_library, oven) == -1)
        return -1;
    errno = oven->error;
    return oven->result;
}

static void bake_batch(void *arg) {
    struct oven *oven = arg;

    report(oven->name, oven->product, "in, %g s", oven->seconds);
    if (bake(oven) == -1) {
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
        {"workers", "N", "how many threads call the library (default 4)",
         .whole = &bakery.workers, .min = 1, .max = WORKERS_MAX},
        {0},
    };
    int operands = parse_options(argc, argv, table, "[SECONDS...]");

    bakery.ovens = operands < argc ? argc - operands : 3;
    struct oven *ovens = calloc((size_t)bakery.ovens, sizeof *ovens);
    if (ovens == NULL)
        err(EXIT_FAILURE, "calloc");
    start_ovens(ovens, operands < argc ? argv + operands : defaults);
    if (pool_start(bakery.workers) == -1)
        err(EXIT_FAILURE, "pool_start");
    schedule();
    pool_stop();
    report_summary("%d batch%s in %.2f s on %d threads (1 loop, %d worker%s), "
                   "rather than %.2f s one after another",
                   bakery.batches, bakery.batches == 1 ? "" : "es",
                   report_elapsed(), 1 + bakery.workers, bakery.workers,
                   bakery.workers == 1 ? "" : "s", bakery.one_after_another);
    free(ovens);
    int status = report_close();
    return bakery.batches < bakery.ovens ? EXIT_FAILURE : status;
}
