/*
 * overflow.c - a task runs off its stack; its neighbours look on.
 *
 *   ./overflow steps     by a call in a call in a call
 *   ./overflow leap      by one frame that is larger than the guard
 *   ./overflow recycled  on a stack that another task has used before
 *
 * A second argument, any, makes the kernel one without MADV_GUARD_INSTALL. Must
 * end with one line on stderr; on stdout stands what is left of the neighbours.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

#include "check.h"
#include "old-kernel.h"
#include "scheduler.h"

enum { DOUGH = 50 * 1024, LEAP = 100 * 1024 };

static volatile char *dough[2]; /* on the neighbours' stacks */
static struct sigaction runtime;

/* Comes before the handler that prints the line. */
static void look_at_neighbours(int signal, siginfo_t *info, void *context) {
    int whole = 0;

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < DOUGH; j++)
            whole += dough[i][j] == 'a' + i;
    printf("%d of %d bytes are whole\n", whole, 2 * DOUGH);
    fflush(stdout);
    runtime.sa_sigaction(signal, info, context);
}

static void wait_beside(void *arg) {
    int which = *(const int *)arg;
    volatile char mine[DOUGH];

    for (int i = 0; i < DOUGH; i++)
        mine[i] = (char)('a' + which);
    dough[which] = mine;
    park();
}

/* Uses what the call below gives it, so that no frame can go early. */
static int step_down(int depth, volatile char *above) {
    volatile char frame[256];

    frame[0] = (char)(*above + 1);
    return depth == 0 ? 0 : step_down(depth - 1, frame) + frame[0];
}

static volatile size_t far_end = 0; /* the compiler cannot know */

/* Touches the far end of its frame alone, well beyond the guard. */
static void leap(void) {
    volatile char frame[LEAP];

    frame[far_end] = '!';
    CHECK(frame[far_end] == '!');
}

/* Keeps its frame out of that of the caller. */
static void (*volatile leap_far)(void) = leap;

static void run_off(void *arg) {
    volatile char top = 0;

    yield(); /* the neighbours go first */
    if (strcmp(arg, "leap") == 0)
        leap_far();
    else
        printf("%d\n", step_down(1000 * 1000, &top));
    printf("it survived\n");
    exit(0);
}

static void end(void *unused) { (void)unused; }

int main(int argc, char **argv) {
    static int first = 0, second = 1;
    struct sigaction look = {.sa_sigaction = look_at_neighbours,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK};

    CHECK(argc == 2 || argc == 3);
    if (argc == 3)
        old_kernel = strcmp(argv[2], "filter") == 0 ? EPERM : EINVAL;
    if (strcmp(argv[1], "recycled") == 0) {
        for (int i = 0; i < 3; i++)
            CHECK(go("before", end, NULL) == 0);
        schedule();
    }
    CHECK(go("left", wait_beside, &first) == 0);
    CHECK(go("glutton", run_off, argv[1]) == 0);
    CHECK(go("right", wait_beside, &second) == 0);
    if (strcmp(argv[1], "recycled") != 0) /* there the runtime is on its own */
        CHECK(sigaction(SIGSEGV, &look, &runtime) == 0);
    schedule();
    return 0;
}
