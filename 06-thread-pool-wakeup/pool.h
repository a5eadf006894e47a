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
 * Starts so many workers. They block all signals but those of a fault, so that
 * the loop's thread gets them. Returns 0, or -1 with errno EINVAL for fewer
 * than one, EBUSY when the pool is started, ENOMEM, EMFILE or ENFILE (see
 * eventfd(2)), or what pthread_create(3) gave; then none is left running. A
 * child of fork(2) has no workers, so daemon(3) comes before.
 */
int pool_start(int workers);

/*
 * Runs what was submitted, wakes who waits for it and ends the workers. Blocks
 * the thread for as long as that takes. Does nothing when there is no pool.
 */
void pool_stop(void);

/*
 * Parks the calling task until a worker has run fn(arg). Returns 0, or -1 with
 * errno ESRCH when there is no pool, or that of go(). `fn` runs on another
 * thread: it must not call anything of the scheduler, it must return (and not
 * end the thread), and what it shares with others than the caller needs a lock.
 */
int offload(void (*fn)(void *arg), void *arg);

#endif
