/* costs.c - times and memory of a model, divided by how many there were. */
#define _GNU_SOURCE
#include "costs.h"

#include <err.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void check(int result, const char *what) {
    if (result == -1)
        err(EXIT_FAILURE, "%s", what);
}

double nanoseconds(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* proc(5): the second number in statm is the resident pages. */
double resident(void) {
    FILE *statm = fopen("/proc/self/statm", "r");
    long pages;

    if (statm == NULL || fscanf(statm, "%*d %ld", &pages) != 1)
        err(EXIT_FAILURE, "/proc/self/statm");
    fclose(statm);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

struct waiting cost_of_waiting(const struct model *model, int tasks) {
    resident(); /* the first call adds the buffers of stdio */
    double before = resident(), start = nanoseconds();
    double meanwhile = model->wait(&tasks);
    double took = nanoseconds() - start;

    return (struct waiting){tasks, (meanwhile - before) / tasks, took / tasks};
}

/* Threads on two processors would not switch: both would run all the time. */
double cost_of_turn(const struct model *model, int tasks, int turns) {
    cpu_set_t all, one;
    bool pinned = sched_getaffinity(0, sizeof all, &all) == 0;

    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    pinned = pinned && sched_setaffinity(0, sizeof one, &one) == 0;
    model->run(tasks, 1); /* leaves stacks that can be used again */
    double start = nanoseconds();
    model->run(tasks, turns);
    double took = nanoseconds() - start;
    if (pinned)
        check(sched_setaffinity(0, sizeof all, &all), "sched_setaffinity");
    return took / tasks / turns;
}

double cost_of_life(const struct model *model, int tasks, int rounds) {
    double start = nanoseconds();

    for (int round = 0; round < rounds; round++)
        model->run(tasks, 0);
    return (nanoseconds() - start) / tasks / rounds;
}
