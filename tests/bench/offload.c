/* offload.c - chapter 6: a job to a worker and back, one at a time and many. */
#define _GNU_SOURCE
#include <sys/eventfd.h>
#include <unistd.h>

#include "bench.h"
#include "pool.h"
#include "scheduler.h"

enum { WORKERS = 4, ROUND_TRIPS = 5 * 1000, JOBS = 10 * 1000 };

static struct { int wakeups; /* of the loop by the pool */ } bench;

/* Stands in for libc's: the pool calls it once per wake-up. */
int eventfd_read(int fd, eventfd_t *value) {
    bench.wakeups++;
    return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

static void nothing(void *unused) { (void)unused; }

static void offload_often(void *unused) {
    (void)unused;
    double start = nanoseconds();
    for (int i = 0; i < ROUND_TRIPS; i++)
        check(offload(nothing, NULL), "offload");
    bench_row("a job to a worker and back", 1, "ns",
              (nanoseconds() - start) / (double)ROUND_TRIPS);
}

static void measure_round_trip(int n) {
    (void)n;
    check(pool_start(WORKERS), "pool_start");
    check(go("offload", offload_often, NULL), "go");
    schedule();
    pool_stop();
}

static void offload_once(void *unused) {
    (void)unused;
    check(offload(nothing, NULL), "offload");
}

static void run_jobs(void) {
    for (int i = 0; i < JOBS; i++)
        check(go("offload", offload_once, NULL), "go");
    schedule();
}

/* The first time makes the tasks, the second is measured. */
static void measure_jobs(int n) {
    (void)n;
    check(pool_start(WORKERS), "pool_start");
    run_jobs();
    bench.wakeups = 0;
    double start = nanoseconds();
    run_jobs();
    double took = nanoseconds() - start;
    pool_stop();
    bench_row("many jobs at once: finished per second", JOBS, "1/s",
              (double)JOBS / took * 1e9);
    bench_row("many jobs at once: wake-ups of the loop", JOBS, "",
              bench.wakeups);
}

int main(int argc, char **argv) {
    static const struct measure table[] = {
        {"offload", measure_round_trip}, {"jobs", measure_jobs}, {0}};

    return bench_main(argc, argv, table);
}
