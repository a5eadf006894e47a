/*
 * scheduler.c - a run queue, and a loop that switches to one after the other.
 *
 *             go()            schedule()            fn returns
 *      (new) ------> RUNNABLE ----------> (running) ----------> FINISHED
 *                       ^                     | park()             | go()
 *                       |       ready()       v                    v
 *                       +------------------ PARKED              RUNNABLE
 *
 * The loop has a context of its own, on the stack of main(). A turn is two
 * switches: from the loop to the task, and back when it parks or ends. A
 * finished task is kept, with its stack, for the next go().
 */
#define _GNU_SOURCE
#include "scheduler.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "context.h"
#include "stack.h"

enum { NAMES_MAX = 8 }; /* in the deadlock line */

/* Lives at the top of its own stack, so a task costs one page to begin with. */
struct task {
    struct context context;
    enum { PARKED, RUNNABLE, FINISHED } state; /* PARKED also while it runs */
    const char *name;
    void (*fn)(void *arg);
    void *arg;
    struct task *next, *older, *younger; /* in its queue, and in the ring */
};

static struct {
    struct context loop;
    struct task *running;       /* NULL while the loop itself runs */
    struct task *first, **tail; /* the run queue, and where the next one goes */
    struct task *finished;      /* to be used again */
    struct task ring;           /* no task; all that are unfinished follow it */
    int tick;
} sched = {.tail = &sched.first,
           .ring = {.older = &sched.ring, .younger = &sched.ring}};

void ready(struct task *task) {
    if (task == NULL || task->state != PARKED) /* NULL: park() will say it */
        return;
    task->state = RUNNABLE;
    task->next = NULL;
    *sched.tail = task;
    sched.tail = &task->next;
}

/* What the trampoline of the context calls, once for each life of the task. */
static void live(void *arg) {
    struct task *task = arg;

    task->fn(task->arg);
    if (task->state == RUNNABLE) /* by ready(self()): one more turn is due */
        park();
    task->older->younger = task->younger;
    task->younger->older = task->older;
    task->state = FINISHED;
    task->next = sched.finished;
    sched.finished = task;
    context_switch(&task->context, &sched.loop);
}

/* For stack_watch(). */
static const char *owner_of_guard(const void *address) {
    const struct task *task = sched.running;
    return task && stack_guards(task + 1, address) ? task->name : NULL;
}

static struct task *make_task(void) {
    char *stack = stack_watch(owner_of_guard) == 0 ? stack_new() : NULL;

    if (stack == NULL)
        return NULL;
    struct task *task = (struct task *)(stack + STACK_SIZE) - 1;
    context_create(&task->context, stack, STACK_SIZE - sizeof *task, live,
                   task);
    return task;
}

int go(const char *name, void (*fn)(void *arg), void *arg) {
    struct task *task = sched.finished;

    if (task != NULL)
        sched.finished = task->next;
    else if ((task = make_task()) == NULL)
        return -1;
    task->state = PARKED;
    task->name = name;
    task->fn = fn;
    task->arg = arg;
    task->older = sched.ring.older;
    task->younger = &sched.ring;
    task->older->younger = task->younger->older = task;
    ready(task);
    return 0;
}

struct task *self(void) {
    return sched.running;
}

void park(void) {
    struct task *task = sched.running;

    if (task == NULL)
        errx(EXIT_FAILURE, "park outside of a task");
    context_switch(&task->context, &sched.loop);
}

void yield(void) {
    ready(self());
    park();
}

_Noreturn static void deadlock(void) {
    const struct task *task = sched.ring.younger;
    int count = 0;

    fflush(stdout); /* what led here comes first */
    fprintf(stderr, "%s: deadlock: all tasks are asleep: ",
            program_invocation_short_name);
    for (; task != &sched.ring; task = task->younger)
        if (count++ < NAMES_MAX)
            fprintf(stderr, "%s%s", count > 1 ? ", " : "", task->name);
    if (count > NAMES_MAX)
        fprintf(stderr, ", and %d more", count - NAMES_MAX);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

/* Takes the whole queue. Who becomes runnable now has a turn the next time. */
static void run_tick(void) {
    struct task *task = sched.first, *next;

    sched.first = NULL;
    sched.tail = &sched.first;
    for (; task != NULL; task = next) {
        next = task->next;
        task->state = PARKED;
        sched.running = task;
        context_switch(&sched.loop, &task->context);
    }
    sched.running = NULL;
}

int schedule(void) {
    if (sched.running != NULL)
        errx(EXIT_FAILURE, "schedule in task '%s'", sched.running->name);
    sched.tick = 0;
    while (sched.ring.younger != &sched.ring) {
        if (sched.first == NULL)
            deadlock();
        sched.tick += sched.tick < INT_MAX;
        run_tick();
    }
    return sched.tick;
}

int tick(void) { return sched.tick; }
