/*
 * io.h - read, write, accept and connect that block the task alone.
 *
 * Each tries the system call first, and waits (netpoll.h) only if that would
 * block. The descriptor must be non-blocking: a blocking one stops the thread.
 * Every 64th success, of whichever task, gives up a turn, so that a peer who
 * never stops talking cannot keep the thread for itself.
 *
 * A deadline (timer.h) limits the waiting alone: what can be done at once is
 * done although it has passed. After it they fail with ETIMEDOUT. Until then
 * what is ready and would block nevertheless is tried again in each round: an
 * eventfd without room, a socket whose error queue nobody reads.
 *
 * On failure they return -1 with the errno of the system call or of wait_fd().
 * SIGPIPE is the program's business: signal(SIGPIPE, SIG_IGN) makes it EPIPE.
 */
#ifndef IO_H
#define IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* Reads what is there, `len` bytes at most: their number, or 0 at the end. */
ssize_t io_read(int fd, void *buf, size_t len, int64_t deadline);

/*
 * Writes all `len` bytes and returns `len`. On -1 some may have been written.
 */
ssize_t io_write(int fd, const void *buf, size_t len, int64_t deadline);

/* The new descriptor, non-blocking and close-on-exec. */
int io_accept(int fd, int64_t deadline);

/*
 * Returns 0 when connected. A Unix socket whose listener has a full backlog
 * gives EAGAIN at once: the kernel offers nothing to wait for.
 */
int io_connect(int fd, const struct sockaddr *addr, socklen_t len,
               int64_t deadline);

/* netpoll_forget(), then close(2): not to be repeated, not even after -1. */
int io_close(int fd);

#endif
