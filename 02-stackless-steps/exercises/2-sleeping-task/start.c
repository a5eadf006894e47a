/*
 * start.c - the chapter's scheduler, and tasks that wait for a tick.
 *
 * sleep_until() does nothing yet, so a waiting task is stepped in every tick.
 */
#include "scheduler.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

struct task {
    const char *name;
    enum step (*step)(void *state);
    void *state;
};

static struct {
    struct task tasks[TASKS_MAX];
    int count;
    int tick;
    const struct task *running; /* NULL while the loop itself runs */
} sched;

int go(const char *name, enum step (*step)(void *state), void *state) {
    if (sched.count == TASKS_MAX) {
        errno = EAGAIN;
        return -1;
    }
    sched.tasks[sched.count++] = (struct task){name, step, state};
    return 0;
}

static void remove_task(int i) {
    sched.count--;
    memmove(&sched.tasks[i], &sched.tasks[i + 1],
            (size_t)(sched.count - i) * sizeof sched.tasks[0]);
}

/* Whoever is added meanwhile stands behind the last turn of this tick. */
static void run_tick(void) {
    int i = 0;

    for (int turns = sched.count; turns > 0; turns--) {
        const struct task *task = &sched.tasks[i];
        sched.running = task;
        if (task->step(task->state) == STEP_DONE)
            remove_task(i);
        else
            i++;
    }
    sched.running = NULL;
}

int schedule(void) {
    if (sched.running != NULL)
        errx(EXIT_FAILURE, "schedule in task '%s'", sched.running->name);
    sched.tick = 0;
    while (sched.count > 0) {
        sched.tick++;
        run_tick();
    }
    return sched.tick;
}

int tick(void) { return sched.tick; }

/* The task that calls is not stepped again before tick `when`. */
static void sleep_until(int when) { (void)when; }

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
