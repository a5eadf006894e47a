/*
 * scheduler.c - a run queue, and a loop that gives everybody in it a turn.
 *
 *             go()            schedule()           fn returns
 *      (new) ------> RUNNABLE ----------> RUNNING -----------> FINISHED
 *                       ^                    | park()              | go()
 *                       |      ready()       v                     v
 *                       +----------------- PARKED               RUNNABLE
 *
 * The loop has a context of its own, on the stack of main(). A turn is two
 * switches: from the loop to the task, and back when it parks or ends. A task
 * that is done leaves its record, and the stack with it, to the next go().
 */
#define _GNU_SOURCE
#include "scheduler.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "child.h"
#include "context.h"
#include "netpoll.h"
#include "overflow.h"
#include "stack.h"
#include "timer.h"

enum { NAMES_MAX = 8 }; /* in the deadlock line */

struct task {
    const char *name;
    void (*fn)(void *arg);
    void *arg;
    struct task *next; /* in the run queue, or in the list of reusable ones */
    enum { RUNNABLE, RUNNING, PARKED, FINISHED } state;
    struct context context;
    struct task *newer; /* the record that was made after this one */
};

/* NULL while the loop itself runs, and on every thread but the loop's. */
static _Thread_local struct task *running;

static struct {
    struct {
        struct task *first, **last; /* `last`: the link to be filled in next */
    } runq;
    struct task *reusable; /* records of finished tasks, for the next go() */
    int unfinished;        /* how many tasks are not finished */

    struct context loop;
    struct task *oldest, **newest; /* all records; where the next one goes */
} sched = {.runq.last = &sched.runq.first, .newest = &sched.oldest};

void ready(struct task *task) {
    if (task == NULL || task->state == RUNNABLE || task->state == FINISHED)
        return;
    task->state = RUNNABLE;
    task->next = NULL;
    *sched.runq.last = task;
    sched.runq.last = &task->next;
}

static void finish(struct task *task) {
    task->state = FINISHED;
    task->next = sched.reusable;
    sched.reusable = task;
    sched.unfinished--;
}

/* Runs on the stack of a task: one call for each go() that uses the stack. */
static void run(void *arg) {
    struct task *task = arg;

    task->fn(task->arg);
    if (task->state == RUNNABLE || child_of_fork())
        park(); /* by ready(self()) one more turn is due */
    finish(task);
    context_switch(&task->context, &sched.loop);
}

/* The task whose guard has this address, if it is the one that runs. */
static const char *owner_of_guard(const void *address) {
    const struct task *task = running;
    return task && stack_guards(task + 1, address) ? task->name : NULL;
}

/* The record lies at the top of the stack, in the page that is used first. */
static struct task *make_task(void) {
    char *stack = stack_new();

    if (stack == NULL)
        return NULL;
    struct task *task = (struct task *)(stack + STACK_SIZE) - 1;
    context_create(&task->context, stack, STACK_SIZE - sizeof *task, run, task);
    *sched.newest = task;
    sched.newest = &task->newer;
    return task;
}

int go(const char *name, void (*fn)(void *arg), void *arg) {
    struct task *task = sched.reusable;

    overflow_watch(owner_of_guard);
    if (task != NULL)
        sched.reusable = task->next;
    else if ((task = make_task()) == NULL)
        return -1;
    task->name = name;
    task->fn = fn;
    task->arg = arg;
    task->state = PARKED;
    sched.unfinished++;
    ready(task);
    return 0;
}

struct task *self(void) {
    return running;
}

void park(void) {
    struct task *task = running;

    child_refuse("park");
    if (task == NULL)
        errx(EXIT_FAILURE, "park outside of a task");
    if (task->state == RUNNING) /* and not RUNNABLE, by ready(self()) */
        task->state = PARKED;
    context_switch(&task->context, &sched.loop);
}

void yield(void) {
    ready(self());
    park();
}

/* A task that becomes runnable in this round has its turn in the next. */
static void run_round(void) {
    struct task *task = sched.runq.first, *next;

    sched.runq.first = NULL;
    sched.runq.last = &sched.runq.first;
    for (; task != NULL; task = next) {
        next = task->next;
        running = task;
        task->state = RUNNING;
        context_switch(&sched.loop, &task->context);
    }
    running = NULL;
}

/* Nothing is runnable, and only a task could change that. */
_Noreturn static void deadlock(void) {
    int asleep = 0;

    fflush(stdout); /* what led here comes first */
    fprintf(stderr, "%s: deadlock: all tasks are asleep: ",
            program_invocation_short_name);
    for (struct task *task = sched.oldest; task != NULL; task = task->newer)
        if (task->state == PARKED && asleep++ < NAMES_MAX)
            fprintf(stderr, "%s%s", asleep > 1 ? ", " : "", task->name);
    if (asleep > NAMES_MAX)
        fprintf(stderr, ", and %d more", asleep - NAMES_MAX);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

void schedule(void) {
    if (running != NULL)
        errx(EXIT_FAILURE, "schedule in task '%s'", running->name);
    while (sched.unfinished > 0) {
        if (netpoll(sched.runq.first != NULL ? 0 : timer_next()) == -1)
            deadlock();
        timer_expire();
        run_round();
    }
}
