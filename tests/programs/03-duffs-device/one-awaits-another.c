/*
 * one-awaits-another.c - a coroutine steps another until that one is done.
 *
 * The inner one has one step in each turn of the outer one, and the outer one
 * goes on in the turn in which the inner one ends. So it is with a third level.
 */
#include "check.h"
#include "coroutine.h"
#include "scheduler.h"

struct inner {
    struct coroutine co;
    int i;
    int steps;
};

struct outer {
    struct coroutine co;
    struct inner inner;
    int rounds;
    int finished_at; /* tick */
};

static enum step inner_step(void *state) {
    struct inner *inner = state;

    inner->steps++;
    CO_BEGIN(&inner->co);
    for (inner->i = 0; inner->i < 3; inner->i++)
        CO_YIELD(&inner->co);
    CO_END(&inner->co);
}

static enum step outer_step(void *state) {
    struct outer *outer = state;

    CO_BEGIN(&outer->co);
    while (outer->rounds < 2) {
        outer->inner = (struct inner){.steps = outer->inner.steps};
        CO_AWAIT(&outer->co, inner_step(&outer->inner) == STEP_DONE);
        CHECK(outer->inner.i == 3);
        outer->rounds++;
    }
    outer->finished_at = tick();
    CO_END(&outer->co);
}

struct top {
    struct coroutine co;
    struct outer outer;
};

static enum step top_step(void *state) {
    struct top *top = state;

    CO_BEGIN(&top->co);
    CO_AWAIT(&top->co, outer_step(&top->outer) == STEP_DONE);
    CHECK(top->outer.finished_at == tick());
    CO_YIELD(&top->co);
    CO_END(&top->co);
}

int main(void) {
    struct top top = {.outer.finished_at = 0};

    /* Two rounds of four steps, where the second begins as the first ends. */
    CHECK(go("top", top_step, &top) == 0);
    CHECK(schedule() == 8);
    CHECK(top.outer.finished_at == 7);
    CHECK(top.outer.inner.steps == 8);
    return 0;
}
