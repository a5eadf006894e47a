/*
 * solution.c - a scheduler that lets a task sleep until its tick.
 *
 * A sleeper goes through the run queue as before, so its place in the order is
 * kept, and schedule() knows that it is not finished. In each tick it costs a
 * comparison and a place in the queue, and no step.
 */
#include "scheduler.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

struct task {
    const char *name;
    enum step (*step)(void *state);
    void *state;
    int wake_at; /* no turn before this tick; 0 for one that never slept */
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
    task->wake_at = 0;
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
        if (task->wake_at > sched.tick) {
            ready(task);
            continue;
        }
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

/*
 * The task that calls is not stepped again before tick `when`. It is a note and
 * no more: the step that makes it must still return STEP_YIELD.
 */
static void sleep_until(int when) { sched.running->wake_at = when; }

struct sleeper {
    int number;
    int wake_at; /* tick */
    int steps;
};

static enum step wait_for_tick(void *state) {
    struct sleeper *sleeper = state;

    sleeper->steps++;
    if (tick() < sleeper->wake_at) {
        sleep_until(sleeper->wake_at);
        return STEP_YIELD;
    }
    printf("tick %02d | task %d | stepped %d time%s\n", tick(), sleeper->number,
           sleeper->steps, sleeper->steps == 1 ? "" : "s");
    return STEP_DONE;
}

static int number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 1 || value > 1000)
        errx(2, "%s: not a tick from 1 to 1000", text);
    return (int)value;
}

int main(int argc, char **argv) {
    static struct sleeper sleepers[TASKS_MAX];
    int ticks;

    report_open(false);
    for (int i = 1; i < argc; i++) {
        if (i > TASKS_MAX)
            errx(2, "%d ticks at most", TASKS_MAX);
        sleepers[i - 1] =
            (struct sleeper){.number = i, .wake_at = number(argv[i])};
        if (go("sleeper", wait_for_tick, &sleepers[i - 1]) == -1)
            err(EXIT_FAILURE, "go");
    }
    ticks = schedule();
    report_summary("%d ticks", ticks);
    return report_close();
}
