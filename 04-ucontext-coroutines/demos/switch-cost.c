/*
 * switch-cost.c - one switch, three ways: swapcontext(3), ours, and the
 * kernel's.
 *
 * Each way hands control to and fro between two stacks and divides the time by
 * the number of switches. The two threads are given one processor, so that it
 * is a switch and not a message between two processors.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#include "context.h"
#include "report.h"
#include "stack.h"

enum { ROUND_TRIPS = 100 * 1000 };

static double nanoseconds(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void print(const char *way, double nanoseconds_per_switch,
                  const char *how) {
    printf("%-17s %8.1f ns   %s\n", way, nanoseconds_per_switch, how);
}

static void *new_stack(void) {
    void *stack = stack_new();

    if (stack == NULL)
        err(EXIT_FAILURE, "stack_new");
    return stack;
}

#ifdef __GLIBC__ /* musl has no swapcontext() */

static ucontext_t plain_main, plain_other;

static void swap_forever(void) {
    for (;;)
        swapcontext(&plain_other, &plain_main);
}

static double measure_swapcontext(void) {
    getcontext(&plain_other);
    plain_other.uc_stack.ss_sp = new_stack();
    plain_other.uc_stack.ss_size = STACK_SIZE;
    makecontext(&plain_other, swap_forever, 0);
    double start = nanoseconds();
    for (int i = 0; i < ROUND_TRIPS; i++)
        swapcontext(&plain_main, &plain_other);
    return (nanoseconds() - start) / (double)(2 * ROUND_TRIPS);
}

#endif

static struct context our_main, our_other;

static void switch_back(void *unused) {
    (void)unused;
    context_switch(&our_other, &our_main);
}

static double measure_context_switch(void) {
    context_create(&our_other, new_stack(), STACK_SIZE, switch_back, NULL);
    double start = nanoseconds();
    for (int i = 0; i < ROUND_TRIPS; i++)
        context_switch(&our_main, &our_other);
    return (nanoseconds() - start) / (double)(2 * ROUND_TRIPS);
}

static sem_t to_other, to_main;

static void *answer(void *unused) {
    for (int i = 0; i < ROUND_TRIPS; i++) {
        sem_wait(&to_other);
        sem_post(&to_main);
    }
    return unused;
}

static double measure_threads(void) {
    pthread_t other;
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one); /* no matter if it may not */
    sem_init(&to_other, 0, 0);
    sem_init(&to_main, 0, 0);
    errno = pthread_create(&other, NULL, answer, NULL);
    if (errno != 0)
        err(EXIT_FAILURE, "pthread_create");
    double start = nanoseconds();
    for (int i = 0; i < ROUND_TRIPS; i++) {
        sem_post(&to_other);
        sem_wait(&to_main);
    }
    double end = nanoseconds();
    pthread_join(other, NULL);
    return (end - start) / (double)(2 * ROUND_TRIPS);
}

int main(void) {
    report_open(false);
#ifdef __GLIBC__
    print("swapcontext()", measure_swapcontext(),
          "saves the signal mask: a system call each time");
#endif
    print("context_switch()", measure_context_switch(),
          "saves what a call must preserve: no system call");
    print("two threads", measure_threads(),
          "the kernel switches: sem_post(), sem_wait()");
    return report_close();
}
