/*
 * pool.h - threads for what blocks: work goes out, finished work comes back.
 *
 *        the loop's thread                          the workers
 *
 *      offload() ---> work queue (mutex, condition) ---> fn(arg)
 *         |                                                |
 *         | park()                                         v
 *         v                                           done queue
 *       ready() <--- netpoller <--- eventfd <--------------+
 *
 * A worker does not touch the scheduler. It queues the job as done and writes
 * to an eventfd(2), which the netpoller watches like any other descriptor.
 */
#ifndef POOL_H
#define POOL_H

/*
 * Starts so many workers. Returns 0, or -1 with errno EINVAL for fewer than
 * one, EBUSY when the pool is started, ENOMEM, EMFILE or ENFILE (see
 * eventfd(2)), or what pthread_create(3) gave; then none is left running. A
 * child of fork(2) has no workers, so daemon(3) comes before.
 *
 * Workers block the signals that the program has handlers for by now, so that
 * these handlers run on the loop's thread. What a job starts, by posix_spawn(3)
 * or fork(2) and exec(3), inherits that: whoever must be ended by such a signal
 * needs POSIX_SPAWN_SETSIGMASK, or pthread_sigmask(3) before exec(). It also
 * inherits that SIGPIPE is ignored, if the program ignores it.
 */
int pool_start(int workers);

/*
 * Runs what was submitted, wakes the tasks that wait for it and ends the
 * workers. Blocks the thread for as long as that takes. Does nothing when there
 * is no pool, and in a child of fork(2). A job that calls it, or exit(3) after
 * atexit(pool_stop), ends the program with a line on stderr, and status 1.
 */
void pool_stop(void);

/*
 * Parks the calling task until a worker has run fn(arg). Returns 0, or -1 with
 * errno ESRCH when there is no pool, or that of go().
 *
 * `fn` runs on another thread. What it shares with others than the caller needs
 * a lock. It must return, and not end the thread. It may call now(), and io.h
 * on descriptors that no task waits for, as long as that need not wait: a call
 * that parks ends the program with a line, as it does outside of a task. It
 * must not call go(), ready() or netpoll_forget(): these are for the loop's
 * thread, and nothing checks that.
 */
int offload(void (*fn)(void *arg), void *arg);

#endif
