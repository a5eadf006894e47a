/*
 * finished.c - a finished coroutine stays finished, until it is zeroed.
 *
 * Each later call answers STEP_DONE and runs nothing of the body.
 */
#include "check.h"
#include "coroutine.h"

struct once {
    struct coroutine co;
    int starts;
    int ends;
};

static enum step run_once(void *state) {
    struct once *once = state;

    CO_BEGIN(&once->co);
    once->starts++;
    CO_YIELD(&once->co);
    once->ends++;
    CO_END(&once->co);
}

static enum step never_yields(void *state) {
    struct once *once = state;

    CO_BEGIN(&once->co);
    once->starts++;
    CO_END(&once->co);
}

int main(void) {
    struct once once = {.starts = 0};
    struct once short_one = {.starts = 0};

    for (int round = 1; round <= 2; round++) {
        once.co = (struct coroutine){0};
        CHECK(run_once(&once) == STEP_YIELD);
        CHECK(run_once(&once) == STEP_DONE);
        for (int again = 0; again < 5; again++)
            CHECK(run_once(&once) == STEP_DONE);
        CHECK(once.starts == round && once.ends == round);
    }
    for (int again = 0; again < 5; again++)
        CHECK(never_yields(&short_one) == STEP_DONE);
    CHECK(short_one.starts == 1);
    return 0;
}
