/*
 * capacity.c - TASKS_MAX unfinished tasks fit, and then go() says EAGAIN.
 *
 * A place is free again as soon as a task is done, also for a go() later in the
 * same tick. Everybody who was there before goes on.
 */
#include <errno.h>

#include "check.h"
#include "scheduler.h"

static struct {
    int turns;
    int late_turns;
} sum;

static enum step two_turns(void *state) {
    int *turns = state;

    sum.turns++;
    return ++*turns < 2 ? STEP_YIELD : STEP_DONE;
}

static enum step late(void *state) {
    (void)state;
    sum.late_turns++;
    CHECK(tick() == 2);
    return STEP_DONE;
}

static enum step one_turn(void *state) {
    (void)state;
    errno = 0;
    CHECK(go("late", late, NULL) == -1); /* it is not done yet itself */
    CHECK(errno == EAGAIN);
    return STEP_DONE;
}

/* Behind one_turn() in the same tick: there is one place. */
static enum step takes_the_place(void *state) {
    (void)state;
    CHECK(go("late", late, NULL) == 0);
    errno = 0;
    CHECK(go("later", late, NULL) == -1);
    CHECK(errno == EAGAIN);
    return STEP_DONE;
}

static void fill_and_run(void) {
    static int turns[TASKS_MAX];

    sum.turns = 0;
    sum.late_turns = 0;
    CHECK(go("one turn", one_turn, NULL) == 0);
    CHECK(go("takes the place", takes_the_place, NULL) == 0);
    for (int i = 2; i < TASKS_MAX; i++) {
        turns[i] = 0;
        CHECK(go("two turns", two_turns, &turns[i]) == 0);
    }
    for (int i = 0; i < 3; i++) {
        errno = 0;
        CHECK(go("too many", late, NULL) == -1);
        CHECK(errno == EAGAIN);
    }
    CHECK(schedule() == 2);
    CHECK(sum.turns == 2 * (TASKS_MAX - 2));
    CHECK(sum.late_turns == 1);
}

int main(void) {
    fill_and_run();
    fill_and_run(); /* every place is free again */
    return 0;
}
