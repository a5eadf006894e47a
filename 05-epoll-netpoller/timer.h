/*
 * timer.h - deadlines, and tasks that wait.
 *
 * A deadline is a point in time, in nanoseconds of CLOCK_MONOTONIC. So a wait
 * that is interrupted and taken up again ends when it was meant to. A deadline
 * in the past has passed; NEVER does not pass.
 *
 * now() is for every thread, and all else for the loop's (scheduler.h).
 */
#ifndef TIMER_H
#define TIMER_H

#include <stdbool.h>
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
 * A task that waits for something: a deadline, a descriptor, a job. It lies in
 * the frame of the function that waits, so it stays where it is:
 *
 *     struct waiter waiter = {.task = self(), .result = PENDING};
 */
struct waiter {
    struct task *task;
    int result; /* PENDING until it is over; then 0, or an errno */
    size_t at;  /* for timer.c: its place in the heap; 0 is none */
};

enum { PENDING = -1 };

/*
 * Parks the waiter's task, which must be the calling one, until wake() or until
 * the deadline. Equal deadlines pass in the order of these calls. Returns 0, or
 * -1 and errno: what wake() gave, ETIMEDOUT at the deadline, or ENOMEM.
 */
int wait_until(struct waiter *waiter, int64_t deadline);

/* Ends the wait, with 0 or an errno. False, and nothing, if waiter is NULL. */
bool wake(struct waiter *waiter, int result);

/* For schedule(): the earliest deadline, or NEVER. */
int64_t timer_next(void);

/* For schedule(): wakes every waiter whose deadline has passed. */
void timer_expire(void);

/*
 * For epoll_wait(2): milliseconds until the deadline, -1 for NEVER. They are
 * rounded up, since a task that wakes early has to wait again.
 */
int timer_milliseconds(int64_t deadline);

#endif
