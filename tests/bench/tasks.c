/* tasks.c - chapters 4 and 5: turns, lives, and many tasks parked at once. */
#define _GNU_SOURCE
#include "bench.h"

static void measure_yield(int n) {
    (void)n;
    bench_turn("yield", &stackful_model, 100, 10 * 1000);
}

static void measure_life(int n) {
    (void)n;
    bench_life(&stackful_model, 100, 5 * 1000);
}

static void measure_parked(int n) { bench_parked(&stackful_model, n); }

int main(int argc, char **argv) {
    static const struct measure table[] = {{"yield", measure_yield},
                                           {"life", measure_life},
                                           {"parked", measure_parked},
                                           {0}};

    return bench_main(argc, argv, table);
}
