/* last-tick.c - where the ticks stop; compiled together with scheduler.c. */
#include "scheduler.c"

#include "check.h"

static enum step skip_to_the_end(void *state) {
    int *turns = state;

    if (++*turns == 1)
        sched.tick = INT_MAX - 1; /* as if so many had been before */
    else
        CHECK(tick() == INT_MAX);
    return *turns < 4 ? STEP_YIELD : STEP_DONE;
}

int main(void) {
    int turns = 0;

    CHECK(go("task", skip_to_the_end, &turns) == 0);
    CHECK(schedule() == INT_MAX && turns == 4);
    return 0;
}
