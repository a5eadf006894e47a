/*
 * child.h - what a child of fork(2) may do: nothing that reaches its parent.
 *
 * A child has copies of all tasks, and it shares the parent's epoll instance:
 * what the child changes there is changed for the parent. So a child that was
 * started after the first wait for a descriptor has no tasks. It may call
 * exec(3) or _exit(2), and do whatever needs no task. io_close() and
 * netpoll_forget() do not touch the epoll instance there. A child that was
 * started before the first wait is on its own and may do everything.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>

/*
 * From now on `fd` is closed in each child. Only one descriptor can be. Returns
 * fd, or -1 and errno; -1 is passed on.
 */
int child_closes(int fd);

/* Whether this process is a child that was started after child_closes(). */
bool child_of_fork(void);

/* In such a child, ends it with a line on stderr and status 1. */
void child_refuse(const char *call);

#endif
