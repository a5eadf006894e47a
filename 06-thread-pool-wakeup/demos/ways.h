/*
 * ways.h - the same work in four ways.
 *
 * A piece of work is either an oven to wait for or a dough to knead. An oven is
 * waiting: the thread has nothing to do meanwhile. A dough is computing: the
 * thread has nothing else but that to do.
 */
#ifndef WAYS_H
#define WAYS_H

#include <stdint.h>

struct piece {
    double seconds; /* how long the oven takes */
    uint64_t dough; /* what kneading changes, always in the same way */
};

/*
 * Each function does `count` pieces and returns how many threads the process
 * had meanwhile, as the kernel counts them. What fails ends the program. Only
 * a pool has use for `workers`.
 */
struct way {
    const char *name;
    int (*bake)(struct piece *pieces, int count, int workers);
    int (*knead)(struct piece *pieces, int count, int workers);
};

enum { WAYS = 4 }; /* the first is one after another, the last has threads */

extern const struct way ways[WAYS];

#endif
