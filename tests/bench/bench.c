/* bench.c - what the bench programs share: clocks, memory, and their main. */
#define _GNU_SOURCE
#include "bench.h"

#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *who;

void bench_row(const char *what, int n, const char *unit, double value) {
    printf("%s\t%s\t%d\t%s\t%.3f\n", what, who, n, unit, value);
}

void bench_check(int result, const char *what) {
    if (result == -1)
        err(EXIT_FAILURE, "%s: %s", who, what);
}

static double clock_of(clockid_t id) {
    struct timespec time;

    clock_gettime(id, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double bench_clock(void) { return clock_of(CLOCK_MONOTONIC); }

double bench_cpu(void) { return clock_of(CLOCK_PROCESS_CPUTIME_ID); }

/* proc(5): the second number in statm is the resident pages. */
double bench_resident(void) {
    FILE *statm = fopen("/proc/self/statm", "r");
    long pages;

    if (statm == NULL || fscanf(statm, "%*d %ld", &pages) != 1)
        err(EXIT_FAILURE, "/proc/self/statm");
    fclose(statm);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

void *bench_memory(int count, unsigned long size) {
    char *memory = malloc((size_t)count * size);

    if (memory == NULL)
        err(EXIT_FAILURE, "malloc");
    for (size_t i = 0; i < (size_t)count * size; i++)
        ((volatile char *)memory)[i] =
            0; /* calloc() would leave it for later */
    return memory;
}

void bench_pin(void) {
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    bench_check(sched_setaffinity(0, sizeof one, &one), "sched_setaffinity");
}

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
