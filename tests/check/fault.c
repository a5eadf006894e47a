/*
 * fault.c - loaded before libc (LD_PRELOAD): lets one call of a program fail.
 *
 *   FAULT=epoll_ctl:ENOMEM:2    its second call fails, with this errno
 *   FAULT=read:EINTR:0          every other call fails
 *   FAULT=write:SHORT:0         every other call takes one byte only
 *
 * When it has happened the file that FAULT_MARK names is there. A call that
 * fails is not made, except those that fail after they have had their effect.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { SHORT = 1000000, ERRNO_MAX = 200 };

static struct {
    char call[32];
    int error; /* 0: there is no fault */
    int which; /* 0: every other */
    atomic_int calls;
} fault;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* Not by open(), which may be the call that fails. */
static void leave_mark(void) {
    const char *path = getenv("FAULT_MARK");
    long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY,
                             S_IRUSR | S_IWUSR)
                   : -1;
    if (fd != -1)
        syscall(SYS_close, fd);
}

/* Returns what this call must fail with, or 0. */
static int strike(const char *call) {
    if (fault.error == 0 || strcmp(call, fault.call) != 0)
        return 0;
    int number = ++fault.calls;
    if (fault.which == 0 ? number % 2 == 0 : number != fault.which)
        return 0;
    leave_mark();
    return fault.error;
}

static bool fails(const char *call) {
    int error = strike(call);

    if (error != 0)
        errno = error;
    return error != 0;
}

static int fail_after(const char *call, int result) {
    return fails(call) ? -1 : result;
}

void *malloc(size_t size) {
    return fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails("calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return fails("realloc") ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size) {
    return fails("reallocarray") ? NULL : __libc_realloc(old, count * size);
}

/* What libc has under this name. */
#define NEXT(result, name, ...)                                  \
    static result (*next_##name)(__VA_ARGS__);                   \
    __attribute__((constructor)) static void find_##name(void) { \
        *(void **)&next_##name = dlsym(RTLD_NEXT, #name);        \
    }

NEXT(void *, mmap, void *, size_t, int, int, int, off_t)
NEXT(int, madvise, void *, size_t, int)
NEXT(int, mprotect, void *, size_t, int)
NEXT(int, sigaltstack, const stack_t *, stack_t *)
NEXT(int, open, const char *, int, ...)
NEXT(int, close, int)
NEXT(ssize_t, read, int, void *, size_t)
NEXT(ssize_t, write, int, const void *, size_t)
NEXT(int, poll, struct pollfd *, nfds_t, int)
NEXT(int, epoll_create1, int)
NEXT(int, epoll_ctl, int, int, int, struct epoll_event *)
NEXT(int, epoll_wait, int, struct epoll_event *, int, int)
NEXT(int, timerfd_create, int, int)
NEXT(int, eventfd, unsigned, int)
NEXT(int, eventfd_read, int, eventfd_t *)
NEXT(int, accept4, int, __SOCKADDR_ARG, socklen_t *, int)
NEXT(int, connect, int, __CONST_SOCKADDR_ARG, socklen_t)
NEXT(int, pthread_create, pthread_t *, const pthread_attr_t *,
     void *(*)(void *), void *)

/* After those above, which call what may fail. */
__attribute__((constructor)) static void read_environment(void) {
    const char *text = getenv("FAULT");
    const char *error = text ? strchr(text, ':') : NULL;
    const char *which = error ? strchr(error + 1, ':') : NULL;

    if (which == NULL)
        return;
    if (error - text >= (ptrdiff_t)sizeof fault.call)
        abort(); /* no call has such a name */
    memcpy(fault.call, text, (size_t)(error - text));
    fault.which = atoi(which + 1);
    size_t size = (size_t)(which - ++error);
    for (int i = 1; i < ERRNO_MAX; i++) {
        const char *name = strerrorname_np(i);
        if (name && strlen(name) == size && memcmp(name, error, size) == 0)
            fault.error = i;
    }
    if (size == 5 && memcmp(error, "SHORT", size) == 0)
        fault.error = SHORT;
    if (fault.error == 0)
        abort(); /* what is it? */
}

void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset) {
    return fails("mmap") ? MAP_FAILED
                         : next_mmap(at, size, prot, flags, fd, offset);
}

int madvise(void *at, size_t size, int advice) {
    return fails("madvise") ? -1 : next_madvise(at, size, advice);
}

int mprotect(void *at, size_t size, int prot) {
    return fails("mprotect") ? -1 : next_mprotect(at, size, prot);
}

int sigaltstack(const stack_t *stack, stack_t *old) {
    return fails("sigaltstack") ? -1 : next_sigaltstack(stack, old);
}

int open(const char *path, int flags, ...) {
    va_list rest;

    if (fails("open"))
        return -1;
    va_start(rest, flags);
    unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    return next_open(path, flags, mode);
}

/* Linux gives the number back in any case: close(2). */
int close(int fd) { return fail_after("close", next_close(fd)); }

ssize_t read(int fd, void *bytes, size_t size) {
    int error = size > 0 ? strike("read") : 0;

    if (error == SHORT)
        return next_read(fd, bytes, 1);
    if (error == 0)
        return next_read(fd, bytes, size);
    errno = error;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    int error = size > 0 ? strike("write") : 0;

    if (error == SHORT)
        return next_write(fd, bytes, 1);
    if (error == 0)
        return next_write(fd, bytes, size);
    errno = error;
    return -1;
}

int poll(struct pollfd *fds, nfds_t count, int timeout) {
    return fails("poll") ? -1 : next_poll(fds, count, timeout);
}

int epoll_create1(int flags) {
    return fails("epoll_create1") ? -1 : next_epoll_create1(flags);
}

int epoll_ctl(int epoll, int how, int fd, struct epoll_event *event) {
    return fails("epoll_ctl") ? -1 : next_epoll_ctl(epoll, how, fd, event);
}

int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
    return fails("epoll_wait") ? -1
                               : next_epoll_wait(epoll, events, count, timeout);
}

int timerfd_create(int clock, int flags) {
    return fails("timerfd_create") ? -1 : next_timerfd_create(clock, flags);
}

int eventfd(unsigned count, int flags) {
    return fails("eventfd") ? -1 : next_eventfd(count, flags);
}

int eventfd_read(int fd, eventfd_t *count) {
    return fails("eventfd_read") ? -1 : next_eventfd_read(fd, count);
}

int accept4(int fd, __SOCKADDR_ARG address, socklen_t *size, int flags) {
    return fails("accept4") ? -1 : next_accept4(fd, address, size, flags);
}

/* Interrupted, it goes on in the background: connect(2). */
int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size) {
    if (fault.error == EINTR)
        return fail_after("connect", next_connect(fd, address, size));
    return fails("connect") ? -1 : next_connect(fd, address, size);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*fn)(void *), void *arg) {
    int error = strike("pthread_create");
    return error ? error : next_pthread_create(thread, attributes, fn, arg);
}
