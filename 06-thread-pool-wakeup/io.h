/*
 * io.h - read, write, accept and connect that block the task alone.
 *
 * Each tries the system call first, and waits (netpoll.h) only if that would
 * block. The descriptor must be non-blocking: a blocking one stops the thread.
 * Every 64th success, of whichever task, gives up a turn, so that a peer that
 * never stops talking cannot keep the thread for itself.
 *
 * A deadline (timer.h) limits the waiting alone: what can be done at once is
 * done although the deadline has passed. What would block after the deadline
 * fails with ETIMEDOUT. (The network may give ETIMEDOUT as well, for a
 * connection whose peer does not answer any more.) Some descriptors are ready
 * and would block nevertheless, such as an eventfd without room: these are
 * tried again in each round until the deadline.
 *
 * On failure all of them return -1 with the errno of the system call or of
 * wait_fd(). SIGPIPE is the program's business: with signal(SIGPIPE, SIG_IGN)
 * the errno is EPIPE instead.
 *
 * All of this is for the loop's thread (scheduler.h). What a child of fork(2)
 * may do is in child.h: io_close() is allowed.
 */
#ifndef IO_H
#define IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/*
 * Reads what is there, `len` bytes at most. Returns how many bytes it has read,
 * or 0 at the end and for an empty datagram.
 */
ssize_t io_read(int fd, void *buf, size_t len, int64_t deadline);

/*
 * Writes all `len` bytes and returns `len`. On -1 some may have been written.
 * No bytes are an empty datagram, where fd is a socket for datagrams.
 */
ssize_t io_write(int fd, const void *buf, size_t len, int64_t deadline);

/* Returns the new descriptor, which is non-blocking and close-on-exec. */
int io_accept(int fd, int64_t deadline);

/*
 * Returns 0 when connected. After ETIMEDOUT the connection is still under way:
 * a second call goes on waiting for it. A Unix socket whose listener has a full
 * backlog fails with EAGAIN at once: the kernel offers nothing to wait for.
 */
int io_connect(int fd, const struct sockaddr *addr, socklen_t len,
               int64_t deadline);

/*
 * netpoll_forget(), then close(2). The descriptor is closed even if this
 * returns -1, so it must not be called again.
 */
int io_close(int fd);

#endif
