/* random.h - numbers that are the same each time for the same seed. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

#include "check.h"

static uint64_t random_state;

/* The seed is argv[1]; it is printed, so that a failure can be had again. */
static inline void random_seed(int argc, char **argv) {
    CHECK(argc > 1);
    random_state = strtoull(argv[1], NULL, 10);
    printf("seed %llu\n", (unsigned long long)random_state);
    fflush(stdout);
}

/* From 0 to n - 1: the upper bits of a linear congruential generator. */
static inline int random_below(int n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

#endif
