/*
 * costs.h - what one task costs: while it waits, for a turn, for a life.
 *
 * The demo compare measures three kinds of task with it, and `make bench` the
 * tasks of every chapter. Whatever fails ends the program with a line on
 * stderr.
 */
#ifndef COSTS_H
#define COSTS_H

/* A kind of task. */
struct model {
    const char *name;

    /* Runs tasks to their end; each gives up its turn so many times. */
    void (*run)(int tasks, int turns);

    /*
     * Starts tasks that wait. When all of them wait it calls resident(), then
     * it wakes them, and it returns that figure when they are finished. If the
     * system has room for fewer tasks, it sets *tasks to their number.
     */
    double (*wait)(int *tasks);
};

/* costs.c */

struct waiting {
    int tasks;    /* that waited at once */
    double bytes; /* of resident memory, for one of them */
    double ns;    /* to create, park, wake and finish one of them */
};

struct waiting cost_of_waiting(const struct model *model, int tasks);

/* Nanoseconds for a task to give up its turn to the next, on one processor. */
double cost_of_turn(const struct model *model, int tasks, int turns);

/* Nanoseconds to create and finish a task; in each round so many live. */
double cost_of_life(const struct model *model, int tasks, int rounds);

/* The time, from any start. */
double nanoseconds(void);

/* Bytes of this process that are in memory. */
double resident(void);

/* Ends the program if the result of `what` is -1; errno says why. */
void check(int result, const char *what);

/* models.c: up to 100,000 stackless tasks and 10,000 threads */

extern const struct model stackless_model, stackful_model, thread_model;

/*
 * Starts threads that run fn. Returns how many the system had room for, at
 * least one. Only the functions of models.c can use the argument.
 */
int start_threads(int count, void *(*fn)(void *thread));

/* Waits until the first `count` threads have ended. */
void join_threads(int count);

#endif
