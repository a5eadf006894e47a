/*
 * context.h - a context switch: leave one stack, go on upon another.
 *
 * A context is what a function call must preserve anyway, the callee-saved
 * registers and the stack pointer, at the moment in which somebody left it.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#ifdef SWITCH_UCONTEXT
#include <ucontext.h>
#else
#include <setjmp.h>
#endif
#include <stddef.h>

#include "sanitizer.h"

struct context {
#ifdef SWITCH_UCONTEXT
    ucontext_t registers;
#else
    jmp_buf registers;
#endif
    struct fiber fiber; /* what the sanitizers must know of its stack */
};

/*
 * Makes a context that will call entry(arg), on the `size` bytes at `stack`,
 * when it is switched to for the first time, and again each time entry returns.
 */
void context_create(struct context *context, void *stack, size_t size,
                    void (*entry)(void *arg), void *arg);

/*
 * Saves the caller in `from` and goes on in `to`. Returns when somebody
 * switches to `from`. The signal mask, errno, thread-locals and the rounding
 * mode belong to the thread, not to the context: they stay as they are. (With
 * SWITCH_UCONTEXT the mask and the rounding mode go with the context.)
 */
void context_switch(struct context *from, struct context *to);

#endif
