/*
 * recursion.c - forty frames of 1 KiB deep, in a hundred tasks at once.
 *
 * Each yields on the way down and up, so all of their stacks are full at the
 * same time, and each finds its own bytes again.
 */
#include <string.h>

#include "check.h"
#include "scheduler.h"

enum { TASKS = 100, DEPTH = 40, FRAME = 1024 };

static int deep; /* how many are at their bottom now */

/* Returns how many bytes on the way were as they had been left. */
static int descend(int depth, int mark) {
    volatile char frame[FRAME];
    int found = 0;

    for (int i = 0; i < FRAME; i++)
        frame[i] = (char)(mark + depth + i);
    yield();
    if (depth > 1) {
        found = descend(depth - 1, mark);
    } else {
        deep++;
        yield();
        CHECK(deep == TASKS);
    }
    yield();
    for (int i = 0; i < FRAME; i++)
        found += frame[i] == (char)(mark + depth + i);
    return found;
}

static void dive(void *arg) {
    int *mark = arg;

    CHECK(descend(DEPTH, *mark) == DEPTH * FRAME);
    *mark = -1;
}

int main(void) {
    static int marks[TASKS];

    for (int i = 0; i < TASKS; i++) {
        marks[i] = i;
        CHECK(go("diver", dive, &marks[i]) == 0);
    }
    CHECK(schedule() == 2 * DEPTH + 2);
    for (int i = 0; i < TASKS; i++)
        CHECK(marks[i] == -1);
    return 0;
}
