/* io.c - try, and wait if it would block. */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <unistd.h>

#include "netpoll.h"
#include "scheduler.h"
#include "timer.h"

enum { SUCCESSES_PER_TURN = 64 };

/*
 * Called after a success; every 64th, of whichever task, gives up a turn. It
 * comes after the last use of fd, as somebody may close that meanwhile.
 */
static void be_fair(void) {
    static unsigned successes;

    if (self() != NULL && ++successes % SUCCESSES_PER_TURN == 0)
        yield();
}

/*
 * After a failure: whether to try once more, since fd is ready now. A call that
 * would block after the deadline gives up a turn and is tried no more.
 */
static bool try_again(int fd, uint32_t events, int64_t deadline) {
    if (errno != EAGAIN)
        return errno == EINTR;
    bool late = now() >= deadline;
    if (wait_fd(fd, events, deadline) == -1)
        return false;
    errno = ETIMEDOUT;
    return !late;
}

ssize_t io_read(int fd, void *buf, size_t len, int64_t deadline) {
    ssize_t count;

    while ((count = read(fd, buf, len)) == -1)
        if (!try_again(fd, EPOLLIN, deadline))
            return -1;
    be_fair();
    return count;
}

ssize_t io_write(int fd, const void *buf, size_t len, int64_t deadline) {
    size_t left = len;
    ssize_t count;

    while ((count = write(fd, buf, left)) != (ssize_t)left) {
        if (count >= 0) {
            buf = (const char *)buf + count;
            left -= (size_t)count;
            errno = EAGAIN; /* the buffer is full, so the next would block */
        }
        if (!try_again(fd, EPOLLOUT, deadline))
            return -1;
    }
    be_fair();
    return (ssize_t)len;
}

/* accept(2) also reports what happened to a connection that is gone by now. */
static bool is_about_a_connection(int error) {
    return error == ECONNABORTED || error == EPROTO || error == ENOPROTOOPT ||
           error == ENETDOWN || error == ENETUNREACH || error == ENONET ||
           error == EHOSTDOWN || error == EHOSTUNREACH;
}

int io_accept(int fd, int64_t deadline) {
    int accepted;

    while ((accepted = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) ==
           -1) {
        if (is_about_a_connection(errno))
            errno = EAGAIN; /* wait for the next one */
        if (!try_again(fd, EPOLLIN, deadline))
            return -1;
    }
    be_fair();
    return accepted;
}

int io_connect(int fd, const struct sockaddr *addr, socklen_t len,
               int64_t deadline) {
    int error = connect(fd, addr, len) == 0 ? 0 : errno;
    socklen_t size = sizeof error;

    /* In each of these cases the connection is under way. */
    if (error == EINPROGRESS || error == EALREADY || error == EINTR)
        if (wait_fd(fd, EPOLLOUT, deadline) == -1 ||
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == -1)
            return -1;
    if (error == 0) {
        be_fair();
        return 0;
    }
    errno = error;
    return -1;
}

int io_close(int fd) {
    netpoll_forget(fd);
    return close(fd);
}
