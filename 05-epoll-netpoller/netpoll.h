/*
 * netpoll.h - the netpoller: tasks that wait for descriptors.
 *
 * Each descriptor has a poll descriptor, with a place for a reader and one for
 * a writer. A task that waits stands in its place and parks. The scheduler asks
 * epoll which descriptors are ready, and wakes the tasks that stand there:
 *
 *                        wait_fd(7, EPOLLIN)
 *      task "oven" -------------------------> poll descriptor 7: reader "oven"
 *           ^                                            |
 *           |  wake()                      epoll_wait()  |
 *           +--------------- netpoll() <-----------------+
 *
 * All of this is for the loop's thread (scheduler.h). What a child of fork(2)
 * may do is in child.h.
 */
#ifndef NETPOLL_H
#define NETPOLL_H

#include <stdint.h>
#include <sys/epoll.h>

/*
 * Parks the calling task until `fd` can be read (EPOLLIN) or written
 * (EPOLLOUT), has hung up or failed, or the deadline (timer.h) has passed. It
 * gives up the turn, unless it fails with EBUSY or one of the errors below it.
 * A regular file can always be read and written.
 *
 * Returns 0, even if the deadline has passed too; or -1 with errno
 *   ETIMEDOUT  the deadline came first
 *   ECANCELED  netpoll_forget() or io_close() took fd away
 *   EBUSY      another task waits for this side of fd, or has not had its turn
 *              since its wait ended
 *   EBADF      fd is not open
 *   EINVAL     not exactly one of EPOLLIN and EPOLLOUT
 *   ENOMEM, ENOSPC, EMFILE, ENFILE  see epoll_create(2), epoll_ctl(2)
 */
int wait_fd(int fd, uint32_t events, int64_t deadline);

/*
 * Must be called before anything but io_close() closes a descriptor that was
 * waited for. The tasks that wait for it get ECANCELED.
 *
 * Where this is forgotten, the program ends with a line that names the
 * descriptor, as soon as epoll_ctl(2) or poll(2) tells us. Nobody tells us
 * while a task waits without a deadline for a descriptor that was closed, or
 * for another one that has its number: that task may wait forever.
 */
void netpoll_forget(int fd);

/*
 * For schedule(): sleeps until a descriptor that a task waits for is ready or
 * the deadline has passed, and wakes the tasks whose descriptors are. Returns
 * 0, or -1 at once when there is neither: no task waits for a descriptor and
 * the deadline is NEVER.
 */
int netpoll(int64_t deadline);

#endif
