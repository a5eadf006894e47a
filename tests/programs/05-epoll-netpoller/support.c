/* support.c - see support.h. */
#define _GNU_SOURCE
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scheduler.h"
#include "timer.h"

struct libc_calls libc_calls = {.threads_possible = 1000000};

/* __wrap_x() is called in place of x(), and __real_x() is x(). */
int __real_epoll_wait(int fd, struct epoll_event *events, int max, int timeout);
int __wrap_epoll_wait(int fd, struct epoll_event *events, int max, int timeout);
int __real_epoll_ctl(int fd, int how, int which, struct epoll_event *event);
int __wrap_epoll_ctl(int fd, int how, int which, struct epoll_event *event);
int __real_accept4(int fd, struct sockaddr *from, socklen_t *size, int flags);
int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *size, int flags);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_eventfd_write(int fd, eventfd_t value);
int __wrap_eventfd_write(int fd, eventfd_t value);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
void *__real_mmap(void *at, size_t size, int prot, int flags, int fd, off_t o);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t o);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                          void *(*fn)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                          void *(*fn)(void *), void *arg);

int __wrap_epoll_wait(int fd, struct epoll_event *events, int max,
                      int timeout) {
    libc_calls.epoll_wait++;
    return __real_epoll_wait(fd, events, max, timeout);
}

int __wrap_epoll_ctl(int fd, int how, int which, struct epoll_event *event) {
    libc_calls.epoll_ctl++;
    if (libc_calls.epoll_ctl_error != 0) {
        errno = libc_calls.epoll_ctl_error;
        return -1;
    }
    return __real_epoll_ctl(fd, how, which, event);
}

int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *size, int flags) {
    if (libc_calls.accept_error != 0) {
        errno = libc_calls.accept_error;
        return -1;
    }
    return __real_accept4(fd, from, size, flags);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout) {
    libc_calls.poll++;
    return __real_poll(fds, count, timeout);
}

int __wrap_eventfd_write(int fd, eventfd_t value) {
    libc_calls.eventfd_write++;
    return __real_eventfd_write(fd, value);
}

static bool out_of_memory(void) {
    if (libc_calls.no_memory)
        errno = ENOMEM;
    return libc_calls.no_memory;
}

void *__wrap_malloc(size_t size) {
    return out_of_memory() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return out_of_memory() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return out_of_memory() ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size) {
    return out_of_memory() ? NULL : __real_reallocarray(old, count, size);
}

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t o) {
    return out_of_memory() ? MAP_FAILED
                           : __real_mmap(at, size, prot, flags, fd, o);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                          void *(*fn)(void *), void *arg) {
    if (libc_calls.threads_possible-- <= 0)
        return EAGAIN;
    return __real_pthread_create(thread, attr, fn, arg);
}

int run_case(const struct test_case *cases, int argc, char **argv) {
    for (; argc == 2 && cases->name != NULL; cases++)
        if (strcmp(cases->name, argv[1]) == 0) {
            cases->run();
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "%s: no such case\n", argc == 2 ? argv[1] : argv[0]);
    return EXIT_FAILURE;
}

void start(const char *name, void (*fn)(void *arg), void *arg) {
    CHECK(go(name, fn, arg) == 0);
}

int64_t in_ms(int64_t milliseconds) {
    return now() + milliseconds * (SECOND / 1000);
}

void make_pipe(int ends[2]) { CHECK(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0); }

void make_socketpair(int ends[2]) {
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                     ends) == 0);
}

void poke(int fd) { CHECK(write(fd, "x", 1) == 1); }

void fill(int fd) {
    static const char zeros[4096];

    while (write(fd, zeros, sizeof zeros) > 0)
        continue;
    CHECK(errno == EAGAIN);
}

long status_line(const char *name) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long value = -1;

    CHECK(file != NULL);
    while (value == -1 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':')
            value = strtol(line + strlen(name) + 1, NULL, 10);
    fclose(file);
    CHECK(value != -1);
    return value;
}

int open_descriptors(void) {
    DIR *directory = opendir("/proc/self/fd");
    int count = -3; /* what is there in any case: . and .. and its own */

    CHECK(directory != NULL);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

int raise_descriptor_limit(void) {
    struct rlimit limit;

    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    return limit.rlim_cur < 1000000 ? (int)limit.rlim_cur : 1000000;
}

void forbid_descriptors(void) {
    struct rlimit limit;

    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = 0;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}
