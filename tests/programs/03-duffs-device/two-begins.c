/*
 * two-begins.c - with -DFAULT a function begins twice: one behind the other, or
 * one inside the other.
 */
#include "check.h"
#include "coroutine.h"

static enum step step(void *state) {
    struct coroutine *co = state;

#if FAULT == 1
    CO_BEGIN(co);
    CO_YIELD(co);
    CO_END(co);
#endif
    CO_BEGIN(co);
    CO_YIELD(co);
#if FAULT == 2
    CO_BEGIN(co);
    CO_YIELD(co);
    CO_END(co);
#endif
    CO_END(co);
}

int main(void) {
    struct coroutine co = {0};

    CHECK(step(&co) == STEP_YIELD);
    CHECK(step(&co) == STEP_DONE);
    return 0;
}
