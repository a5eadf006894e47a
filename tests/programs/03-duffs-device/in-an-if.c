/*
 * in-an-if.c - CO_YIELD and CO_AWAIT are statements like any other.
 *
 * Without braces they are the branch of an if, and an else behind them belongs
 * to the if that one thinks.
 */
#include <stdbool.h>

#include "check.h"
#include "coroutine.h"

struct branch {
    struct coroutine co;
    bool yields;
    bool waits;
    bool open;
    int elses;
};

static enum step take(void *state) {
    struct branch *branch = state;

    CO_BEGIN(&branch->co);
    if (branch->yields)
        CO_YIELD(&branch->co);
    else
        branch->elses++;
    if (branch->waits)
        CO_AWAIT(&branch->co, branch->open);
    else
        branch->elses += 10;
    if (branch->elses == 0)
        CO_AWAIT(&branch->co, !branch->open);
    else
        CO_YIELD(&branch->co);
    CO_END(&branch->co);
}

int main(void) {
    struct branch first = {.yields = true, .waits = true};
    struct branch second = {0};

    CHECK(take(&first) == STEP_YIELD); /* yields */
    CHECK(take(&first) == STEP_YIELD); /* waits until open */
    CHECK(take(&first) == STEP_YIELD);
    first.open = true;
    CHECK(take(&first) == STEP_YIELD); /* waits until closed */
    CHECK(take(&first) == STEP_YIELD);
    first.open = false;
    CHECK(take(&first) == STEP_DONE);
    CHECK(first.elses == 0);

    CHECK(take(&second) == STEP_YIELD); /* the last yield alone */
    CHECK(second.elses == 11);
    CHECK(take(&second) == STEP_DONE);
    CHECK(second.elses == 11);
    return 0;
}
