/*
 * timer.c - a binary heap of deadlines, the earliest first.
 *
 * In the array an entry at i is no earlier than its parent, at (i - 1) / 2. To
 * set or stop a deadline takes as many steps as the heap has levels: 20 for a
 * million sleepers. All of them share one look at the clock per round; no
 * descriptor and no system call is spent on any of them.
 */
#define _GNU_SOURCE
#include "timer.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "scheduler.h"

enum { CAPACITY_MIN = 64 };

/* All that a comparison needs: the waiter's stack may be in no cache by now. */
struct entry {
    int64_t deadline;
    uint64_t number; /* the tie-break: in the order of timer_start() */
    struct waiter *waiter;
};

/* waiter->at, if it is not in the heap. */
static const size_t NOWHERE = SIZE_MAX;

static struct {
    struct entry *heap;
    size_t count, capacity;
    uint64_t started;
} timers;

int64_t now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static bool earlier(struct entry a, struct entry b) {
    if (a.deadline != b.deadline)
        return a.deadline < b.deadline;
    return a.number < b.number;
}

static void put(size_t at, struct entry entry) {
    timers.heap[at] = entry;
    entry.waiter->at = at;
}

/* Puts the entry at `at`, or nearer to the root, below an earlier one. */
static void rise(size_t at, struct entry entry) {
    while (at > 0 && earlier(entry, timers.heap[(at - 1) / 2])) {
        put(at, timers.heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(at, entry);
}

/* Puts the entry at `at`, or farther from the root, above two later ones. */
static void sink(size_t at, struct entry entry) {
    size_t child;

    while ((child = 2 * at + 1) < timers.count) {
        if (child + 1 < timers.count &&
            earlier(timers.heap[child + 1], timers.heap[child]))
            child++;
        if (!earlier(timers.heap[child], entry))
            break;
        put(at, timers.heap[child]);
        at = child;
    }
    put(at, entry);
}

static int grow(void) {
    size_t capacity = timers.capacity ? 2 * timers.capacity : CAPACITY_MIN;
    struct entry *heap = realloc(timers.heap, capacity * sizeof *heap);

    if (heap == NULL)
        return -1;
    timers.heap = heap;
    timers.capacity = capacity;
    return 0;
}

int timer_start(struct waiter *waiter, int64_t deadline) {
    *waiter = (struct waiter){self(), PENDING, NOWHERE};
    if (deadline == NEVER)
        return 0;
    if (timers.count == timers.capacity && grow() == -1)
        return -1;
    rise(timers.count++, (struct entry){deadline, timers.started++, waiter});
    return 0;
}

void timer_stop(struct waiter *waiter) {
    size_t at = waiter->at;

    if (at == NOWHERE)
        return;
    waiter->at = NOWHERE;
    struct entry last = timers.heap[--timers.count];
    if (at == timers.count)
        return;
    if (earlier(last, timers.heap[at]))
        rise(at, last);
    else
        sink(at, last);
}

int64_t timer_next(void) {
    return timers.count > 0 ? timers.heap[0].deadline : NEVER;
}

void timer_expire(void) {
    int64_t time = timers.count > 0 ? now() : 0;

    while (timers.count > 0 && timers.heap[0].deadline <= time) {
        struct waiter *waiter = timers.heap[0].waiter;
        timer_stop(waiter);
        if (waiter->result == PENDING)
            waiter->result = ETIMEDOUT;
        ready(waiter->task);
    }
}

int timer_milliseconds(int64_t deadline) {
    if (deadline == NEVER)
        return -1;
    int64_t left = deadline > 0 ? deadline - now() : 0;
    if (left <= 0)
        return 0;
    left = (left - 1) / (SECOND / 1000) + 1;
    return left < INT_MAX ? (int)left : INT_MAX;
}

int sleep_until(int64_t deadline) {
    struct waiter waiter;

    if (timer_start(&waiter, deadline) == -1)
        return -1;
    while (waiter.result == PENDING)
        park();
    return 0;
}
