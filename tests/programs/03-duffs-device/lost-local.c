/*
 * lost-local.c - the ground rule about local variables, by the same sum twice.
 *
 * A step function returns at each yield, so its local is a new one in the next
 * call, 0 again. What is in the struct is still there.
 */
#include "check.h"
#include "coroutine.h"

struct adder {
    struct coroutine co;
    int i;
    int sum;
    int local_sum; /* what the local said at the end */
};

static enum step add(void *state) {
    struct adder *adder = state;
    int sum = 0;

    CO_BEGIN(&adder->co);
    for (adder->i = 1; adder->i <= 4; adder->i++) {
        sum += adder->i;
        adder->sum += adder->i;
        CO_YIELD(&adder->co);
    }
    adder->local_sum = sum;
    CO_END(&adder->co);
}

int main(void) {
    struct adder adder = {.local_sum = -1};

    for (int turn = 0; turn < 4; turn++)
        CHECK(add(&adder) == STEP_YIELD);
    CHECK(add(&adder) == STEP_DONE);
    CHECK(adder.sum == 10);
    CHECK(adder.local_sum == 0); /* lost */
    return 0;
}
