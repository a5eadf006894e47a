/*
 * context.c - the switch, in two ways.
 *
 * swapcontext(3) saves and restores a context, and the signal mask with it,
 * which takes a system call each time. Nobody here changes the mask, so
 * ucontext only takes us onto a fresh stack, once; from then on _setjmp()
 * leaves a stack and _longjmp() arrives on another, without the kernel. QEMU
 * does the same.
 *
 * cc -DSWITCH_UCONTEXT builds the plain way, for comparison. It wants glibc.
 */
#undef _FORTIFY_SOURCE /* its longjmp takes another stack for an accident */
#define _GNU_SOURCE
#include "context.h"

#ifdef __GLIBC__
#include <ucontext.h>
#else
#include "makecontext.h"
#endif

/* Handed to the trampoline, as makecontext() passes nothing wider than int. */
static struct {
    struct context *created, *creator;
    void (*entry)(void *arg);
    void *arg;
} birth;

#ifdef SWITCH_UCONTEXT

static void enter(struct context *from, struct context *to, ucontext_t *fresh) {
    FIBER_LEAVE(&from->fiber, &to->fiber);
    swapcontext(&from->registers, fresh);
    FIBER_ARRIVE(&from->fiber);
}

void context_switch(struct context *from, struct context *to) {
    FIBER_LEAVE(&from->fiber, &to->fiber);
    swapcontext(&from->registers, &to->registers);
    FIBER_ARRIVE(&from->fiber);
}

#else

static void enter(struct context *from, struct context *to, ucontext_t *fresh) {
    if (_setjmp(from->registers) == 0) {
        FIBER_LEAVE(&from->fiber, &to->fiber);
        setcontext(fresh);
    }
    FIBER_ARRIVE(&from->fiber);
}

void context_switch(struct context *from, struct context *to) {
    if (_setjmp(from->registers) == 0) {
        FIBER_LEAVE(&from->fiber, &to->fiber);
        _longjmp(to->registers, 1);
    }
    FIBER_ARRIVE(&from->fiber);
}

#endif

/* The first frame on a new stack: goes back at once, then calls entry(). */
static void trampoline(void) {
    struct context *self = birth.created;
    void (*entry)(void *arg) = birth.entry;
    void *arg = birth.arg;

    FIBER_ARRIVE(&self->fiber);
    context_switch(self, birth.creator);
    for (;;)
        entry(arg);
}

void context_create(struct context *context, void *stack, size_t size,
                    void (*entry)(void *arg), void *arg) {
    struct context here = {0};
    ucontext_t fresh;

    context->fiber = (struct fiber){.stack = stack, .size = size};
    FIBER_CREATE(&context->fiber);
    birth.created = context;
    birth.creator = &here;
    birth.entry = entry;
    birth.arg = arg;

    getcontext(&fresh); /* cannot fail */
    fresh.uc_stack.ss_sp = stack;
    fresh.uc_stack.ss_size = size;
    fresh.uc_link = NULL;
    makecontext(&fresh, trampoline, 0);
    enter(&here, context, &fresh);
}
