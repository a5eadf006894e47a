/* misuse.c - breaks the promise that the argument names; must not survive. */
#include <string.h>

#include "check.h"
#include "scheduler.h"

static void schedule_inside(void *unused) {
    (void)unused;
    schedule();
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    if (strcmp(argv[1], "park") == 0)
        park();
    if (strcmp(argv[1], "yield") == 0)
        yield();
    CHECK(go("nested", schedule_inside, NULL) == 0);
    schedule();
    return 0;
}
