/*
 * start.c - a pool that takes any amount of work at once.
 *
 * submit() should park while the queue is full, and be fair to those who wait.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "options.h"
#include "pool.h"
#include "report.h"
#include "scheduler.h"

enum { MANY = 1000 };

struct baker {
    char name[24];
};

static struct {
    int workers, limit, bakers, batches, milliseconds;
    int inside, most; /* batches handed to the pool now, and at most */
} day = {
    .workers = 2, .limit = 3, .bakers = 5, .batches = 1, .milliseconds = 20};

/* Runs on a worker. */
static void bake(void *unused) {
    struct timespec time = {.tv_sec = day.milliseconds / 1000,
                            .tv_nsec = day.milliseconds % 1000 * 1000000L};

    (void)unused;
    nanosleep(&time, NULL);
}

/* Hands a batch to the pool and counts those that are there. */
static void hand_over(const char *name, int batch) {
    printf("%s | batch %d | handed over\n", name, batch);
    day.inside++;
    day.most = day.inside > day.most ? day.inside : day.most;
    if (offload(bake, NULL) == -1)
        err(EXIT_FAILURE, "%s", name);
    day.inside--;
    printf("%s | batch %d | done\n", name, batch);
}

static void submit(const char *name, int batch) {
    printf("%s | batch %d | asks\n", name, batch);
    hand_over(name, batch);
}

static void work(void *arg) {
    const struct baker *baker = arg;

    for (int batch = 1; batch <= day.batches; batch++)
        submit(baker->name, batch);
}

int main(int argc, char **argv) {
    static struct baker bakers[MANY];
    static const struct setting table[] = {
        {"workers", "N", "threads (default 2)", .whole = &day.workers, .min = 1,
         .max = MANY},
        {"limit", "N", "batches handed over at a time (default 3)",
         .whole = &day.limit, .min = 1, .max = MANY},
        {"bakers", "N", "tasks (default 5)", .whole = &day.bakers, .min = 0,
         .max = MANY},
        {"each", "N", "batches of each baker (default 1)",
         .whole = &day.batches, .min = 0, .max = MANY},
        {"milliseconds", "N", "for one batch (default 20)",
         .whole = &day.milliseconds, .min = 0, .max = MANY},
        {0},
    };

    parse_options(argc, argv, table, NULL);
    report_open();
    if (pool_start(day.workers) == -1)
        err(EXIT_FAILURE, "pool_start");
    for (int i = 0; i < day.bakers; i++) {
        snprintf(bakers[i].name, sizeof bakers[i].name, "baker %d", i + 1);
        if (go(bakers[i].name, work, &bakers[i]) == -1)
            err(EXIT_FAILURE, "go");
    }
    schedule();
    pool_stop();
    report_summary("%d batches, at most %d at a time", day.bakers * day.batches,
                   day.most);
    return report_close();
}
