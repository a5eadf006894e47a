/*
 * makecontext.h - makecontext(3) for a libc that has none.
 *
 * musl has none. But a signal handler may run on a stack of its own, and so the
 * kernel takes us there: setcontext() raises a signal, and the handler calls
 * the function and never returns. It is left as any stack is left. The signal's
 * frame stays at the top of the stack, and takes some kilobytes of it. A
 * SIGUSR2 for the program is lost if it comes to another thread meanwhile, or
 * was sent to this thread alone and is still pending.
 *
 * Only what context.c asks for is here. The idea is that of GNU Pth.
 * Source: Ralf S. Engelschall, "Portable Multithreading" (2000),
 * sigaltstack(2).
 */
#ifndef MAKECONTEXT_H
#define MAKECONTEXT_H

#include <signal.h>
#include <stdint.h>

static struct {
    void (*function)(void);
    stack_t fresh;
    struct sigaction action; /* as they were before, these three */
    sigset_t mask;
    stack_t alternate;
} arrival;

/* On the new stack. SS_AUTODISARM has freed us to change the alternate one. */
static void arrive(int unused) {
    uintptr_t here = (uintptr_t)&unused, low = (uintptr_t)arrival.fresh.ss_sp;

    if (here < low || here >= low + arrival.fresh.ss_size)
        return; /* on another thread, which got one for the program */
    sigaction(SIGUSR2, &arrival.action, NULL);
    sigaltstack(&arrival.alternate, NULL);
    sigprocmask(SIG_SETMASK, &arrival.mask, NULL); /* others may come again */
    arrival.function();
}

static void getcontext(ucontext_t *context) { *context = (ucontext_t){0}; }

static void makecontext(ucontext_t *context, void (*function)(void), int none) {
    (void)none;
    context->uc_stack.ss_flags = (int)SS_AUTODISARM;
    arrival.function = function;
    arrival.fresh = context->uc_stack;
}

/* Until we have arrived, this thread takes no signal but ours. */
static void setcontext(const ucontext_t *context) {
    struct sigaction action = {.sa_handler = arrive, .sa_flags = SA_ONSTACK};
    sigset_t signals;

    sigfillset(&signals);
    sigprocmask(SIG_SETMASK, &signals, &arrival.mask);
    sigaltstack(&context->uc_stack, &arrival.alternate);
    sigaction(SIGUSR2, &action, &arrival.action);
    raise(SIGUSR2);
    sigdelset(&signals, SIGUSR2);
    sigsuspend(&signals);
}

#endif
