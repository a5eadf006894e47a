/*
 * ways.h - the same work in four ways.
 *
 * A piece of work is either an oven to wait for or a dough to knead. During an
 * oven the thread has nothing to do. During a dough it computes all the time.
 */
#ifndef WAYS_H
#define WAYS_H

#include <stdbool.h>
#include <stdint.h>

struct piece {
    double seconds; /* how long the oven takes */
    uint64_t dough; /* what kneading changes, always in the same way */
};

/* Each function does `count` pieces. What fails ends the program. */
struct way {
    const char *name;
    bool pool; /* needs pool_start() before, and pool_stop() after it */
    void (*bake)(struct piece *pieces, int count);
    void (*knead)(struct piece *pieces, int count);
};

enum { WAYS = 4 }; /* the first is one after another, the last has threads */

extern const struct way ways[WAYS];

#endif
