/* threads.c - what tasks.c, waiting.c and offload.c do, with POSIX threads. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum {
    STACK = 64 * 1024, /* that of a task in chapters 4 to 6 */
    ROUND_TRIPS = 5 * 1000
};

static struct {
    int turns;
    struct timespec deadline;
    int to_other[2], to_first[2];
} bench;

static void *yield_turns(void *unused) {
    (void)unused;
    for (int i = 0; i < bench.turns; i++)
        sched_yield();
    return NULL;
}

static void run_yielding(int tasks, int turns) {
    bench.turns = turns;
    join_threads(start_threads(tasks, yield_turns));
}

static void measure_yield(int n) {
    static const struct model yielding = {.run = run_yielding};

    (void)n;
    bench_turn("yield", &yielding, 2, 20 * 1000);
}

static void measure_switch(int n) {
    (void)n;
    bench_turn("context switch", &thread_model, 2, ROUND_TRIPS);
}

/* Two threads that hand over as in a switch, but each on any processor. */
static void measure_job(int n) {
    (void)n;
    double start = nanoseconds();
    thread_model.run(2, ROUND_TRIPS);
    bench_row("a job to a worker and back", 1, "ns",
              (nanoseconds() - start) / (double)ROUND_TRIPS);
}

static void measure_life(int n) {
    (void)n;
    bench_life(&thread_model, 1, 1000);
}

static void measure_parked(int n) { bench_parked(&thread_model, n); }

static void *sleep_long(void *unused) {
    (void)unused;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &bench.deadline,
                           NULL) == EINTR)
        ;
    return NULL;
}

static void measure_sleepers(int n) {
    clock_gettime(CLOCK_MONOTONIC, &bench.deadline);
    bench.deadline.tv_sec++;
    n = start_threads(n, sleep_long);
    join_threads(n);
    double deadline =
        (double)bench.deadline.tv_sec * 1e9 + (double)bench.deadline.tv_nsec;
    bench_row("many sleepers: past their deadline", n, "ms",
              (nanoseconds() - deadline) / 1e6);
    bench_row("many sleepers: CPU time", n, "ms", bench_cpu() / 1e6);
}

static void check_byte(ssize_t count) {
    if (count != 1)
        err(EXIT_FAILURE, "pipe");
}

static void *echo(void *unused) {
    char byte;

    (void)unused;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        check_byte(read(bench.to_other[0], &byte, 1));
        check_byte(write(bench.to_first[1], &byte, 1));
    }
    return NULL;
}

static void measure_pipe(int n) {
    char byte = 0;

    check(pipe(bench.to_other), "pipe");
    check(pipe(bench.to_first), "pipe");
    double start = nanoseconds();
    n = start_threads(1, echo);
    for (int i = 0; i < ROUND_TRIPS; i++) {
        check_byte(write(bench.to_other[1], &byte, 1));
        check_byte(read(bench.to_first[0], &byte, 1));
    }
    join_threads(n);
    bench_row("round trip through two pipes", 2, "ns",
              (nanoseconds() - start) / (double)ROUND_TRIPS);
}

int main(int argc, char **argv) {
    static const struct measure table[] = {
        {"yield", measure_yield},       {"switch", measure_switch},
        {"job", measure_job},           {"life", measure_life},
        {"parked", measure_parked},     {"pipe", measure_pipe},
        {"sleepers", measure_sleepers}, {0}};
    pthread_attr_t small;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    pthread_setattr_default_np(&small);
    return bench_main(argc, argv, table);
}
