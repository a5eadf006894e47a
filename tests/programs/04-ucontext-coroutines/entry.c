/*
 * entry.c - how a task begins and ends.
 *
 * Its stack is aligned as the ABI wants it, its argument arrives whole, and its
 * end is not the end of the program.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"
#include "scheduler.h"

enum { ALIGNMENT = 16 };

static int ended;

static int aligned(const volatile void *address) {
    volatile uintptr_t at = (uintptr_t)address; /* so that it is computed */

    return at % ALIGNMENT == 0;
}

/* A frame begins at a multiple of 16 where the stack did before the call. */
static void look_at_the_stack(void *unused) {
    _Alignas(ALIGNMENT) volatile char local[ALIGNMENT];
    volatile double third = 1.0 / 3;
    char text[32];

    (void)unused;
    for (int turns = 0; turns < 2; turns++) {
        local[0] = 1;
        CHECK(aligned(__builtin_frame_address(0)));
        CHECK(aligned(local));
        /* Many a libc saves its vector registers with aligned moves here. */
        snprintf(text, sizeof text, "%f %.3f", third, third * (double)2);
        CHECK(strcmp(text, "0.333333 0.667") == 0);
        yield();
    }
    ended++;
}

static void look_at_the_argument(void *arg) {
    int *number = arg;

    CHECK((uintptr_t)arg > UINT32_MAX);
    CHECK(*number == 42);
    *number = 43;
    ended++;
}

static void argument_above_4_gib(void) {
    void *hint = (void *)(uintptr_t)0x123456780000; /* nothing is there */
    int *number = mmap(hint, sizeof *number, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(number != MAP_FAILED);
    *number = 42;
    CHECK(go("argument", look_at_the_argument, number) == 0);
    CHECK(schedule() == 1);
    CHECK(*number == 43);
}

int main(void) {
    argument_above_4_gib();
    CHECK(go("stack", look_at_the_stack, NULL) == 0);
    CHECK(go("stack again", look_at_the_stack, NULL) == 0);
    CHECK(schedule() == 3);
    CHECK(ended == 3);
    printf("main() goes on\n");
    return 7;
}
