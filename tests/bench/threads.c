/* threads.c - what tasks.c, waiting.c and offload.c do, with POSIX threads. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum {
    STACK = 64 * 1024, /* that of a task in chapters 4 to 6 */
    THREADS_MAX = 10 * 1000,
    TURNS = 20 * 1000,
    LIVES = 1000,
    ROUND_TRIPS = 5 * 1000
};

static struct {
    pthread_t threads[THREADS_MAX];
    sem_t arrived, wake, ask, answer;
    struct timespec deadline;
    int to_other[2], to_first[2];
} bench;

/* Starts n threads, or as many as there can be: their number. */
static int start(int n, void *(*fn)(void *arg)) {
    pthread_attr_t small;
    int count = 0;

    n = n < THREADS_MAX ? n : THREADS_MAX;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    for (errno = 0; count < n && errno == 0; count += errno == 0)
        errno = pthread_create(&bench.threads[count], &small, fn, NULL);
    pthread_attr_destroy(&small);
    if (count == 0)
        err(EXIT_FAILURE, "pthread_create");
    return count;
}

static void join(int n) {
    for (int i = 0; i < n; i++)
        pthread_join(bench.threads[i], NULL);
}

static void *take_turns(void *unused) {
    for (int i = 0; i < TURNS; i++)
        sched_yield();
    return unused;
}

static void measure_yield(int n) {
    (void)n;
    bench_pin();
    double before = bench_clock();
    join(start(2, take_turns));
    bench_row("yield", 2, "ns", (bench_clock() - before) / (double)(2 * TURNS));
}

static void *answer(void *unused) {
    for (int i = 0; i < ROUND_TRIPS; i++) {
        sem_wait(&bench.ask);
        sem_post(&bench.answer);
    }
    return unused;
}

static double hand_over(void) {
    double before = bench_clock();
    int n = start(1, answer);

    for (int i = 0; i < ROUND_TRIPS; i++) {
        sem_post(&bench.ask);
        sem_wait(&bench.answer);
    }
    join(n);
    return (bench_clock() - before) / (double)ROUND_TRIPS;
}

/* On one processor, or it would be a message and not a switch. */
static void measure_switch(int n) {
    (void)n;
    bench_pin();
    bench_row("context switch", 2, "ns", hand_over() / 2);
}

static void measure_job(int n) {
    (void)n;
    bench_row("a job to a worker and back", 1, "ns", hand_over());
}

static void *nothing(void *unused) { return unused; }

static void measure_life(int n) {
    (void)n;
    double before = bench_clock();
    for (int i = 0; i < LIVES; i++)
        join(start(1, nothing));
    bench_row("go and finish", 1, "ns",
              (bench_clock() - before) / (double)LIVES);
}

static void *sleep_on_semaphore(void *unused) {
    sem_post(&bench.arrived);
    sem_wait(&bench.wake);
    return unused;
}

static void measure_parked(int n) {
    double resident = bench_resident(), before = bench_clock();

    n = start(n, sleep_on_semaphore);
    for (int i = 0; i < n; i++)
        sem_wait(&bench.arrived);
    resident = bench_resident() - resident;
    for (int i = 0; i < n; i++)
        sem_post(&bench.wake);
    join(n);
    double took = bench_clock() - before;
    bench_row("resident memory of one that waits", n, "bytes", resident / n);
    bench_row("many at once: create, park, wake, finish one", n, "ns",
              took / n);
}

static void *sleep_long(void *unused) {
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &bench.deadline,
                           NULL) == EINTR)
        ;
    return unused;
}

static void measure_sleepers(int n) {
    clock_gettime(CLOCK_MONOTONIC, &bench.deadline);
    bench.deadline.tv_sec++;
    n = start(n, sleep_long);
    join(n);
    double deadline =
        (double)bench.deadline.tv_sec * 1e9 + (double)bench.deadline.tv_nsec;
    bench_row("many sleepers: past their deadline", n, "ms",
              (bench_clock() - deadline) / 1e6);
    bench_row("many sleepers: CPU time", n, "ms", bench_cpu() / 1e6);
}

static void check_byte(ssize_t count) {
    if (count != 1)
        err(EXIT_FAILURE, "pipe");
}

static void *echo(void *unused) {
    char byte;

    for (int i = 0; i < ROUND_TRIPS; i++) {
        check_byte(read(bench.to_other[0], &byte, 1));
        check_byte(write(bench.to_first[1], &byte, 1));
    }
    return unused;
}

static void measure_pipe(int n) {
    char byte = 0;

    bench_check(pipe(bench.to_other), "pipe");
    bench_check(pipe(bench.to_first), "pipe");
    double before = bench_clock();
    n = start(1, echo);
    for (int i = 0; i < ROUND_TRIPS; i++) {
        check_byte(write(bench.to_other[1], &byte, 1));
        check_byte(read(bench.to_first[0], &byte, 1));
    }
    join(n);
    bench_row("round trip through two pipes", 2, "ns",
              (bench_clock() - before) / (double)ROUND_TRIPS);
}

int main(int argc, char **argv) {
    static const struct measure table[] = {
        {"yield", measure_yield},       {"switch", measure_switch},
        {"job", measure_job},           {"life", measure_life},
        {"parked", measure_parked},     {"pipe", measure_pipe},
        {"sleepers", measure_sleepers}, {0}};

    sem_init(&bench.arrived, 0, 0);
    sem_init(&bench.wake, 0, 0);
    sem_init(&bench.ask, 0, 0);
    sem_init(&bench.answer, 0, 0);
    return bench_main(argc, argv, table);
}
