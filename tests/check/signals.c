/*
 * signals.c - each task starts while signals come at a random moment.
 *
 *   ./signals SEED COUNT
 *
 * It builds with chapters 4, 5 and 6. Each of COUNT tasks must get its own
 * stack, and in the end the signals must still find their handler. Another
 * thread, which waits, may take them as well.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "random.h"
#include "scheduler.h"

enum { LATEST = 50 * 1000 }; /* nanoseconds from the call of go() */

static volatile sig_atomic_t rung[2];
static struct { long started, sum; } tasks;

static void ring(int signal) { rung[signal == SIGUSR2] = 1; }

static timer_t alarm_new(int signal) {
    struct sigaction action = {.sa_handler = ring};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = signal};
    timer_t timer;

    CHECK(sigaction(signal, &action, NULL) == 0);
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    return timer;
}

static void alarm_set(timer_t timer) {
    struct itimerspec soon = {.it_value = {0, 1 + random_below(LATEST)}};

    CHECK(timer_settime(timer, 0, &soon, NULL) == 0);
}

/* The sum shows that each task has kept its variable. */
static void live(void *unused) {
    long mine = ++tasks.started;

    (void)unused;
    yield();
    tasks.sum += mine;
}

_Noreturn static void *wait_for_ever(void *unused) {
    (void)unused;
    for (;;)
        pause();
}

int main(int argc, char **argv) {
    pthread_t thread;
    timer_t timers[2];
    long count;

    CHECK(argc == 3);
    random_seed(argc, argv);
    count = atol(argv[2]);
    timers[0] = alarm_new(SIGUSR1);
    timers[1] = alarm_new(SIGUSR2);
    CHECK(pthread_create(&thread, NULL, wait_for_ever, NULL) == 0);
    for (long i = 0; i < count; i++) {
        alarm_set(timers[0]);
        alarm_set(timers[1]);
        CHECK(go("live", live, NULL) == 0);
    }
    schedule();
    CHECK(tasks.started == count && tasks.sum == count * (count + 1) / 2);

    rung[0] = rung[1] = 0;
    alarm_set(timers[0]);
    alarm_set(timers[1]);
    while (!rung[0] || !rung[1])
        continue;
    return 0;
}
