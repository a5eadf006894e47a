/*
 * scheduler.h - many tasks on one thread, one turn each per round.
 *
 * A task is a step function and the state that it keeps between two steps.
 * The scheduler is cooperative: it gets the thread back when a step returns,
 * and not before. A step that loops or blocks stops every task.
 *
 * All of this is for one thread: the one that calls schedule().
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

enum { TASKS_MAX = 1024 }; /* unfinished ones at a time */

/* What a step function answers: call me again in the next round, or never. */
enum step { STEP_YIELD, STEP_DONE };

/*
 * Starts a task that runs step(state) in each round until that is done. Its
 * first turn is in the round after this one. `name` and `state` are kept, not
 * copied. Returns 0, or -1 with errno EAGAIN when TASKS_MAX are unfinished.
 */
int go(const char *name, enum step (*step)(void *state), void *state);

/*
 * Runs until every task is done and returns the number of rounds that took, or
 * INT_MAX if there were more. In each round every unfinished task has one turn,
 * in the order in which they became runnable: by go(), or by STEP_YIELD in the
 * round before. A task that calls schedule() ends the program with a line on
 * stderr, and status 1.
 */
int schedule(void);

/* The number of the round that runs, from 1 to INT_MAX; 0 before the first. */
int tick(void);

#endif
