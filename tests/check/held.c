/*
 * held.c - what only main() and tasks that have not ended point to is no leak.
 *
 * It builds with chapters 4, 5 and 6, for AddressSanitizer to find nothing.
 */
#include "check.h"
#include "scheduler.h"

enum { TASKS = 50 };

static char *volatile kept;

static char *allocate(void) {
    char *memory = malloc(33);

    CHECK(memory != NULL);
    return memory;
}

static void hold(void *arg) {
    char *mine = allocate();

    park();
    kept = mine;
    kept = arg;
}

static void end(void *unused) {
    (void)unused;
    for (int i = 0; i < TASKS; i++)
        CHECK(go("unborn", hold, allocate()) == 0);
    exit(0);
}

int main(void) {
    char *volatile mine = allocate();

    for (int i = 0; i < TASKS; i++)
        CHECK(go("holder", hold, allocate()) == 0);
    CHECK(go("end", end, NULL) == 0);
    schedule();
    kept = mine;
    return 1;
}
