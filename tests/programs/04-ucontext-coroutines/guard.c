/*
 * guard.c - whose fault is called an overflow, and on which stack it is caught.
 *
 *   ./guard stray      another thread writes into the guard of a task
 *   ./guard alternate  the program has an alternate signal stack: it is kept
 *   ./guard overflow   the same, and a task overflows
 *   ./guard second     a thread runs tasks and ends; on the next, one overflows
 *   ./guard thread     a thread runs tasks and ends
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "scheduler.h"
#include "stack.h"

static char *guard; /* the last byte of it */

static void *write_to_guard(void *unused) {
    *(volatile char *)guard = 1;
    return unused;
}

/* Its frame is in the uppermost page of the stack. */
static void lend_guard(void *unused) {
    pthread_t thread;

    (void)unused;
    guard = (char *)((uintptr_t)&thread | 4095) - STACK_SIZE;
    CHECK(pthread_create(&thread, NULL, write_to_guard, NULL) == 0);
    pthread_join(thread, NULL);
}

static int overflow(int depth, volatile char *below) {
    volatile char frame[512];

    frame[0] = *below;
    return depth == 0 ? 0 : 1 + overflow(depth - 1, frame);
}

static void overflow_now(void *unused) {
    volatile char first = 0;

    (void)unused;
    printf("%d\n", overflow(1 << 20, &first));
}

static void end(void *unused) { (void)unused; }

static void *run_tasks(void *fn) {
    CHECK(go("task", *(void (**)(void *))fn, NULL) == 0);
    schedule();
    return NULL;
}

static void in_a_thread(void (*fn)(void *)) {
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, run_tasks, &fn) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv) {
    static char own[STACK_SIZE];
    stack_t mine = {.ss_sp = own, .ss_size = sizeof own}, found;
    void (*fn)(void *) = overflow_now;

    CHECK(argc == 2);
    if (strcmp(argv[1], "thread") == 0) {
        in_a_thread(end);
        return 0;
    }
    if (strcmp(argv[1], "second") == 0) {
        in_a_thread(end);
        in_a_thread(overflow_now);
    }
    if (strcmp(argv[1], "stray") == 0)
        fn = lend_guard;
    else
        CHECK(sigaltstack(&mine, NULL) == 0);
    if (strcmp(argv[1], "alternate") == 0)
        fn = end;
    CHECK(go("task", fn, NULL) == 0);
    schedule();
    CHECK(sigaltstack(NULL, &found) == 0 && found.ss_sp == own);
    return 0;
}
