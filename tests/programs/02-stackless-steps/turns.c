/*
 * turns.c - six tasks that live for different numbers of ticks.
 *
 * In each tick every task that is not done has one turn, first in, first out.
 */
#include <string.h>

#include "check.h"
#include "scheduler.h"

struct life {
    char letter;
    int turns; /* that are left */
};

static char log_line[64];

static enum step live(void *state) {
    struct life *life = state;
    size_t length = strlen(log_line);

    CHECK(life->turns > 0);
    CHECK(length + 3 < sizeof log_line);
    log_line[length] = (char)('0' + tick());
    log_line[length + 1] = life->letter;
    return --life->turns > 0 ? STEP_YIELD : STEP_DONE;
}

int main(void) {
    struct life lives[] = {{'a', 2}, {'b', 1}, {'c', 4},
                           {'d', 1}, {'e', 1}, {'f', 3}};

    CHECK(tick() == 0);
    for (int i = 0; i < 6; i++)
        CHECK(go("life", live, &lives[i]) == 0);
    CHECK(log_line[0] == '\0'); /* go() itself gives nobody a turn */
    CHECK(schedule() == 4);
    CHECK(strcmp(log_line, "1a1b1c1d1e1f"
                           "2a2c2f"
                           "3c3f"
                           "4c") == 0);
    return 0;
}
