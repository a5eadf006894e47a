/*
 * started-meanwhile.c - tasks start others and finish while the list is walked.
 *
 * `first` starts `early` before it finishes in the same turn; `last` starts
 * `late` in the last turn of the tick. Nobody may be skipped or have two turns.
 */
#include <string.h>

#include "check.h"
#include "scheduler.h"

static char log_line[64];

static void note(char letter) {
    size_t length = strlen(log_line);

    CHECK(length + 3 < sizeof log_line);
    log_line[length] = (char)('0' + tick());
    log_line[length + 1] = letter;
}

static enum step once(void *state) {
    note(*(const char *)state);
    return STEP_DONE;
}

static enum step first(void *state) {
    (void)state;
    note('f');
    CHECK(go("early", once, "e") == 0);
    return STEP_DONE;
}

static enum step middle(void *state) {
    int *turns = state;

    note('m');
    return --*turns > 0 ? STEP_YIELD : STEP_DONE;
}

static enum step last(void *state) {
    (void)state;
    note('l');
    CHECK(go("late", once, "t") == 0);
    return STEP_DONE;
}

int main(void) {
    int turns = 2;

    CHECK(go("first", first, NULL) == 0);
    CHECK(go("middle", middle, &turns) == 0);
    CHECK(go("last", last, NULL) == 0);
    CHECK(schedule() == 2);
    CHECK(strcmp(log_line, "1f1m1l"
                           "2e2m2t") == 0);
    return 0;
}
