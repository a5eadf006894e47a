/*
 * instances.c - two coroutines of the same function know nothing of each other.
 *
 * They are stepped in turn, at different speeds, and one ends before the other.
 */
#include "check.h"
#include "coroutine.h"

struct count {
    struct coroutine co;
    int i;
    int limit;
};

static enum step count_step(void *state) {
    struct count *count = state;

    CO_BEGIN(&count->co);
    for (count->i = 0; count->i < count->limit; count->i++)
        CO_YIELD(&count->co);
    CO_END(&count->co);
}

int main(void) {
    struct count slow = {.limit = 2};
    struct count fast = {.limit = 100};

    CHECK(count_step(&slow) == STEP_YIELD);
    for (int turn = 0; turn < 50; turn++)
        CHECK(count_step(&fast) == STEP_YIELD);
    CHECK(slow.i == 0 && fast.i == 49);
    CHECK(count_step(&slow) == STEP_YIELD);
    CHECK(count_step(&slow) == STEP_DONE);
    CHECK(count_step(&fast) == STEP_YIELD);
    CHECK(slow.i == 2 && fast.i == 50);

    struct count copy = fast; /* a coroutine is its struct, and no more */
    CHECK(count_step(&copy) == STEP_YIELD);
    CHECK(fast.i == 50 && copy.i == 51);
    return 0;
}
