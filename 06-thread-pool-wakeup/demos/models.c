/*
 * models.c - the same tasks as a struct, with a stack, and as a thread.
 *
 * Compare the three sections: what takes turns, what waits, and who wakes it.
 */
#define _GNU_SOURCE
#include "costs.h"

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "scheduler.h"
#include "stackless.h"

enum { STACKLESS_MAX = 100 * 1000, THREADS_MAX = 10 * 1000 };

/* stackless: a struct */

struct stepped {
    struct stackless task;
    struct coroutine co;
    int turns;
};

static struct {
    struct stepped tasks[STACKLESS_MAX];
    int waiting;
    double resident; /* while all of them wait */
} stackless;

static enum step step_turns(void *state) {
    struct stepped *stepped = state;

    CO_BEGIN(&stepped->co);
    for (; stepped->turns > 0; stepped->turns--)
        CO_YIELD(&stepped->co);
    CO_END(&stepped->co);
}

static enum step step_wait(void *state) {
    struct stepped *stepped = state;

    CO_BEGIN(&stepped->co);
    stepped->task.ready = false;
    CO_AWAIT(&stepped->co, stepped->task.ready);
    CO_END(&stepped->co);
}

/* It was started last, so all the others wait already. */
static enum step step_wake(void *unused) {
    (void)unused;
    stackless.resident = resident();
    for (int i = 0; i < stackless.waiting; i++)
        stackless_ready(&stackless.tasks[i].task);
    return STEP_DONE;
}

static void start_stackless(int tasks, int turns, enum step (*step)(void *)) {
    for (int i = 0; i < tasks; i++) {
        stackless.tasks[i] = (struct stepped){.turns = turns};
        stackless_go(&stackless.tasks[i].task, step, &stackless.tasks[i]);
    }
}

static void run_stackless(int tasks, int turns) {
    start_stackless(tasks, turns, step_turns);
    check(stackless_run(), "stackless_run");
}

static double wait_stackless(int *tasks) {
    struct stackless waker;

    *tasks = *tasks < STACKLESS_MAX ? *tasks : STACKLESS_MAX;
    stackless.waiting = *tasks;
    start_stackless(*tasks, 0, step_wait);
    stackless_go(&waker, step_wake, NULL);
    check(stackless_run(), "stackless_run");
    return stackless.resident;
}

const struct model stackless_model = {"stackless task", run_stackless,
                                      wait_stackless};

/* stackful: a stack, which also holds the list of the tasks that wait */

struct parked {
    struct task *task;
    struct parked *next;
};

static struct {
    struct parked *first, **end;
    double resident;
} stackful;

static void task_turns(void *arg) {
    for (int turns = *(const int *)arg; turns > 0; turns--)
        yield();
}

static void task_wait(void *unused) {
    struct parked parked = {.task = self()};

    (void)unused;
    *stackful.end = &parked;
    stackful.end = &parked.next;
    park();
}

/* It was started last, so all the others wait already. */
static void task_wake(void *unused) {
    (void)unused;
    stackful.resident = resident();
    for (struct parked *parked = stackful.first; parked != NULL;
         parked = parked->next)
        ready(parked->task);
}

static void run_stackful(int tasks, int turns) {
    for (int i = 0; i < tasks; i++)
        check(go("turns", task_turns, &turns), "go");
    schedule();
}

static double wait_stackful(int *tasks) {
    stackful.first = NULL;
    stackful.end = &stackful.first;
    for (int i = 0; i < *tasks; i++)
        check(go("sleeper", task_wait, NULL), "go");
    check(go("waker", task_wake, NULL), "go");
    schedule();
    return stackful.resident;
}

const struct model stackful_model = {"stackful task", run_stackful,
                                     wait_stackful};

/* thread: a stack, and one more in the kernel that resident() does not see */

struct thread {
    pthread_t id;
    sem_t turn; /* the thread waits for it */
};

static struct {
    struct thread all[THREADS_MAX];
    struct thread *last;
    int turns;
    sem_t arrived;
} threads;

int start_threads(int count, void *(*fn)(void *thread)) {
    int started = 0;

    count = count < THREADS_MAX ? count : THREADS_MAX;
    while (started < count) {
        struct thread *thread = &threads.all[started];
        sem_init(&thread->turn, 0, 0);
        errno = pthread_create(&thread->id, NULL, fn, thread);
        if (errno != 0)
            break;
        started++;
    }
    if (started == 0)
        err(EXIT_FAILURE, "pthread_create");
    return started;
}

void join_threads(int count) {
    for (int i = 0; i < count; i++)
        pthread_join(threads.all[i].id, NULL);
}

/* In a ring: the last thread gives the turn to the first. */
static void *thread_turns(void *arg) {
    struct thread *thread = arg;
    struct thread *next = thread == threads.last ? threads.all : thread + 1;

    for (int i = 0; i < threads.turns; i++) {
        sem_wait(&thread->turn);
        sem_post(&next->turn);
    }
    return NULL;
}

static void *thread_wait(void *arg) {
    struct thread *thread = arg;

    sem_post(&threads.arrived);
    sem_wait(&thread->turn);
    return NULL;
}

static void run_threads(int tasks, int turns) {
    threads.last = &threads.all[tasks - 1];
    threads.turns = turns;
    if (start_threads(tasks, thread_turns) < tasks)
        err(EXIT_FAILURE, "pthread_create");
    sem_post(&threads.all[0].turn);
    join_threads(tasks);
}

static double wait_threads(int *tasks) {
    sem_init(&threads.arrived, 0, 0);
    *tasks = start_threads(*tasks, thread_wait);
    for (int i = 0; i < *tasks; i++)
        sem_wait(&threads.arrived);
    double meanwhile = resident();
    for (int i = 0; i < *tasks; i++)
        sem_post(&threads.all[i].turn);
    join_threads(*tasks);
    return meanwhile;
}

const struct model thread_model = {"thread", run_threads, wait_threads};
