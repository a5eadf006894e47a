/* costs.h - what one task costs that does nothing but wait, in three models. */
#ifndef COSTS_H
#define COSTS_H

struct cost {
    const char *model;
    int tasks;        /* that waited at once for `bytes` */
    double bytes;     /* of resident memory, for each of them */
    double life_ns;   /* to create and to finish one */
    double switch_ns; /* from one to the next */
};

enum { MODELS = 3 }; /* stackless, stackful, thread */

/* Measures, which takes about a second; a failure ends the program. */
void measure_costs(struct cost costs[MODELS]);

#endif
