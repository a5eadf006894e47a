/*
 * start.c - the same kneading with more and more workers, of which one works.
 *
 * knead_all() should give each worker a share, all at once.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "pool.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum { WORKERS_MAX = 64 };

/* Doughs first, first + step, and so on: those up to `last`. */
struct share {
    long first, last, step;
    long folds; /* the answer */
};

static struct {
    int doughs;
    int workers;   /* in this round */
    int out, most; /* shares handed over now, and at most in this round */
} day = {.doughs = 200000};

/* How often dough n is folded until it is done: nobody knows without trying. */
static long knead(int64_t n) {
    long folds = 0;

    for (; n > 1; folds++)
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return folds;
}

/* Runs on a worker. */
static void knead_share(void *arg) {
    struct share *share = arg;

    for (long n = share->first; n <= share->last; n += share->step)
        share->folds += knead(n);
}

/* Parks the calling task until a worker is done with the share. */
static void hand_over(struct share *share) {
    day.out++;
    day.most = day.out > day.most ? day.out : day.most;
    if (offload(knead_share, share) == -1)
        err(EXIT_FAILURE, "offload");
    day.out--;
}

/* Those on which this process may run, as nproc(1) prints. */
static int count_cores(void) {
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == -1 ? 1 : CPU_COUNT(&set);
}

static void run_all(void *arg) { hand_over(arg); }

/* The folds of all doughs. Should use all workers. */
static long knead_all(void) {
    struct share all = {.first = 1, .last = day.doughs, .step = 1};

    if (go("all", run_all, &all) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    return all.folds;
}

/*
 * Should be the smallest number of workers that is within a tenth of the
 * fastest. Round 0 had 1 worker, round 1 had 2, round 2 had 4, and so on.
 */
static int enough(const long *microseconds, int rounds) {
    (void)microseconds;
    return rounds;
}

/* One line of the table. Returns the microseconds that it took. */
static long measure(int workers) {
    day.workers = workers;
    day.most = 0;
    if (pool_start(workers) == -1)
        err(EXIT_FAILURE, "pool_start");
    int64_t began = now();
    long folds = knead_all();
    long microseconds = (long)((now() - began) / 1000);
    pool_stop();
    printf("%2d workers | %2d at a time | %ld folds | %.3f ms\n", workers,
           day.most, folds, (double)microseconds / 1000);
    return microseconds;
}

int main(int argc, char **argv) {
    static const struct setting table[] = {
        {"doughs", "N", "how many (default 200000)", .whole = &day.doughs,
         .min = 0, .max = 1e7},
        {0},
    };
    long microseconds[8] = {0};
    int cores = count_cores(), rounds = 0;

    parse_options(argc, argv, table, NULL);
    report_open();
    for (int n = 1; n <= 2 * cores && n <= WORKERS_MAX; n *= 2)
        microseconds[rounds++] = measure(n);
    report_summary("%d workers are enough, on %d cores",
                   enough(microseconds, rounds), cores);
    return report_close();
}
