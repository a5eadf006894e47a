/*
 * backtrace.c - a backtrace from a task ends at its first frame.
 *
 *   ./backtrace unwind   as backtrace(3) finds its way, by unwind information
 *   ./backtrace chain    by frame pointers: build it -fno-omit-frame-pointer
 */
#include <execinfo.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "scheduler.h"

enum { MOST = 64, FEW = 10 };

static void unwind(void *unused) {
    void *frames[MOST];
    int count = backtrace(frames, MOST);

    (void)unused;
    CHECK(count >= 3 && count <= FEW); /* this one, run(), trampoline() */
}

static void follow_chain(void *unused) {
    void **frame = __builtin_frame_address(0);
    int count = 0;

    (void)unused;
    for (; frame != NULL; frame = *frame)
        CHECK(++count <= FEW);
    CHECK(count >= 3);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    bool chain = strcmp(argv[1], "chain") == 0;
    CHECK(go("task", chain ? follow_chain : unwind, NULL) == 0);
    schedule();
    return 0;
}
