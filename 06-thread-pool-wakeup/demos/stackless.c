/*
 * stackless.c - a queue of tasks that are ready, and epoll for the others.
 *
 * Compare it with scheduler.c and netpoll.c: there is no context and no stack.
 * A step returns, so its frame is gone, and the next call starts from the top.
 */
#define _GNU_SOURCE
#include "stackless.h"

#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>

enum { EVENTS_MAX = 64 };

static struct {
    struct stackless *first, **last; /* ready; `last`: the link to fill next */
    int unfinished, waiting;         /* all tasks; the tasks in the epoll */
    int epoll;
} loop = {.last = &loop.first, .epoll = -1};

static void push(struct stackless *task) {
    task->next = NULL;
    *loop.last = task;
    loop.last = &task->next;
}

void stackless_ready(struct stackless *task) {
    if (task->ready)
        return;
    task->ready = true;
    push(task);
}

void stackless_go(struct stackless *task, enum step (*step)(void *state),
                  void *state) {
    *task = (struct stackless){.step = step, .state = state};
    loop.unfinished++;
    stackless_ready(task);
}

int stackless_wait(struct stackless *task, int fd) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT,
                                .data.ptr = task};

    if (loop.epoll == -1 && (loop.epoll = epoll_create1(EPOLL_CLOEXEC)) == -1)
        return -1;
    if (epoll_ctl(loop.epoll, EPOLL_CTL_ADD, fd, &event) == -1)
        return -1;
    task->ready = false;
    loop.waiting++;
    return 0;
}

/* Sleeps only if no task is ready. */
static int poll_descriptors(void) {
    struct epoll_event events[EVENTS_MAX];
    int timeout = loop.first != NULL ? 0 : -1;

    if (loop.waiting == 0 && loop.first == NULL) {
        errno = EDEADLK;
        return -1;
    }
    if (loop.waiting == 0)
        return 0;
    int count = epoll_wait(loop.epoll, events, EVENTS_MAX, timeout);
    for (int i = 0; i < count; i++) {
        loop.waiting--;
        stackless_ready(events[i].data.ptr);
    }
    return count == -1 && errno != EINTR ? -1 : 0;
}

/* A switch is a call through a pointer, and a jump to where it left off. */
static void run_round(void) {
    struct stackless *task = loop.first, *next;

    loop.first = NULL;
    loop.last = &loop.first;
    for (; task != NULL; task = next) {
        next = task->next;
        if (task->step(task->state) == STEP_DONE)
            loop.unfinished--; /* and it may be freed */
        else if (task->ready)
            push(task);
    }
}

int stackless_run(void) {
    while (loop.unfinished > 0) {
        if (poll_descriptors() == -1)
            return -1;
        run_round();
    }
    return 0;
}
