/*
 * ways.c - one after another, stackless tasks, stackful tasks, a thread pool.
 *
 * Compare each section with the next. The work is the same. What differs is
 * where a piece of work that stops in the middle keeps its place: it does not
 * stop, or the place is in a struct, on a stack, or in a thread.
 */
#define _GNU_SOURCE
#include "ways.h"

#include <err.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "costs.h"
#include "io.h"
#include "liboven.h"
#include "netpoll.h"
#include "pool.h"
#include "scheduler.h"
#include "stackless.h"
#include "timer.h"

enum { SLICES = 25, FOLDS_PER_SLICE = 500 * 1000 }; /* of a dough */

/* A descriptor that becomes readable when the bread is out. */
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

static void call_library(void *arg) {
    const struct piece *piece = arg;

    check(liboven_bake(piece->seconds), "liboven_bake");
}

/* one after another */

static void bake_in_turn(struct piece *pieces, int count) {
    for (int i = 0; i < count; i++)
        call_library(&pieces[i]);
}

static void knead_in_turn(struct piece *pieces, int count) {
    for (int i = 0; i < count; i++)
        knead(&pieces[i]);
}

/* stackless tasks: what a later step needs is in this struct */

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

static void run_stackless(struct piece *pieces, int count,
                          enum step (*step)(void *state)) {
    struct baker *bakers = calloc((size_t)count, sizeof *bakers);

    if (bakers == NULL)
        err(EXIT_FAILURE, "calloc");
    for (int i = 0; i < count; i++) {
        bakers[i].piece = &pieces[i];
        stackless_go(&bakers[i].task, step, &bakers[i]);
    }
    check(stackless_run(), "stackless_run");
    free(bakers);
}

static void bake_stackless(struct piece *pieces, int count) {
    run_stackless(pieces, count, bake_step);
}

static void knead_stackless(struct piece *pieces, int count) {
    run_stackless(pieces, count, knead_step);
}

/* stackful tasks: what a later turn needs is on the task's stack */

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

static void run_stackful(struct piece *pieces, int count,
                         void (*fn)(void *arg)) {
    for (int i = 0; i < count; i++)
        check(go("baker", fn, &pieces[i]), "go");
    schedule();
}

static void bake_stackful(struct piece *pieces, int count) {
    run_stackful(pieces, count, bake_task);
}

static void knead_stackful(struct piece *pieces, int count) {
    run_stackful(pieces, count, knead_task);
}

/* a thread pool: the task parks, and a worker does as in the first way */

static void offload_bake(void *arg) {
    check(offload(call_library, arg), "offload");
}

static void offload_knead(void *arg) { check(offload(knead, arg), "offload"); }

static void bake_in_pool(struct piece *pieces, int count) {
    run_stackful(pieces, count, offload_bake);
}

static void knead_in_pool(struct piece *pieces, int count) {
    run_stackful(pieces, count, offload_knead);
}

const struct way ways[WAYS] = {
    {"one after another", false, bake_in_turn, knead_in_turn},
    {"stackless tasks, epoll", false, bake_stackless, knead_stackless},
    {"stackful tasks, epoll", false, bake_stackful, knead_stackful},
    {"thread pool, eventfd", true, bake_in_pool, knead_in_pool},
};
