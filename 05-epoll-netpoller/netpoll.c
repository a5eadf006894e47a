/*
 * netpoll.c - a table of poll descriptors in front of one epoll instance.
 *
 * Telling epoll about a descriptor costs a system call. So a descriptor stays
 * registered when its event has come: a task that reads, answers and waits
 * again finds it armed. Only if epoll reports a side for which no task waits is
 * that side taken out, or the loop would spin on it.
 *
 * The table is indexed by descriptor and moves when it grows. No pointer into
 * it is kept over a park(): what a task waits with is in its own frame.
 */
#define _GNU_SOURCE
#include "netpoll.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>

#include "child.h"
#include "scheduler.h"
#include "timer.h"

enum { BOTH_SIDES = EPOLLHUP | EPOLLERR };

enum side { READER, WRITER };

struct poll_descriptor {
    struct waiter *waiters[2]; /* by side */
    uint32_t armed;            /* what epoll watches; 0: not registered */
};

static struct {
    int epoll, waiting; /* the epoll instance, the tasks in wait_fd() */
    size_t capacity;
    struct poll_descriptor *table; /* then room for an event of each of them */
} poller = {.epoll = -1};

static int fail(int error) {
    errno = error;
    return -1;
}

/* Makes room for fd, if it is open: a wild number does not cost memory. */
static int reserve(int fd) {
    size_t capacity = 2 * ((size_t)fd + 32);
    size_t size = sizeof *poller.table + sizeof(struct epoll_event);

    if ((size_t)fd < poller.capacity)
        return 0;
    if (fcntl(fd, F_GETFD) == -1)
        return -1;
    if (poller.epoll == -1 &&
        (poller.epoll = child_closes(epoll_create1(EPOLL_CLOEXEC))) == -1)
        return -1;
    void *table = reallocarray(poller.table, capacity, size);
    if (table == NULL)
        return -1;
    poller.table = table;
    for (; poller.capacity < capacity; poller.capacity++)
        poller.table[poller.capacity] = (struct poll_descriptor){0};
    return 0;
}

/* What the table says of fd is not true any more. */
_Noreturn static void closed_in_secret(int fd) {
    errx(EXIT_FAILURE, "descriptor %d was closed without io_close()", fd);
}

/* Has epoll watch these sides of fd and no others. */
static int watch(int fd, uint32_t sides) {
    uint32_t *armed = &poller.table[fd].armed;
    int how = !sides ? EPOLL_CTL_DEL : *armed ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    struct epoll_event event = {.events = sides, .data.fd = fd};

    if (*armed != sides && epoll_ctl(poller.epoll, how, fd, &event) == -1) {
        if (*armed && (errno == EBADF || errno == ENOENT))
            closed_in_secret(fd);
        return -1;
    }
    *armed = sides;
    return 0;
}

/* At the deadline: whether the descriptor has become ready in this round. */
static bool is_ready(int fd, uint32_t events) {
    struct pollfd look = {.fd = fd, .events = (short)events};

    poll(&look, 1, 0);
    if (look.revents & POLLNVAL)
        closed_in_secret(fd);
    errno = ETIMEDOUT; /* again, as poll(2) may have failed */
    return look.revents != 0;
}

int wait_fd(int fd, uint32_t events, int64_t deadline) {
    enum side side = events == EPOLLIN ? READER : WRITER;
    struct waiter waiter = {.task = self(), .result = PENDING};

    if (events != EPOLLIN && events != EPOLLOUT)
        return fail(EINVAL);
    if (reserve(fd) == -1)
        return -1;
    if (poller.table[fd].waiters[side] != NULL)
        return fail(EBUSY);
    if (watch(fd, poller.table[fd].armed | events) == -1)
        return errno == EPERM ? sleep_until(0) : -1; /* EPERM: a regular file */
    poller.table[fd].waiters[side] = &waiter;
    poller.waiting++;
    int result = wait_until(&waiter, deadline);
    poller.waiting--;
    if (poller.table[fd].waiters[side] == &waiter)
        poller.table[fd].waiters[side] = NULL;
    return waiter.result == ETIMEDOUT && is_ready(fd, events) ? 0 : result;
}

void netpoll_forget(int fd) {
    if ((size_t)fd >= poller.capacity || child_of_fork())
        return;
    wake(poller.table[fd].waiters[READER], ECANCELED);
    wake(poller.table[fd].waiters[WRITER], ECANCELED);
    watch(fd, 0);
    poller.table[fd] = (struct poll_descriptor){0};
}

/* A side that is reported to no task is taken out, or the loop would spin. */
static void dispatch(int fd, uint32_t events) {
    struct poll_descriptor here = poller.table[fd];

    if (events & (EPOLLIN | BOTH_SIDES) && !wake(here.waiters[READER], 0))
        here.armed &= ~(uint32_t)EPOLLIN;
    if (events & (EPOLLOUT | BOTH_SIDES) && !wake(here.waiters[WRITER], 0))
        here.armed &= ~(uint32_t)EPOLLOUT;
    watch(fd, here.armed);
}

int netpoll(int64_t deadline) {
    struct epoll_event *events = (void *)(poller.table + poller.capacity);
    int timeout = timer_milliseconds(deadline), count = 0;

    if (poller.waiting > 0)
        count = epoll_wait(poller.epoll, events, (int)poller.capacity, timeout);
    else if (timeout == -1)
        return -1;
    else if (timeout > 0)
        poll(NULL, 0, timeout);
    if (count == -1 && errno != EINTR)
        err(EXIT_FAILURE, "epoll_wait");
    for (int i = 0; i < count; i++)
        dispatch(events[i].data.fd, events[i].events);
    return 0;
}
