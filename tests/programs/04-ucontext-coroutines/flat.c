/*
 * flat.c - a hundred thousand tasks, and what is left of them.
 *
 *   ./flat turns   one after the other, each with a schedule() of its own
 *   ./flat chain   each starts the next one, and ends
 *   ./flat rounds  a hundred at once, and again
 *
 * Resident memory and the number of mappings must be what they were after the
 * first few.
 */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "scheduler.h"

enum { TASKS = 100 * 1000, AT_ONCE = 100, SLACK = 256 * 1024 };

static int ended;

/* Uses some of its stack, and lets others in between. */
static void work(void *unused) {
    volatile char frame[8 * 1024];

    (void)unused;
    for (size_t i = 0; i < sizeof frame; i += 512)
        frame[i] = 1;
    yield();
    ended++;
}

static void work_and_start(void *arg) {
    int *left = arg;

    work(NULL);
    if (--*left > 0)
        CHECK(go("next", work_and_start, left) == 0);
}

static void run(const char *how, int tasks) {
    if (strcmp(how, "chain") == 0) {
        int left = tasks;
        CHECK(go("first", work_and_start, &left) == 0);
        schedule();
        return;
    }
    int at_once = strcmp(how, "rounds") == 0 ? AT_ONCE : 1;
    for (int i = 0; i < tasks; i += at_once) {
        for (int j = 0; j < at_once; j++)
            CHECK(go("worker", work, NULL) == 0);
        CHECK(schedule() == 2);
    }
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    resident(); /* what stdio needs for it is there from now on */
    mappings();
    run(argv[1], 10 * AT_ONCE);
    long resident_before = resident(), mappings_before = mappings();
    run(argv[1], TASKS);
    CHECK(ended == TASKS + 10 * AT_ONCE);
    printf("%ld bytes and %ld mappings more\n", resident() - resident_before,
           mappings() - mappings_before);
    CHECK(resident() <= resident_before + SLACK);
    CHECK(mappings() <= mappings_before + 1);
    return 0;
}
