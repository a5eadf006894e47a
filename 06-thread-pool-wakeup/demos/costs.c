/*
 * costs.c - many tasks that wait, lives in a row, and two that take turns.
 *
 * Each model is measured in the same three ways. Memory comes first, from many
 * at once, as what was used before would be used again. A time is the shortest
 * of several rounds: whatever else the machine does only adds to it.
 */
#define _GNU_SOURCE
#include "costs.h"

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scheduler.h"
#include "stackless.h"
#include "timer.h"

enum {
    STACKLESS = 100 * 1000, /* waiting at once */
    STACKFUL = 2 * 1000,
    THREADS = 500,
    ROUNDS = 5,
    LIVES = 100, /* per round */
    SWITCHES = 20 * 1000
};

static void check(int result, const char *what) {
    if (result == -1)
        err(EXIT_FAILURE, "%s", what);
}

/* Memory that is there before anything is measured: every page is written. */
static void *touched(size_t count, size_t size) {
    char *memory = malloc(count * size);

    if (memory == NULL)
        err(EXIT_FAILURE, "malloc");
    for (size_t i = 0; i < count * size; i++)
        ((volatile char *)memory)[i] = 0;
    return memory;
}

/* proc(5): the second number in statm is the resident pages. */
static double resident(void) {
    FILE *statm = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (statm == NULL || fscanf(statm, "%*d %ld", &pages) != 1)
        err(EXIT_FAILURE, "/proc/self/statm");
    fclose(statm);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* Nanoseconds that fn() takes, in the best of ROUNDS, for one of `count`. */
static double time_of(void (*fn)(void), int count) {
    int64_t best = NEVER;

    for (int round = 0; round < ROUNDS; round++) {
        int64_t start = now();
        fn();
        int64_t took = now() - start;
        best = took < best ? took : best;
    }
    return (double)best / count;
}

/* stackless: a struct */

struct sleeper {
    struct stackless task;
    struct coroutine co;
    int turns;
};

static struct {
    struct sleeper *sleepers;
    double resident; /* while all of them wait */
} stackless;

static enum step wait_step(void *state) {
    struct sleeper *sleeper = state;

    CO_BEGIN(&sleeper->co);
    sleeper->task.ready = false;
    CO_AWAIT(&sleeper->co, sleeper->task.ready);
    CO_END(&sleeper->co);
}

/* The last in the queue, so all the others wait already. */
static enum step wake_step(void *unused) {
    (void)unused;
    stackless.resident = resident();
    for (int i = 0; i < STACKLESS; i++)
        stackless_ready(&stackless.sleepers[i].task);
    return STEP_DONE;
}

static enum step turns_step(void *state) {
    struct sleeper *sleeper = state;

    CO_BEGIN(&sleeper->co);
    for (; sleeper->turns > 0; sleeper->turns--)
        CO_YIELD(&sleeper->co);
    CO_END(&sleeper->co);
}

static void run_turns(int tasks, int turns) {
    for (int i = 0; i < tasks; i++) {
        struct sleeper *sleeper = &stackless.sleepers[i];
        *sleeper = (struct sleeper){.turns = turns};
        stackless_go(&sleeper->task, turns_step, sleeper);
    }
    check(stackless_run(), "stackless_run");
}

static void stackless_lives(void) { run_turns(LIVES, 0); }
static void stackless_switches(void) { run_turns(2, SWITCHES / 2); }

static double stackless_bytes(void) {
    struct stackless waker;
    double before = resident();

    stackless.sleepers = calloc(STACKLESS, sizeof *stackless.sleepers);
    if (stackless.sleepers == NULL)
        err(EXIT_FAILURE, "calloc");
    for (int i = 0; i < STACKLESS; i++)
        stackless_go(&stackless.sleepers[i].task, wait_step,
                     &stackless.sleepers[i]);
    stackless_go(&waker, wake_step, NULL);
    check(stackless_run(), "stackless_run");
    return (stackless.resident - before) / (double)STACKLESS;
}

static void measure_stackless(struct cost *cost) {
    *cost = (struct cost){.model = "stackless task", .tasks = STACKLESS};
    cost->bytes = stackless_bytes();
    cost->life_ns = time_of(stackless_lives, LIVES);
    cost->switch_ns = time_of(stackless_switches, SWITCHES);
    free(stackless.sleepers);
}

/* stackful: a stack */

static struct {
    struct task **sleepers;
    int count;
    double resident;
} stackful;

static void wait_parked(void *unused) {
    (void)unused;
    stackful.sleepers[stackful.count++] = self();
    park();
}

static void wake_parked(void *unused) {
    (void)unused;
    stackful.resident = resident();
    for (int i = 0; i < stackful.count; i++)
        ready(stackful.sleepers[i]);
}

static void take_turns(void *arg) {
    for (int turns = *(const int *)arg; turns > 0; turns--)
        yield();
}

static void stackful_lives(void) {
    int turns = 0;

    for (int i = 0; i < LIVES; i++)
        check(go("life", take_turns, &turns), "go");
    schedule();
}

static void stackful_switches(void) {
    int turns = SWITCHES / 2;

    for (int i = 0; i < 2; i++)
        check(go("turns", take_turns, &turns), "go");
    schedule();
}

static double stackful_bytes(void) {
    stackful.sleepers = touched(STACKFUL, sizeof(struct task *));
    double before = resident();

    for (int i = 0; i < STACKFUL; i++)
        check(go("sleeper", wait_parked, NULL), "go");
    check(go("waker", wake_parked, NULL), "go");
    schedule();
    free(stackful.sleepers);
    return (stackful.resident - before) / (double)STACKFUL;
}

static void measure_stackful(struct cost *cost) {
    *cost = (struct cost){.model = "stackful task", .tasks = STACKFUL};
    cost->bytes = stackful_bytes();
    cost->life_ns = time_of(stackful_lives, LIVES);
    cost->switch_ns = time_of(stackful_switches, SWITCHES);
}

/* thread: a stack, and one more in the kernel, not seen here */

static struct {
    pthread_t threads[THREADS];
    sem_t arrived, wake, turn[2];
} thread;

/* Starts `count` threads, or as many as there can be: their number. */
static int start_threads(int count, void *(*fn)(void *arg)) {
    for (int i = 0; i < count; i++) {
        errno = pthread_create(&thread.threads[i], NULL, fn, NULL);
        if (errno != 0 && i == 0)
            err(EXIT_FAILURE, "pthread_create");
        if (errno != 0)
            return i;
    }
    return count;
}

static void join_threads(int count) {
    for (int i = 0; i < count; i++)
        pthread_join(thread.threads[i], NULL);
}

static void *wait_for_semaphore(void *unused) {
    sem_post(&thread.arrived);
    sem_wait(&thread.wake);
    return unused;
}

static void *end_at_once(void *unused) { return unused; }

/* One at a time, so that libc can use the stack of the last one again. */
static void thread_lives(void) {
    for (int i = 0; i < LIVES; i++)
        join_threads(start_threads(1, end_at_once));
}

static void *answer(void *unused) {
    for (int i = 0; i < SWITCHES / 2; i++) {
        sem_wait(&thread.turn[0]);
        sem_post(&thread.turn[1]);
    }
    return unused;
}

static void thread_switches(void) {
    start_threads(1, answer);
    for (int i = 0; i < SWITCHES / 2; i++) {
        sem_post(&thread.turn[0]);
        sem_wait(&thread.turn[1]);
    }
    join_threads(1);
}

static double thread_bytes(struct cost *cost) {
    double before = resident();

    cost->tasks = start_threads(THREADS, wait_for_semaphore);
    for (int i = 0; i < cost->tasks; i++)
        sem_wait(&thread.arrived);
    double after = resident();
    for (int i = 0; i < cost->tasks; i++)
        sem_post(&thread.wake);
    join_threads(cost->tasks);
    return (after - before) / cost->tasks;
}

/* Both threads on one processor: a switch, not a message between two. */
static double one_processor(void (*fn)(void), int count) {
    cpu_set_t all, one;
    bool pinned = sched_getaffinity(0, sizeof all, &all) == 0;

    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    pinned = pinned && sched_setaffinity(0, sizeof one, &one) == 0;
    double time = time_of(fn, count);
    if (pinned)
        check(sched_setaffinity(0, sizeof all, &all), "sched_setaffinity");
    return time;
}

static void measure_threads(struct cost *cost) {
    *cost = (struct cost){.model = "thread"};
    sem_init(&thread.arrived, 0, 0);
    sem_init(&thread.wake, 0, 0);
    sem_init(&thread.turn[0], 0, 0);
    sem_init(&thread.turn[1], 0, 0);
    cost->bytes = thread_bytes(cost);
    cost->life_ns = time_of(thread_lives, LIVES);
    cost->switch_ns = one_processor(thread_switches, SWITCHES);
}

void measure_costs(struct cost costs[MODELS]) {
    measure_stackless(&costs[0]);
    measure_stackful(&costs[1]);
    measure_threads(&costs[2]);
}
