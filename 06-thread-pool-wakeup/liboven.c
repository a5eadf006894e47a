/* liboven.c - waits for its descriptor itself: the whole thread waits. */
#define _GNU_SOURCE
#include "liboven.h"

#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int wait_for(int fd, double seconds) {
    int64_t nanoseconds = (int64_t)(seconds * 1e9) + 1; /* 0 would disarm it */
    struct itimerspec bell = {
        .it_value.tv_sec = (time_t)(nanoseconds / 1000000000),
        .it_value.tv_nsec = (long)(nanoseconds % 1000000000)};
    uint64_t rings;
    ssize_t count;

    if (timerfd_settime(fd, 0, &bell, NULL) == -1)
        return -1;
    do
        count = read(fd, &rings, sizeof rings);
    while (count == -1 && errno == EINTR);
    return count == -1 ? -1 : 0;
}

int liboven_bake(double seconds) {
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

    if (fd == -1)
        return -1;
    int result = wait_for(fd, seconds);
    close(fd);
    return result;
}
