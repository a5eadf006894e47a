/*
 * again.c - schedule() without tasks, and one schedule() after another.
 *
 * The ticks count from 1 each time. Tasks of any type share a schedule: each
 * step function gets the state that came with its own go().
 */
#include "check.h"
#include "scheduler.h"

struct counter {
    int from;
    int ticks;
};

static enum step count_down(void *state) {
    struct counter *counter = state;

    counter->ticks++;
    CHECK(tick() == counter->ticks);
    return --counter->from > 0 ? STEP_YIELD : STEP_DONE;
}

static enum step halve(void *state) {
    double *number = state;

    *number /= 2;
    return *number > 1 ? STEP_YIELD : STEP_DONE;
}

static enum step nothing(void *state) {
    CHECK(state == NULL);
    return STEP_DONE;
}

static void run_three(void) {
    struct counter counter = {.from = 3};
    double number = 32;

    CHECK(go("counter", count_down, &counter) == 0);
    CHECK(go("number", halve, &number) == 0);
    CHECK(go("nothing", nothing, NULL) == 0);
    CHECK(schedule() == 5);
    CHECK(counter.from == 0 && counter.ticks == 3);
    CHECK(number == 1);
}

int main(void) {
    CHECK(schedule() == 0);
    run_three();
    CHECK(schedule() == 0);
    run_three();
    return 0;
}
