/*
 * schedule-in-a-step.c - a broken promise: the second turn calls schedule().
 *
 * The line that ends the program names the task as it is called then, not as it
 * was at its go(): the name is kept, not copied.
 */
#include <string.h>

#include "check.h"
#include "scheduler.h"

static char name[] = "apprentice";

static enum step calls_schedule(void *state) {
    (void)state;
    if (tick() == 1) {
        memcpy(name, "journeyman", sizeof name);
        return STEP_YIELD;
    }
    schedule();
    CHECK(0 && "schedule() must not return here");
    return STEP_DONE;
}

static enum step leaves(void *state) {
    (void)state;
    return STEP_DONE;
}

int main(void) {
    CHECK(go("leaves", leaves, NULL) == 0);
    CHECK(go(name, calls_schedule, NULL) == 0);
    CHECK(go("another", leaves, NULL) == 0);
    schedule();
    return 0;
}
