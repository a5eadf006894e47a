/*
 * bench.h - for the programs that make bench runs: PROGRAM WHO MEASURE N
 *
 * One run takes one sample of one measure and prints it. .make/bench repeats
 * the runs, each in a fresh process, and makes a table of them.
 */
#ifndef BENCH_H
#define BENCH_H

struct measure {
    const char *name;
    void (*run)(int n); /* prints rows; a failure ends the program */
};

/* Runs the measure that argv names. The table ends with {0}. */
int bench_main(int argc, char **argv, const struct measure *table);

/* Prints a row: what was measured, of how many, and what came out. */
void bench_row(const char *what, int n, const char *unit, double value);

/* Ends the program if the result of `what` is -1. */
void bench_check(int result, const char *what);

/* Nanoseconds: that have passed, and that this process had a processor for. */
double bench_clock(void);
double bench_cpu(void);

/* Bytes of this process that are in memory. */
double bench_resident(void);

/* `count` zeroed things, every page of them in memory already. */
void *bench_memory(int count, unsigned long size);

/* From here on the process uses one processor alone. */
void bench_pin(void);

#endif
