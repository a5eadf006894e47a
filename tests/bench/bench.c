/* bench.c - what the bench programs share: their rows and their main. */
#define _GNU_SOURCE
#include "bench.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *who;

void bench_row(const char *what, int n, const char *unit, double value) {
    printf("%s\t%s\t%d\t%s\t%.3f\n", what, who, n, unit, value);
}

void bench_turn(const char *what, const struct model *model, int tasks,
                int turns) {
    bench_row(what, tasks, "ns", cost_of_turn(model, tasks, turns));
}

void bench_life(const struct model *model, int tasks, int rounds) {
    bench_row("go and finish", tasks, "ns", cost_of_life(model, tasks, rounds));
}

struct waiting bench_memory(const struct model *model, int tasks) {
    struct waiting waiting = cost_of_waiting(model, tasks);

    bench_row("resident memory of one that waits", waiting.tasks, "bytes",
              waiting.bytes);
    return waiting;
}

void bench_parked(const struct model *model, int tasks) {
    struct waiting waiting = bench_memory(model, tasks);

    bench_row("many at once: create, park, wake, finish one", waiting.tasks,
              "ns", waiting.ns);
}

double bench_cpu(void) { return (double)clock() / CLOCKS_PER_SEC * 1e9; }

int bench_main(int argc, char **argv, const struct measure *table) {
    if (argc != 4)
        errx(2, "usage: %s WHO MEASURE N", argv[0]);
    who = argv[1];
    for (; table->name != NULL; table++)
        if (strcmp(table->name, argv[2]) == 0) {
            table->run(atoi(argv[3]));
            return EXIT_SUCCESS;
        }
    errx(2, "%s: no such measure here", argv[2]);
}
