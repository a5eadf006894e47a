/*
 * timer.h - deadlines, in nanoseconds of CLOCK_MONOTONIC.
 *
 * A deadline is a point in time, so a wait that is interrupted and taken up
 * again ends when it was meant to. One in the past has passed; NEVER does not.
 */
#ifndef TIMER_H
#define TIMER_H

#include <stddef.h>
#include <stdint.h>

#define NEVER  INT64_MAX
#define SECOND INT64_C(1000000000)

/* The time now, in nanoseconds since some point in the past. */
int64_t now(void);

/*
 * Parks the calling task until the deadline, and for one round at least.
 * Returns 0, or -1 with errno ENOMEM.
 */
int sleep_until(int64_t deadline);

/*
 * A task that waits, for a deadline and perhaps for something else as well. It
 * lives in the frame of the function that waits, so it stays where it is.
 */
struct waiter {
    struct task *task;
    int result; /* PENDING; then 0, ETIMEDOUT, or another errno */
    size_t at;  /* in the heap of deadlines */
};

enum { PENDING = -1 };

/*
 * Makes the calling task the waiter and sets its deadline. When that passes,
 * the result becomes ETIMEDOUT and the task ready. Equal deadlines pass in the
 * order in which they were set. Returns 0, or -1 with errno ENOMEM. Stop it
 * before its frame is gone.
 */
int timer_start(struct waiter *waiter, int64_t deadline);

/* Takes the deadline back. Nothing happens if it has passed. */
void timer_stop(struct waiter *waiter);

/* For schedule(): the earliest deadline, or NEVER. */
int64_t timer_next(void);

/* For schedule(): wakes everybody whose deadline has passed. */
void timer_expire(void);

/*
 * For epoll_wait(2): milliseconds until the deadline, -1 for NEVER. Rounded up,
 * as to wake early is to wake twice.
 */
int timer_milliseconds(int64_t deadline);

#endif
