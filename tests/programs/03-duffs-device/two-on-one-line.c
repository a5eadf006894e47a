/* two-on-one-line.c - with -DFAULT there are two yields on one line. */
#include "check.h"
#include "coroutine.h"

static enum step twice(void *state) {
    struct coroutine *co = state;

    CO_BEGIN(co);
    /* clang-format off */
#if FAULT == 1
    CO_YIELD(co); CO_YIELD(co);
#elif FAULT == 2
    CO_YIELD(co); CO_AWAIT(co, 1);
#else
    CO_YIELD(co);
    CO_YIELD(co);
#endif
    /* clang-format on */
    CO_END(co);
}

int main(void) {
    struct coroutine co = {0};

    CHECK(twice(&co) == STEP_YIELD);
    CHECK(twice(&co) == STEP_YIELD);
    CHECK(twice(&co) == STEP_DONE);
    return 0;
}
