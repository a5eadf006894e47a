/*
 * timer.c - a binary heap of deadlines, the earliest first.
 *
 * In the array an entry at i is no earlier than its parent, at i / 2. To add or
 * remove one takes as many steps as the heap has levels: 20 for a million
 * sleepers. All of them share one look at the clock per round; no
 * descriptor and no system call is spent on any of them.
 */
#define _GNU_SOURCE
#include "timer.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "scheduler.h"

/* All that a comparison needs: the waiter's stack may be in no cache by now. */
struct entry {
    int64_t deadline;
    uint64_t number; /* the tie-break: in the order of wait_until() */
    struct waiter *waiter;
};

static struct {
    struct entry *heap; /* the first is heap[1] */
    size_t count, capacity;
    uint64_t added;
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

/* Puts the entry at `at`, or nearer to the root, or farther from it. */
static void settle(size_t at, struct entry entry) {
    struct entry *heap = timers.heap;
    size_t child;

    for (; at > 1 && earlier(entry, heap[at / 2]); at /= 2)
        put(at, heap[at / 2]);
    for (; (child = 2 * at) <= timers.count; at = child) {
        if (child < timers.count && earlier(heap[child + 1], heap[child]))
            child++;
        if (!earlier(heap[child], entry))
            break;
        put(at, heap[child]);
    }
    put(at, entry);
}

static int add(struct waiter *waiter, int64_t deadline) {
    if (timers.count + 1 >= timers.capacity) {
        size_t capacity = 2 * timers.capacity + 64;
        void *heap = reallocarray(timers.heap, capacity, sizeof *timers.heap);
        if (heap == NULL)
            return -1;
        timers.heap = heap;
        timers.capacity = capacity;
    }
    settle(++timers.count, (struct entry){deadline, timers.added++, waiter});
    return 0;
}

/* The last entry fills the gap. */
static void take_out(struct waiter *waiter) {
    size_t gap = waiter->at;

    if (gap == 0)
        return;
    waiter->at = 0;
    struct entry last = timers.heap[timers.count--];
    if (gap <= timers.count)
        settle(gap, last);
}

int wait_until(struct waiter *waiter, int64_t deadline) {
    if (deadline != NEVER && add(waiter, deadline) == -1)
        return -1;
    while (waiter->result == PENDING)
        park();
    take_out(waiter);
    if (waiter->result == 0)
        return 0;
    errno = waiter->result;
    return -1;
}

bool wake(struct waiter *waiter, int result) {
    if (waiter == NULL)
        return false;
    waiter->result = result;
    ready(waiter->task);
    return true;
}

int sleep_until(int64_t deadline) {
    struct waiter waiter = {.task = self(), .result = PENDING};

    return wait_until(&waiter, deadline) == -1 && errno != ETIMEDOUT ? -1 : 0;
}

int64_t timer_next(void) {
    return timers.count > 0 ? timers.heap[1].deadline : NEVER;
}

void timer_expire(void) {
    int64_t time = timers.count > 0 ? now() : 0;

    while (timers.count > 0 && timers.heap[1].deadline <= time) {
        struct waiter *waiter = timers.heap[1].waiter;
        take_out(waiter);
        if (waiter->result == PENDING) /* or else its event has come as well */
            wake(waiter, ETIMEDOUT);
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
