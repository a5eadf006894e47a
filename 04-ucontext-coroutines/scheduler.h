/*
 * scheduler.h - tasks with a stack of their own, one turn each per tick.
 *
 * A task is an ordinary function. It can give up the thread anywhere, however
 * deep in calls, and goes on there with all its local variables. The scheduler
 * is cooperative: only yield() and park() switch. A loop without them, or a
 * call that blocks, stops everybody.
 *
 * All of this is for one thread: the one that calls schedule().
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

struct task;

/*
 * Starts a task that runs fn(arg); it ends when fn returns. Its first turn is
 * in the tick after this one. `name` and `arg` are kept, not copied. Returns 0,
 * or -1 with errno ENOMEM, or EAGAIN (see stack_new()).
 */
int go(const char *name, void (*fn)(void *arg), void *arg);

/* Gives up the turn until the next tick: ready(self()), then park(). */
void yield(void);

/* The task that runs; NULL outside of one. Not valid after its end. */
struct task *self(void);

/*
 * Sleeps until somebody calls ready() on the calling task. Outside of a task it
 * ends the program with a line on stderr, and status 1.
 */
void park(void);

/*
 * Puts a task at the end of the run queue, for the next tick. One that is there
 * already stays where it is; one that runs has another turn after this one.
 * NULL is nobody.
 */
void ready(struct task *task);

/*
 * Runs until every task is done and returns the number of ticks that took, or
 * INT_MAX if there were more. In each tick every runnable task has one turn, in
 * the order in which they became so. When all that are left are parked, nobody
 * could wake them: the program ends with a line on stderr that names them, and
 * status 1. So it does when a task calls schedule().
 */
int schedule(void);

/* The tick that runs now, from 1 to INT_MAX; 0 before the first. */
int tick(void);

#endif
