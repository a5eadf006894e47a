/* contexts.c - chapter 4: swapcontext(3) and the chapter's own switch. */
#define _GNU_SOURCE
#include <err.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <ucontext.h>
#endif

#include "bench.h"
#include "context.h"
#include "stack.h"

enum { ROUND_TRIPS = 50 * 1000 };

static void *new_stack(void) {
    void *stack = stack_new();

    if (stack == NULL)
        err(EXIT_FAILURE, "stack_new");
    return stack;
}

#ifdef __GLIBC__

static struct { ucontext_t main, other; } plain;

static void swap_back(void) {
    for (;;)
        swapcontext(&plain.other, &plain.main);
}

static void measure_swapcontext(int n) {
    (void)n;
    getcontext(&plain.other);
    plain.other.uc_stack.ss_sp = new_stack();
    plain.other.uc_stack.ss_size = STACK_SIZE;
    makecontext(&plain.other, swap_back, 0);
    double start = nanoseconds();
    for (int i = 0; i < ROUND_TRIPS; i++)
        swapcontext(&plain.main, &plain.other);
    bench_row("context switch", 2, "ns",
              (nanoseconds() - start) / (double)(2 * ROUND_TRIPS));
}

#else

/* Other libcs have no swapcontext(), so this prints no row. */
static void measure_swapcontext(int n) { (void)n; }

#endif

static struct { struct context main, other; } bench;

static void switch_back(void *unused) {
    (void)unused;
    for (;;)
        context_switch(&bench.other, &bench.main);
}

static void measure_switch(int n) {
    (void)n;
    context_create(&bench.other, new_stack(), STACK_SIZE, switch_back, NULL);
    double start = nanoseconds();
    for (int i = 0; i < ROUND_TRIPS; i++)
        context_switch(&bench.main, &bench.other);
    bench_row("context switch", 2, "ns",
              (nanoseconds() - start) / (double)(2 * ROUND_TRIPS));
}

int main(int argc, char **argv) {
    static const struct measure table[] = {
        {"swapcontext", measure_swapcontext}, {"switch", measure_switch}, {0}};

    return bench_main(argc, argv, table);
}
