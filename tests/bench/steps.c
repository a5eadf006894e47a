/*
 * steps.c - chapters 2 and 3: a task that is a struct.
 *
 * Chapter 3 is built with -DCOROUTINES. Its scheduler is chapter 2's.
 */
#define _GNU_SOURCE
#include "bench.h"
#include "scheduler.h"

#ifdef COROUTINES
#include "coroutine.h"

struct turns {
    struct coroutine co;
    int left;
};

static enum step take_turns(void *state) {
    struct turns *turns = state;

    CO_BEGIN(&turns->co);
    for (; turns->left > 0; turns->left--)
        CO_YIELD(&turns->co);
    CO_END(&turns->co);
}
#else
struct turns {
    int left;
};

static enum step take_turns(void *state) {
    struct turns *turns = state;

    return turns->left-- > 0 ? STEP_YIELD : STEP_DONE;
}
#endif

static struct {
    double resident;
    struct turns turns[TASKS_MAX]; /* the state of each task */
} bench;

static void start_tasks(int tasks, int turns) {
    for (int i = 0; i < tasks; i++) {
        bench.turns[i] = (struct turns){.left = turns};
        check(go("task", take_turns, &bench.turns[i]), "go");
    }
}

static void run_tasks(int tasks, int turns) {
    start_tasks(tasks, turns);
    schedule();
}

/* It was started last. In its first tick all the others wait for the second. */
static enum step look(void *unused) {
    (void)unused;
    bench.resident = resident();
    return STEP_DONE;
}

static double wait_for_tick(int *tasks) {
    *tasks = *tasks < TASKS_MAX ? *tasks : TASKS_MAX - 1;
    start_tasks(*tasks, 1);
    check(go("look", look, 0), "go");
    schedule();
    return bench.resident;
}

static const struct model steps = {"step", run_tasks, wait_for_tick};

static void measure_yield(int n) {
    (void)n;
    bench_turn("yield", &steps, 100, 100 * 1000);
}

static void measure_life(int n) {
    (void)n;
    bench_life(&steps, 100, 10 * 1000);
}

static void measure_parked(int n) { bench_memory(&steps, n); }

int main(int argc, char **argv) {
    static const struct measure table[] = {{"yield", measure_yield},
                                           {"life", measure_life},
                                           {"parked", measure_parked},
                                           {0}};

    return bench_main(argc, argv, table);
}
