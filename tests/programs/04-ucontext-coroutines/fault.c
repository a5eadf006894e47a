/*
 * fault.c - faults that are no overflow.
 *
 *   ./fault null      a task writes to NULL
 *   ./fault handled   the same; the program had a handler before its first go()
 *   ./fault main      main() writes to NULL, after schedule()
 *   ./fault raised    a task sends itself the signal, by raise(3)
 *   ./fault killed    the same, by kill(2)
 *   ./fault crowded   a task has no room left for a signal, and gets one
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "scheduler.h"
#include "stack.h"

enum { ROOM = 700 }; /* for raise(3), but not for the frame of a signal */

static char *volatile nowhere;

static void handle(int signal, siginfo_t *info, void *context) {
    static const char line[] = "the program's own handler\n";

    (void)context;
    if (signal == SIGSEGV && info->si_addr == NULL &&
        write(STDERR_FILENO, line, strlen(line)) > 0)
        _exit(3);
    _exit(4);
}

static void write_to_null(void *unused) {
    (void)unused;
    yield();
    *nowhere = 1;
}

static void raise_signal(void *unused) {
    (void)unused;
    raise(SIGSEGV);
}

static void kill_itself(void *unused) {
    (void)unused;
    kill(getpid(), SIGSEGV);
}

static void take_note(int unused) { (void)unused; }

/* We stand in the uppermost page of the stack. */
static void raise_in_a_crowd(void *unused) {
    uintptr_t here = (uintptr_t)&unused;
    uintptr_t low = (here | 4095) + 1 - STACK_SIZE;

    raise(0); /* to find it takes the linker more than there will be */
    char *volatile frame = alloca(here - low - ROOM);

    frame[0] = 1;
    raise(SIGUSR1);
}

static void end(void *unused) { (void)unused; }

int main(int argc, char **argv) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};

    CHECK(argc == 2);
    if (strcmp(argv[1], "handled") == 0)
        CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    if (strcmp(argv[1], "main") == 0)
        CHECK(go("short", end, NULL) == 0);
    else if (strcmp(argv[1], "raised") == 0)
        CHECK(go("raiser", raise_signal, NULL) == 0);
    else if (strcmp(argv[1], "killed") == 0)
        CHECK(go("killer", kill_itself, NULL) == 0);
    else if (strcmp(argv[1], "crowded") == 0)
        CHECK(signal(SIGUSR1, take_note) != SIG_ERR &&
              go("raiser", raise_in_a_crowd, NULL) == 0);
    else
        CHECK(go("writer", write_to_null, NULL) == 0);
    schedule();
    if (strcmp(argv[1], "main") == 0)
        *nowhere = 1;
    printf("it survived\n");
    return 0;
}
