/*
 * scheduler.h - many tasks on one thread, one turn each per tick.
 *
 * A task is a step function and the state that it keeps between two steps.
 * The scheduler is cooperative: it gets the thread back when a step returns,
 * and not before. A step that loops or blocks stops everybody.
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

enum { TASKS_MAX = 1024 }; /* unfinished ones at a time */

/* What a step function answers: call me again in the next tick, or never. */
enum step { STEP_YIELD, STEP_DONE };

/*
 * Adds a task. Its first turn is in the tick after this one. `name` and `state`
 * are kept, not copied. Returns 0, or -1 with errno EAGAIN when TASKS_MAX are
 * unfinished.
 */
int go(const char *name, enum step (*step)(void *state), void *state);

/*
 * Runs until every task is done and returns the number of ticks that took, or
 * INT_MAX if there were more. In each tick every unfinished task has one turn,
 * in the order of their go(). Called by main(), not by a step.
 */
int schedule(void);

/* The tick that runs now, from 1 to INT_MAX; 0 before the first. */
int tick(void);

#endif
