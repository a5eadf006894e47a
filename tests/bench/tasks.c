/* tasks.c - chapters 4 and 5: turns, lives, and many tasks parked at once. */
#define _GNU_SOURCE
#include "bench.h"
#include "scheduler.h"

enum { TASKS = 100, TURNS = 10 * 1000, ROUNDS = 5 * 1000 };

static struct {
    struct task **sleepers;
    int count;
    double resident;
} bench;

static void take_turns(void *arg) {
    for (int turns = *(const int *)arg; turns > 0; turns--)
        yield();
}

static void run_tasks(int turns) {
    for (int i = 0; i < TASKS; i++)
        bench_check(go("task", take_turns, &turns), "go");
    schedule();
}

static void measure_yield(int n) {
    (void)n;
    run_tasks(1);
    double start = bench_clock();
    run_tasks(TURNS);
    bench_row("yield", TASKS, "ns",
              (bench_clock() - start) / (double)(TASKS * TURNS));
}

/* But for the first round, every task is one that has lived before. */
static void measure_life(int n) {
    (void)n;
    double start = bench_clock();
    for (int i = 0; i < ROUNDS; i++)
        run_tasks(0);
    bench_row("go and finish", TASKS, "ns",
              (bench_clock() - start) / (double)(TASKS * ROUNDS));
}

static void sleep_parked(void *unused) {
    (void)unused;
    bench.sleepers[bench.count++] = self();
    park();
}

/* The last in the queue, so all the others are parked. */
static void wake_all(void *unused) {
    (void)unused;
    bench.resident = bench_resident();
    for (int i = 0; i < bench.count; i++)
        ready(bench.sleepers[i]);
}

static void measure_parked(int n) {
    bench.sleepers = bench_memory(n, sizeof(struct task *));
    double before = bench_resident(), start = bench_clock();

    for (int i = 0; i < n; i++)
        bench_check(go("sleeper", sleep_parked, 0), "go");
    bench_check(go("waker", wake_all, 0), "go");
    schedule();
    double took = bench_clock() - start;
    bench_row("resident memory of one that waits", n, "bytes",
              (bench.resident - before) / n);
    bench_row("many at once: create, park, wake, finish one", n, "ns",
              took / n);
}

int main(int argc, char **argv) {
    static const struct measure table[] = {{"yield", measure_yield},
                                           {"life", measure_life},
                                           {"parked", measure_parked},
                                           {0}};

    return bench_main(argc, argv, table);
}
