/* last-tick.c - where the ticks stop; compiled together with scheduler.c. */
#include "scheduler.c"

#include "check.h"

static void skip_to_the_end(void *unused) {
    (void)unused;
    sched.tick = INT_MAX - 1; /* as if so many had been before */
    for (int i = 0; i < 3; i++) {
        yield();
        CHECK(tick() == INT_MAX);
    }
}

int main(void) {
    CHECK(go("task", skip_to_the_end, NULL) == 0);
    CHECK(schedule() == INT_MAX);
    return 0;
}
