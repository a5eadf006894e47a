/*
 * solution.c - a scheduler with priorities that starves nobody.
 *
 * Waiting makes urgent (the textbooks call it ageing). Who comes with priority
 * 9 eight ticks or more after one of priority 1 that still waits has no turn
 * before it, however many important ones keep coming.
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
    int priority;
    int waited; /* ticks since its last turn, or since its go() */
};

static struct {
    struct task tasks[TASKS_MAX]; /* in the order of go() */
    int count;
    int tick;
} sched;

/* The chapter's go() with a priority: the greater, the more important. */
static int go_with_priority(int priority, const char *name,
                            enum step (*step)(void *state), void *state) {
    if (sched.count == TASKS_MAX) {
        errno = EAGAIN;
        return -1;
    }
    sched.tasks[sched.count++] = (struct task){
        .name = name, .step = step, .state = state, .priority = priority};
    return 0;
}

int go(const char *name, enum step (*step)(void *state), void *state) {
    return go_with_priority(0, name, step, state);
}

static void remove_task(int i) {
    sched.count--;
    memmove(&sched.tasks[i], &sched.tasks[i + 1],
            (size_t)(sched.count - i) * sizeof sched.tasks[0]);
}

static int urgency(const struct task *task) {
    return task->priority + task->waited;
}

/* The index of the task whose turn it is; the first of equal ones. */
static int most_urgent(void) {
    int chosen = 0;

    for (int i = 1; i < sched.count; i++) {
        if (urgency(&sched.tasks[i]) > urgency(&sched.tasks[chosen]))
            chosen = i;
    }
    return chosen;
}

static void note_waits(int chosen) {
    for (int i = 0; i < sched.count; i++)
        sched.tasks[i].waited++;
    sched.tasks[chosen].waited = 0;
}

static void run_tick(void) {
    int chosen = most_urgent();
    const struct task *task = &sched.tasks[chosen];

    note_waits(chosen); /* before the step, which may start new tasks */
    if (task->step(task->state) == STEP_DONE)
        remove_task(chosen);
}

int schedule(void) {
    sched.tick = 0;
    while (sched.count > 0) {
        sched.tick++;
        run_tick();
    }
    return sched.tick;
}

int tick(void) { return sched.tick; }

struct worker {
    int number;
    int priority;
    int turns; /* that it still needs */
};

static enum step work(void *state) {
    struct worker *worker = state;

    printf("tick %02d | task %d | priority %d\n", tick(), worker->number,
           worker->priority);
    worker->turns--;
    return worker->turns > 0 ? STEP_YIELD : STEP_DONE;
}

static struct worker parse_worker(int number, const char *text) {
    struct worker worker = {.number = number};
    char end;

    if (sscanf(text, "%3d:%4d%c", &worker.priority, &worker.turns, &end) != 2 ||
        worker.priority < 0 || worker.turns < 1)
        errx(2, "%s: not PRIORITY:TURNS, as in 3:4", text);
    return worker;
}

int main(int argc, char **argv) {
    static struct worker workers[TASKS_MAX];
    int ticks;

    report_open(false);
    for (int i = 1; i < argc; i++) {
        if (i > TASKS_MAX)
            errx(2, "%d tasks at most", TASKS_MAX);
        workers[i - 1] = parse_worker(i, argv[i]);
        if (go_with_priority(workers[i - 1].priority, "worker", work,
                             &workers[i - 1]) == -1)
            err(EXIT_FAILURE, "go");
    }
    ticks = schedule();
    report_summary("%d ticks", ticks);
    return report_close();
}
