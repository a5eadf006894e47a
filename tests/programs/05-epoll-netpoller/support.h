/*
 * support.h - what the test programs of chapters 5 and 6 have in common.
 *
 * Each program is a table of cases; its argument names the one to run. Between
 * the runtime and libc stands support.c (the linker puts it there, see --wrap
 * in ld(1)): it counts calls, and lets them fail when a case asks for it.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "check.h"

struct test_case {
    const char *name;
    void (*run)(void);
};

/* Runs the case that argv[1] names; the table ends with {0}. For main(). */
int run_case(const struct test_case *cases, int argc, char **argv);

extern struct libc_calls {
    /* How often each was called. */
    atomic_int epoll_wait, epoll_ctl, poll, eventfd_write;

    /* What fails from now on. */
    bool no_memory;       /* malloc() and its like, and mmap() */
    int epoll_ctl_error;  /* not 0: epoll_ctl() fails with this */
    int accept_error;     /* not 0: accept4() fails with this */
    int threads_possible; /* then pthread_create() fails with EAGAIN */
} libc_calls;

/* go(), which must succeed. */
void start(const char *name, void (*fn)(void *arg), void *arg);

/* The deadline that is so far from now. */
int64_t in_ms(int64_t milliseconds);

/* Non-blocking, both. */
void make_pipe(int ends[2]);
void make_socketpair(int ends[2]);

/* Writes one byte, which must find room. */
void poke(int fd);

/* Writes until the descriptor takes no more. */
void fill(int fd);

/* A line of /proc/self/status: kilobytes, or a plain number. */
long status_line(const char *name);

/* How many descriptors are open. */
int open_descriptors(void);

/* Lets as many descriptors be open as the system allows; how many that is. */
int raise_descriptor_limit(void);

/* Keeps the process from opening another descriptor. */
void forbid_descriptors(void);

#endif
