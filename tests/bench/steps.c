/* steps.c - chapter 2: what a step costs, and a task that is a struct. */
#define _GNU_SOURCE
#include "bench.h"
#include "scheduler.h"

enum { TASKS = 100, TURNS = 100 * 1000, ROUNDS = 10 * 1000 };

static struct {
    double resident;
    int turns[TASKS_MAX]; /* the state of each task */
} bench;

static enum step take_turns(void *state) {
    int *turns = state;

    return --*turns > 0 ? STEP_YIELD : STEP_DONE;
}

static void run_tasks(int turns) {
    for (int i = 0; i < TASKS; i++) {
        bench.turns[i] = turns;
        bench_check(go("task", take_turns, &bench.turns[i]), "go");
    }
    schedule();
}

static void measure_yield(int n) {
    (void)n;
    double start = bench_clock();
    run_tasks(TURNS);
    bench_row("yield", TASKS, "ns",
              (bench_clock() - start) / (double)(TASKS * TURNS));
}

static void measure_life(int n) {
    (void)n;
    double start = bench_clock();
    for (int i = 0; i < ROUNDS; i++)
        run_tasks(1);
    bench_row("go and finish", TASKS, "ns",
              (bench_clock() - start) / (double)(TASKS * ROUNDS));
}

/* The last task looks, in the first tick, at all that wait for the second. */
static enum step look(void *unused) {
    (void)unused;
    bench.resident = bench_resident();
    return STEP_DONE;
}

static void measure_parked(int n) {
    int tasks = n < TASKS_MAX ? n : TASKS_MAX - 1;
    double before = bench_resident();

    for (int i = 0; i < tasks; i++) {
        bench.turns[i] = 2;
        bench_check(go("task", take_turns, &bench.turns[i]), "go");
    }
    bench_check(go("look", look, 0), "go");
    schedule();
    bench_row("resident memory of one that waits", tasks, "bytes",
              (bench.resident - before) / tasks);
}

int main(int argc, char **argv) {
    static const struct measure table[] = {{"yield", measure_yield},
                                           {"life", measure_life},
                                           {"parked", measure_parked},
                                           {0}};

    bench_resident(); /* what stdio needs is there from now on */
    return bench_main(argc, argv, table);
}
