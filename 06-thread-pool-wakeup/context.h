/*
 * context.h - a context switch: leave one stack, go on upon another.
 *
 * A context is what a function call must preserve anyway, the callee-saved
 * registers and the stack pointer, at the moment at which its stack was left.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif
#include <stddef.h>

#include "sanitizer.h"

struct context {
#if defined(__x86_64__) || defined(__aarch64__)
    void *sp; /* the stack pointer; the other registers lie on the stack */
#else
    ucontext_t registers;
#endif
    void (*entry)(void *arg);
    void *arg;
    struct fiber fiber; /* what the sanitizers must know of its stack */
};

/*
 * Makes a context on the `size` bytes at `stack`. The first switch to it calls
 * entry(arg). When entry() returns, it is called again, without a switch.
 */
void context_create(struct context *context, void *stack, size_t size,
                    void (*entry)(void *arg), void *arg);

/*
 * Saves the caller in `from` and goes on in `to`. Returns when somebody
 * switches to `from`. The signal mask, errno, thread-locals and the rounding
 * mode belong to the thread and not to the context: they stay as they are.
 * (ucontext, on processors other than x86-64 and aarch64, also exchanges the
 * signal mask and the rounding mode.)
 */
void context_switch(struct context *from, struct context *to);

#endif
