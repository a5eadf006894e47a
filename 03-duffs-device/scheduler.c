/*
 * scheduler.c - a list of tasks and two loops: ticks, and turns in a tick.
 *
 * The list keeps the order of go(). A task that is done leaves it at once and
 * the later ones move up, so a free place is always at the end.
 */
#include "scheduler.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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
        sched.tick += sched.tick < INT_MAX;
        run_tick();
    }
    return sched.tick;
}

int tick(void) { return sched.tick; }
