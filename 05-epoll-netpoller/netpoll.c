/*
 * netpoll.c - a table of poll descriptors in front of one epoll instance.
 *
 * Telling epoll about a descriptor costs a system call. So a descriptor stays
 * registered when its event has come: a task that reads, answers and waits
 * again finds it armed. Only if epoll reports a side for which nobody waits is
 * that side taken out, or the loop would spin on it.
 *
 * The table is indexed by descriptor and moves when it grows. Nobody keeps a
 * pointer into it over a park(): what a task waits with is in its own frame.
 */
#define _GNU_SOURCE
#include "netpoll.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>

#include "scheduler.h"
#include "timer.h"

enum { EVENTS_MAX = 256 }; /* of one call; the others come with the next */

enum side { READER, WRITER };

struct poll_descriptor {
    struct waiter *waiters[2]; /* by side */
    uint32_t armed;            /* what epoll watches; 0: not registered */
};

static struct {
    int epoll, waiting; /* the epoll instance, the tasks in wait_fd() */
    size_t capacity;
    struct poll_descriptor *table;
} poller = {.epoll = -1};

static int fail(int error) {
    errno = error;
    return -1;
}

/* Makes room for fd, if it is open: a wild number does not cost memory. */
static int reserve(int fd) {
    if ((size_t)fd < poller.capacity)
        return 0;
    if (fcntl(fd, F_GETFD) == -1)
        return -1;
    if (poller.epoll == -1 &&
        (poller.epoll = epoll_create1(EPOLL_CLOEXEC)) == -1)
        return -1;
    size_t capacity = 2 * ((size_t)fd + 32);
    void *table = reallocarray(poller.table, capacity, sizeof *poller.table);
    if (table == NULL)
        return -1;
    poller.table = table;
    for (; poller.capacity < capacity; poller.capacity++)
        poller.table[poller.capacity] = (struct poll_descriptor){0};
    return 0;
}

/* Has epoll watch these sides of fd and no others. */
static int watch(int fd, uint32_t sides) {
    uint32_t *armed = &poller.table[fd].armed;
    int how = !sides ? EPOLL_CTL_DEL : *armed ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    struct epoll_event event = {.events = sides, .data.fd = fd};

    if (*armed != sides && epoll_ctl(poller.epoll, how, fd, &event) == -1)
        return -1;
    *armed = sides;
    return 0;
}

/* Gives whoever waits there the result. Returns NULL if nobody does. */
static struct waiter *wake(int fd, enum side side, int result) {
    struct waiter *waiter = poller.table[fd].waiters[side];

    if (waiter != NULL) {
        waiter->result = result;
        ready(waiter->task);
    }
    return waiter;
}

int wait_fd(int fd, uint32_t events, int64_t deadline) {
    enum side side = events == EPOLLIN ? READER : WRITER;
    struct pollfd last_look = {.fd = fd, .events = (short)events};
    struct waiter waiter;

    if (events != EPOLLIN && events != EPOLLOUT)
        return fail(EINVAL);
    if (reserve(fd) == -1)
        return -1;
    if (poller.table[fd].waiters[side] != NULL)
        return fail(EBUSY);
    int refused = watch(fd, poller.table[fd].armed | events) == -1;
    if ((refused && errno != EPERM) || /* EPERM: a regular file, so ready */
        timer_start(&waiter, refused ? 0 : deadline) == -1)
        return -1;
    poller.table[fd].waiters[side] = &waiter;
    poller.waiting++;
    while (waiter.result == PENDING)
        park();
    poller.waiting--;
    if (poller.table[fd].waiters[side] == &waiter) /* not another's by now */
        poller.table[fd].waiters[side] = NULL;
    timer_stop(&waiter);
    if (waiter.result == ETIMEDOUT && (refused || poll(&last_look, 1, 0) == 1))
        return 0;
    return waiter.result == 0 ? 0 : fail(waiter.result);
}

void netpoll_forget(int fd) {
    if ((size_t)fd >= poller.capacity)
        return;
    wake(fd, READER, ECANCELED);
    wake(fd, WRITER, ECANCELED);
    watch(fd, 0);
    poller.table[fd] = (struct poll_descriptor){0};
}

/* A side that is reported to nobody is taken out, or the loop would spin. */
static void dispatch(int fd, uint32_t events) {
    uint32_t armed = poller.table[fd].armed;

    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR) && !wake(fd, READER, 0))
        armed &= ~(uint32_t)EPOLLIN;
    if (events & (EPOLLOUT | EPOLLHUP | EPOLLERR) && !wake(fd, WRITER, 0))
        armed &= ~(uint32_t)EPOLLOUT;
    watch(fd, armed);
}

int netpoll(int64_t deadline) {
    struct epoll_event events[EVENTS_MAX];
    int timeout = timer_milliseconds(deadline), count = 0;

    if (poller.waiting > 0)
        count = epoll_wait(poller.epoll, events, EVENTS_MAX, timeout);
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
