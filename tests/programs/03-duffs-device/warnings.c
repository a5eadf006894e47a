/*
 * warnings.c - user code of every shape, compiled with every common warning.
 *
 * The macros must not bring a warning into it: no fall-through, no unused label
 * or function, no pedantry.
 */
#include <stdbool.h>

#include "coroutine.h"

struct shapes {
    struct coroutine co;
    long i;
    bool open;
};

static enum step empty(void *state) {
    struct shapes *shapes = state;
#ifdef UNUSED_VARIABLE
    int unused;
#endif

    CO_BEGIN(&shapes->co);
    CO_END(&shapes->co);
}

static enum step only_yields(void *state) {
    struct shapes *shapes = state;

    CO_BEGIN(&shapes->co);
    CO_YIELD(&shapes->co);
    CO_AWAIT(&shapes->co, shapes->open);
    CO_END(&shapes->co);
}

static enum step loops(void *state) {
    struct shapes *shapes = state;

    CO_BEGIN(&shapes->co);
    for (shapes->i = 0; shapes->i < 3; shapes->i++)
        CO_YIELD(&shapes->co);
    while (!shapes->open) {
        if (shapes->i > 5)
            CO_YIELD(&shapes->co);
        else
            CO_AWAIT(&shapes->co, shapes->i > 2);
        shapes->open = true;
    }
    do
        CO_YIELD(&shapes->co);
    while (shapes->i-- > 0);
    CO_END(&shapes->co);
}

static enum step with_switch(void *state) {
    struct shapes *shapes = state;

    CO_BEGIN(&shapes->co);
    CO_YIELD(&shapes->co);
    switch (shapes->i) {
    case 1:
        shapes->open = true;
        break;
    default:
        shapes->open = false;
    }
    CO_YIELD(&shapes->co);
    CO_END(&shapes->co);
}

static enum step for_ever(void *state) {
    struct shapes *shapes = state;

    CO_BEGIN(&shapes->co);
    for (;;) {
        shapes->i++;
        CO_YIELD(&shapes->co);
    }
    CO_END(&shapes->co);
}

int main(void) {
    struct shapes shapes[5] = {{.i = 0}};

    empty(&shapes[0]);
    only_yields(&shapes[1]);
    loops(&shapes[2]);
    with_switch(&shapes[3]);
    for_ever(&shapes[4]);
    return shapes[4].i == 1 ? 0 : 1;
}
