/*
 * stack.c - guarded stacks, cut from mappings of several.
 *
 * A page that may not be touched lies below each stack, so an overflow faults
 * instead of running into the neighbour. MADV_GUARD_INSTALL (Linux 6.13) marks
 * such pages in the page table, at no cost but their addresses. An older kernel
 * needs mprotect(2), which makes two mappings of each slot.
 */
#define _GNU_SOURCE
#include "stack.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define MADV_NONE (-1) /* no kernel knows this one */

enum { STACKS_PER_MAPPING = 16, SLOT = GUARD_SIZE + STACK_SIZE, PAGE = 4096 };

static struct {
    char *next; /* the first slot not handed out, in the newest mapping */
    int left;   /* slots from there on */
    bool marks; /* the kernel may know MADV_GUARD_INSTALL */
    _Alignas(16) char alternate[STACK_SIZE]; /* for the signal handler */
    const char *(*owner)(const void *address);
    struct sigaction before; /* who else handles SIGSEGV */
} stacks;

static int map_more(void) {
    size_t size = (size_t)STACKS_PER_MAPPING * SLOT;
    char *mapping = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (mapping == MAP_FAILED)
        return -1;
    /* A huge page would make one touched page cost 2 MiB. No matter if not. */
    (void)madvise(mapping, size, MADV_NOHUGEPAGE);
    /* An emulator may say yes to all advice, and follow none. */
    stacks.marks = madvise(mapping, size, MADV_NONE) == -1;
    stacks.next = mapping;
    stacks.left = STACKS_PER_MAPPING;
    return 0;
}

static int install_guard(char *guard) {
    if (stacks.marks) {
        if (madvise(guard, GUARD_SIZE, MADV_GUARD_INSTALL) == 0)
            return 0;
        if (errno != EINVAL) /* EINVAL: this kernel does not know it */
            return -1;
    }
    if (mprotect(guard, GUARD_SIZE, PROT_NONE) == 0)
        return 0;
    if (errno == ENOMEM) /* it could not split the mapping */
        errno = EAGAIN;
    return -1;
}

void *stack_new(void) {
    if (stacks.left == 0 && map_more() == -1)
        return NULL;
    if (install_guard(stacks.next) == -1)
        return NULL;

    void *stack = stacks.next + GUARD_SIZE;
    stacks.next += SLOT;
    /* Who asks for the first page (Linux 5.14) spares a fault. No matter if
     * not. */
    (void)madvise(stacks.next - PAGE, PAGE, MADV_POPULATE_WRITE);
    stacks.left--;
    return stack;
}

bool stack_guards(const void *top, const void *address) {
    uintptr_t stack = (uintptr_t)top - STACK_SIZE, at = (uintptr_t)address;

    return at >= stack - GUARD_SIZE && at < stack;
}

_Static_assert(STACK_SIZE == 64 * 1024, "on_fault() says 64 KiB");

/* Runs on a stack of its own, as the one that overflowed has no room left. */
static void on_fault(int signal, siginfo_t *info, void *context) {
    const char *name = stacks.owner(info->si_addr);
    const char *line[] = {program_invocation_short_name,
                          ": stack overflow in task '", name, "' (64 KiB)\n"};

    (void)context;
    if (name == NULL) { /* not ours: it faults again, for whoever was before */
        sigaction(signal, &stacks.before, NULL);
        /* Sent, or from a stack without room for a signal: it comes once. */
        if (info->si_code <= 0 || info->si_code == SI_KERNEL)
            raise(signal);
        return;
    }
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++)
        if (write(STDERR_FILENO, line[i], strlen(line[i])) == -1)
            break;
    _exit(EXIT_FAILURE);
}

int stack_watch(const char *(*owner)(const void *address)) {
    stack_t alternate = {.ss_sp = stacks.alternate,
                         .ss_size = sizeof stacks.alternate};
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};

    if (stacks.owner != NULL)
        return 0;
    if (sigaltstack(&alternate, NULL) == -1)
        return -1;
    stacks.owner = owner;
    return sigaction(SIGSEGV, &action, &stacks.before);
}
