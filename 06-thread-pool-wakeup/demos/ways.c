/*
 * ways.c - one after another, stackless tasks, stackful tasks, a thread pool.
 *
 * Read a section beside the next one. What is done is the same; what differs is
 * who keeps the place where a piece of work left off: nobody, a struct, a
 * stack, or a thread.
 */
#define _GNU_SOURCE
#include "ways.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "io.h"
#include "liboven.h"
#include "netpoll.h"
#include "pool.h"
#include "scheduler.h"
#include "stackless.h"
#include "timer.h"

enum { SLICES = 25, FOLDS_PER_SLICE = 500 * 1000 }; /* of a dough */

static void check(int result, const char *what) {
    if (result == -1)
        err(EXIT_FAILURE, "%s", what);
}

static void *allocate(int count, size_t size) {
    void *memory = calloc((size_t)count, size);

    if (memory == NULL)
        err(EXIT_FAILURE, "calloc");
    return memory;
}

static int count_threads(void) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    int threads = 0;

    if (status == NULL)
        err(EXIT_FAILURE, "/proc/self/status");
    while (threads == 0 && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "Threads: %d", &threads) != 1)
            threads = 0;
    fclose(status);
    return threads;
}

/* A descriptor that can be read when the bread is out. */
static int new_bell(double seconds) {
    int64_t time = (int64_t)(seconds * 1e9) + 1; /* 0 would disarm it */
    struct itimerspec bell = {.it_value.tv_sec = (time_t)(time / SECOND),
                              .it_value.tv_nsec = (long)(time % SECOND)};
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

    check(fd, "timerfd_create");
    check(timerfd_settime(fd, 0, &bell, NULL), "timerfd_settime");
    return fd;
}

/* Each fold needs the one before: no compiler can shorten this. */
static void knead_slice(struct piece *piece) {
    uint64_t dough = piece->dough;

    for (int i = 0; i < FOLDS_PER_SLICE; i++) {
        dough ^= dough << 13;
        dough ^= dough >> 7;
        dough ^= dough << 17;
    }
    piece->dough = dough;
}

static void knead(void *arg) {
    for (int slice = 0; slice < SLICES; slice++)
        knead_slice(arg);
}

/* one after another */

static int bake_in_turn(struct piece *pieces, int count, int workers) {
    (void)workers;
    for (int i = 0; i < count; i++)
        check(liboven_bake(pieces[i].seconds), "liboven_bake");
    return count_threads();
}

static int knead_in_turn(struct piece *pieces, int count, int workers) {
    (void)workers;
    for (int i = 0; i < count; i++)
        knead(&pieces[i]);
    return count_threads();
}

/* stackless tasks: what outlives a step is in this struct */

struct baker {
    struct stackless task;
    struct coroutine co;
    struct piece *piece;
    int bell, slice;
};

static enum step bake_step(void *state) {
    struct baker *baker = state;

    CO_BEGIN(&baker->co);
    baker->bell = new_bell(baker->piece->seconds);
    check(stackless_wait(&baker->task, baker->bell), "stackless_wait");
    CO_AWAIT(&baker->co, baker->task.ready);
    close(baker->bell);
    CO_END(&baker->co);
}

static enum step knead_step(void *state) {
    struct baker *baker = state;

    CO_BEGIN(&baker->co);
    for (baker->slice = 0; baker->slice < SLICES; baker->slice++) {
        knead_slice(baker->piece);
        CO_YIELD(&baker->co);
    }
    CO_END(&baker->co);
}

static int run_stackless(struct piece *pieces, int count,
                         enum step (*step)(void *state)) {
    struct baker *bakers = allocate(count, sizeof *bakers);

    for (int i = 0; i < count; i++) {
        bakers[i].piece = &pieces[i];
        stackless_go(&bakers[i].task, step, &bakers[i]);
    }
    check(stackless_run(), "stackless_run");
    free(bakers);
    return count_threads();
}

static int bake_stackless(struct piece *pieces, int count, int workers) {
    (void)workers;
    return run_stackless(pieces, count, bake_step);
}

static int knead_stackless(struct piece *pieces, int count, int workers) {
    (void)workers;
    return run_stackless(pieces, count, knead_step);
}

/* stackful tasks: what outlives a turn is on the task's stack */

static void bake_task(void *arg) {
    struct piece *piece = arg;
    int bell = new_bell(piece->seconds);

    check(wait_fd(bell, EPOLLIN, NEVER), "wait_fd");
    io_close(bell);
}

static void knead_task(void *arg) {
    for (int slice = 0; slice < SLICES; slice++) {
        knead_slice(arg);
        yield();
    }
}

static int run_stackful(struct piece *pieces, int count,
                        void (*fn)(void *arg)) {
    for (int i = 0; i < count; i++)
        check(go("baker", fn, &pieces[i]), "go");
    schedule();
    return count_threads();
}

static int bake_stackful(struct piece *pieces, int count, int workers) {
    (void)workers;
    return run_stackful(pieces, count, bake_task);
}

static int knead_stackful(struct piece *pieces, int count, int workers) {
    (void)workers;
    return run_stackful(pieces, count, knead_task);
}

/* a thread pool: the task parks, a worker does as in the first way */

static void call_library(void *arg) {
    const struct piece *piece = arg;

    check(liboven_bake(piece->seconds), "liboven_bake");
}

static void offload_bake(void *arg) {
    check(offload(call_library, arg), "offload");
}

static void offload_knead(void *arg) { check(offload(knead, arg), "offload"); }

static int run_pool(struct piece *pieces, int count, int workers,
                    void (*fn)(void *arg)) {
    check(pool_start(workers), "pool_start");
    int threads = run_stackful(pieces, count, fn);
    pool_stop();
    return threads;
}

static int bake_in_pool(struct piece *pieces, int count, int workers) {
    return run_pool(pieces, count, workers, offload_bake);
}

static int knead_in_pool(struct piece *pieces, int count, int workers) {
    return run_pool(pieces, count, workers, offload_knead);
}

const struct way ways[WAYS] = {
    {"one after another", bake_in_turn, knead_in_turn},
    {"stackless tasks, epoll", bake_stackless, knead_stackless},
    {"stackful tasks, epoll", bake_stackful, knead_stackful},
    {"thread pool, eventfd", bake_in_pool, knead_in_pool},
};
