/*
 * bench.h - for the programs that make bench runs: PROGRAM WHO MEASURE N
 *
 * One run takes one sample of one measure and prints it. .make/bench repeats
 * the runs, each in a fresh process, and makes a table of them.
 */
#ifndef BENCH_H
#define BENCH_H

#include "costs.h"

struct measure {
    const char *name;
    void (*run)(int n); /* prints rows; a failure ends the program */
};

/* Runs the measure that argv names. The table ends with {0}. */
int bench_main(int argc, char **argv, const struct measure *table);

/* Prints a row: what was measured, of how many, and what came out. */
void bench_row(const char *what, int n, const char *unit, double value);

/* Print a row with the cost that costs.h calls by that name. */
void bench_turn(const char *what, const struct model *model, int tasks,
                int turns);
void bench_life(const struct model *model, int tasks, int rounds);

/* Prints a row with the memory of a task that waits, and returns its cost. */
struct waiting bench_memory(const struct model *model, int tasks);

/* Prints a second row with the time for all that it does. */
void bench_parked(const struct model *model, int tasks);

/* Nanoseconds that this process had a processor for. */
double bench_cpu(void);

#endif
