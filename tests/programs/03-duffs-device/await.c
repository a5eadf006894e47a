/*
 * await.c - CO_AWAIT looks at its condition once per turn.
 *
 * A condition that holds already costs no turn, and one that holds later is not
 * looked at again once it did.
 */
#include <stdbool.h>

#include "check.h"
#include "coroutine.h"
#include "scheduler.h"

struct waiter {
    struct coroutine co;
    int looks;
    int true_from; /* this look on */
    int passed_at; /* tick */
};

static bool look(struct waiter *waiter) {
    waiter->looks++;
    return waiter->looks >= waiter->true_from;
}

static enum step wait_for_it(void *state) {
    struct waiter *waiter = state;

    CO_BEGIN(&waiter->co);
    CO_AWAIT(&waiter->co, look(waiter));
    waiter->passed_at = tick();
    CO_END(&waiter->co);
}

static enum step wait_for_nothing(void *state) {
    struct coroutine *co = state;

    CO_BEGIN(co);
    CO_AWAIT(co, true);
    CO_AWAIT(co, 1 || 0); /* the condition is one expression, not two */
    CO_END(co);
}

int main(void) {
    struct waiter at_once = {.true_from = 1};
    struct waiter later = {.true_from = 4};
    struct coroutine co = {0};

    CHECK(wait_for_nothing(&co) == STEP_DONE);
    CHECK(go("at once", wait_for_it, &at_once) == 0);
    CHECK(go("later", wait_for_it, &later) == 0);
    CHECK(schedule() == 4);
    CHECK(at_once.looks == 1 && at_once.passed_at == 1);
    CHECK(later.looks == 4 && later.passed_at == 4);
    return 0;
}
