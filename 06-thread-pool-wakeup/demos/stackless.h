/*
 * stackless.h - chapter 3's coroutines, and an epoll loop that steps them.
 *
 * A task is a step function, its state, and a flag. As in chapter 3 it waits
 * with CO_AWAIT for a condition; here the loop makes the condition true:
 *
 *     stackless_wait(&oven->task, oven->bell);
 *     CO_AWAIT(&oven->co, oven->task.ready);
 */
#ifndef STACKLESS_H
#define STACKLESS_H

#include <stdbool.h>

/* What chapter 3's scheduler.h gave; coroutine.h includes chapter 6's. */
enum step { STEP_YIELD, STEP_DONE };

#include "coroutine.h"

/* All that the loop keeps of a task. The caller owns the memory. */
struct stackless {
    enum step (*step)(void *state);
    void *state;
    struct stackless *next;
    bool ready; /* false: it is not stepped until its event comes */
};

/* Starts a task. Zero the coroutine before. */
void stackless_go(struct stackless *task, enum step (*step)(void *state),
                  void *state);

/*
 * Makes the task not ready until `fd` can be read. Call it once for each
 * descriptor, which stays in the epoll until it is closed. Returns 0, or -1 and
 * the errno of epoll_create1(2) or epoll_ctl(2); then the task stays ready.
 */
int stackless_wait(struct stackless *task, int fd);

/* Makes a task ready whose `ready` is false; another one stays as it is. */
void stackless_ready(struct stackless *task);

/*
 * Runs until every task is done. Returns 0, or -1 and the errno of
 * epoll_wait(2), or EDEADLK when nothing can wake the tasks that are left.
 */
int stackless_run(void);

#endif
