/*
 * scheduler.h - many tasks on one thread, one turn each per round.
 *
 * A task is an ordinary function, on a stack of its own. It can give up the
 * thread anywhere, however deep in calls, and goes on there with all its local
 * variables. The scheduler is cooperative: only yield() and park() switch. A
 * loop without them, or a call that blocks, stops every task.
 *
 * All of this is for one thread: the one that calls schedule(). In a signal
 * handler nothing of it may be called. A task may call exit(3), but it must not
 * end its thread by pthread_exit(3): that would drop all other tasks.
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

struct task;

/*
 * Starts a task that runs fn(arg); it is done when fn returns. Its first turn
 * is in the round after this one. `name` and `arg` are kept, not copied.
 * Returns 0, or -1 with errno ENOMEM, or EAGAIN (see stack_new()).
 */
int go(const char *name, void (*fn)(void *arg), void *arg);

/* Gives up the turn until the next round: ready(self()), then park(). */
void yield(void);

/* The task that runs; NULL outside of one. Not valid when it is done. */
struct task *self(void);

/*
 * Stops the calling task until somebody calls ready() on it. Outside of a task
 * it ends the program with a line on stderr, and status 1.
 */
void park(void);

/*
 * Puts a task at the end of the run queue, for the next round. A task that is
 * runnable already stays where it is; the running one gets another turn after
 * this one. NULL is no task, and nothing happens.
 */
void ready(struct task *task);

/*
 * Runs until every task is done and returns the number of rounds that took, or
 * INT_MAX if there were more. In each round every runnable task has one turn,
 * in the order in which they became runnable. When all tasks that are left are
 * parked, no task is left to wake them: the program ends with a line on stderr
 * that names them, and status 1. A task that calls schedule() ends the program
 * with a line on stderr, and status 1.
 */
int schedule(void);

/* The number of the round that runs, from 1 to INT_MAX; 0 before the first. */
int tick(void);

#endif
