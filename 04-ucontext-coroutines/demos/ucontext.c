/*
 * ucontext.c - a function that stops in the middle, by three calls of libc.
 *
 * getcontext(3) fills in a context. makecontext(3) has it begin in a function,
 * on a stack of its own. swapcontext(3) saves the running context and goes on
 * in another one. There is no scheduler here: main() and the oven name each
 * other.
 *
 * musl has the header and none of the three functions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "report.h"

#ifdef __GLIBC__

static ucontext_t counter, oven; /* main() is at the counter */

static void bake(void) {
    for (int minute = 1; minute <= 3; minute++) {
        printf("oven    | minute %d\n", minute);
        swapcontext(&oven, &counter); /* returns when main() swaps back */
    }
}

int main(void) {
    static char stack[64 * 1024];

    report_open(false);
    getcontext(&oven);
    oven.uc_stack.ss_sp = stack;
    oven.uc_stack.ss_size = sizeof stack;
    oven.uc_link = &counter; /* where to go on when bake() returns */
    makecontext(&oven, bake, 0);
    for (int customer = 1; customer <= 4; customer++) {
        swapcontext(&counter, &oven);
        printf("counter | customer %d\n", customer);
    }
    return report_close();
}

#else

int main(void) {
    fprintf(stderr, "ucontext: this libc has no swapcontext()\n");
    return EXIT_FAILURE;
}

#endif
