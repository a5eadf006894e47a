/*
 * scheduler.c - a run queue, and a loop that gives everybody in it a turn.
 *
 * A task that answers STEP_YIELD goes to the end of the run queue. A task that
 * is done leaves its record to the next go().
 */
#include "scheduler.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

struct task {
    const char *name;
    enum step (*step)(void *state);
    void *state;
    struct task *next; /* in the run queue, or in the list of reusable ones */
};

static struct {
    struct {
        struct task *first, **last; /* `last`: the link to be filled in next */
    } runq;
    struct task *running;  /* NULL while the loop itself runs */
    struct task *reusable; /* records of finished tasks, for the next go() */
    int unfinished;        /* how many tasks are not finished */
    int tick;

    struct task records[TASKS_MAX];
    int used; /* records that were handed out at least once */
} sched = {.runq.last = &sched.runq.first};

static void ready(struct task *task) {
    task->next = NULL;
    *sched.runq.last = task;
    sched.runq.last = &task->next;
}

static void finish(struct task *task) {
    task->next = sched.reusable;
    sched.reusable = task;
    sched.unfinished--;
}

static struct task *make_task(void) {
    if (sched.used == TASKS_MAX) {
        errno = EAGAIN;
        return NULL;
    }
    return &sched.records[sched.used++];
}

int go(const char *name, enum step (*step)(void *state), void *state) {
    struct task *task = sched.reusable;

    if (task != NULL)
        sched.reusable = task->next;
    else if ((task = make_task()) == NULL)
        return -1;
    task->name = name;
    task->step = step;
    task->state = state;
    sched.unfinished++;
    ready(task);
    return 0;
}

/* A task that becomes runnable in this round has its turn in the next. */
static void run_round(void) {
    struct task *task = sched.runq.first, *next;

    sched.runq.first = NULL;
    sched.runq.last = &sched.runq.first;
    for (; task != NULL; task = next) {
        next = task->next;
        sched.running = task;
        if (task->step(task->state) == STEP_DONE)
            finish(task);
        else
            ready(task);
    }
    sched.running = NULL;
}

int schedule(void) {
    if (sched.running != NULL)
        errx(EXIT_FAILURE, "schedule in task '%s'", sched.running->name);
    sched.tick = 0;
    while (sched.unfinished > 0) {
        sched.tick += sched.tick < INT_MAX;
        run_round();
    }
    return sched.tick;
}

int tick(void) { return sched.tick; }
