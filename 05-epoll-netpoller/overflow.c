/*
 * overflow.c - a handler for SIGSEGV that knows whose guard was touched.
 *
 * The stack that overflowed has no room for the frame of a handler. So the
 * kernel is given another one, an alternate signal stack, before anything
 * happens.
 */
#define _GNU_SOURCE
#include "overflow.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stack.h"

static struct {
    const char *(*owner)(const void *address);
    _Alignas(16) char stack[STACK_SIZE]; /* for the handler */
    struct sigaction before; /* what the program does about SIGSEGV */
} overflow;

/* Another thread may touch the guard by mistake: that is no overflow. */
static _Thread_local bool watched;

_Static_assert(STACK_SIZE == 64 * 1024, "on_fault() says 64 KiB");

/* Calls nothing but what a signal handler may call: signal-safety(7). */
static void on_fault(int signal, siginfo_t *info, void *context) {
    /* A signal that was sent, and not caused by an access, has no address. */
    bool access = info->si_code > 0 && info->si_code != SI_KERNEL;
    const char *name = access && watched ? overflow.owner(info->si_addr) : NULL;
    const char *line[] = {program_invocation_short_name,
                          ": stack overflow in task '", name, "' (64 KiB)\n"};

    (void)context;
    if (name == NULL) { /* the access comes again, and takes its usual course */
        sigaction(signal, &overflow.before, NULL);
        if (!access)
            raise(signal);
        return;
    }
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++)
        if (write(STDERR_FILENO, line[i], strlen(line[i])) == -1)
            break;
    _exit(EXIT_FAILURE);
}

void overflow_watch(const char *(*owner)(const void *address)) {
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack_t alternate;

    if (watched)
        return;
    sigaltstack(NULL, &alternate);
    if (alternate.ss_flags & SS_DISABLE) { /* or else the program has its own */
        alternate = (stack_t){.ss_sp = overflow.stack,
                              .ss_size = sizeof overflow.stack};
        sigaltstack(&alternate, NULL);
    }
    if (overflow.owner == NULL)
        sigaction(SIGSEGV, &action, &overflow.before);
    overflow.owner = owner;
    watched = true;
}
