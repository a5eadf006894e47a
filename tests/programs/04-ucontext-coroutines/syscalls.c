/*
 * syscalls.c - a million turns without the kernel.
 *
 * In seccomp's strict mode a thread may read, write and exit; any other system
 * call kills the program. So does a switch that makes one. Status 77 where the
 * kernel does not offer that mode. With an argument, it is swapcontext(3) that
 * switches, once there and back.
 */
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"
#include "scheduler.h"

enum { TASKS = 10, TURNS = 100 * 1000, NO_SECCOMP = 77 };

#ifndef SECCOMP_MODE_STRICT /* in the kernel's headers, not in libc's */
#define SECCOMP_MODE_STRICT 1
#endif

static int ended;

static void take_turns(void *arg) {
    for (int left = *(const int *)arg; left > 0; left--)
        yield();
    ended++;
}

static void start_all(int *turns) {
    for (int i = 0; i < TASKS; i++)
        CHECK(go("turner", take_turns, turns) == 0);
}

#ifdef __GLIBC__ /* musl has no swapcontext() */

static ucontext_t here, there;

static void swap_back(void) { swapcontext(&there, &here); }

static void swap_once(void) {
    static char stack[64 * 1024];

    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, swap_back, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
    swapcontext(&here, &there);
}

#else

static void swap_once(void) {}

#endif

int main(int argc, char **argv) {
    int few = 2, many = TURNS;
    static const char line[] = "no system call\n";

    (void)argv;
    if (argc > 1)
        swap_once();
    start_all(&few); /* from here on there are stacks to be used again */
    schedule();
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) == -1)
        return NO_SECCOMP;

    start_all(&many);
    schedule();
    for (int i = 0; i < TURNS / TASKS; i++) {
        start_all(&few);
        schedule();
    }
    CHECK(ended == 2 * TASKS + TURNS);
    if (write(STDOUT_FILENO, line, sizeof line - 1) == -1)
        syscall(SYS_exit, 1);
    syscall(SYS_exit, 0); /* as exit() makes another one */
}
