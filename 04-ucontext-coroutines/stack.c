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
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/* Advice for madvise(2) that older headers do not name: Linux 6.13 and 5.14. */
enum { GUARD_INSTALL = 102, POPULATE_WRITE = 23 };

enum { STACKS_PER_MAPPING = 16, SLOT = GUARD_SIZE + STACK_SIZE, PAGE = 4096 };

static struct {
    char *next;  /* the first slot not handed out, in the last mapping */
    int left;    /* slots from there on */
    bool advice; /* madvise() is taken seriously: not so by some emulators */
} stacks;

static int map_more(void) {
    size_t size = (size_t)STACKS_PER_MAPPING * SLOT;
    char *mapping = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (mapping == MAP_FAILED)
        return -1;
    /*
     * With a huge page the first touch of a stack would cost 2 MiB. A kernel
     * without huge pages refuses the advice and does not need it.
     */
    (void)madvise(mapping, size, MADV_NOHUGEPAGE);
    /* No kernel knows the advice -1. */
    stacks.advice = madvise(mapping, size, -1) == -1;
    stacks.next = mapping;
    stacks.left = STACKS_PER_MAPPING;
    return 0;
}

static int install_guard(char *guard) {
    if (stacks.advice && madvise(guard, GUARD_SIZE, GUARD_INSTALL) == 0)
        return 0;
    if (mprotect(guard, GUARD_SIZE, PROT_NONE) == 0)
        return 0;
    errno = EAGAIN; /* there is no mapping left to make two of one */
    return -1;
}

void *stack_new(void) {
    if (stacks.left == 0 && map_more() == -1)
        return NULL;
    if (install_guard(stacks.next) == -1)
        return NULL;
    void *stack = stacks.next + GUARD_SIZE;
    stacks.next += SLOT;
    stacks.left--;
    /*
     * To ask for the first page costs less than to fault on it. Where the
     * kernel refuses, the page comes by a fault, so the result does not matter.
     */
    (void)madvise(stacks.next - PAGE, PAGE, POPULATE_WRITE);
    return stack;
}

bool stack_guards(const void *top, const void *address) {
    uintptr_t stack = (uintptr_t)top - STACK_SIZE, at = (uintptr_t)address;

    return at >= stack - GUARD_SIZE && at < stack;
}
