/*
 * pool.c - a work queue, a done queue, and one lock for both.
 *
 * A job lives in the frame of the task that waits for it. It is on the work
 * queue, then in the hands of one worker, then on the done queue, and from
 * there the loop's thread takes all at once.
 *
 * An eventfd is a counter: many writes may become one event. Nothing is lost by
 * that, as the jobs are not in the counter but in the queue. The first on an
 * empty done queue writes; the loop reads first and empties the queue after, so
 * a job that it does not find comes with a write of its own.
 */
#define _GNU_SOURCE
#include "pool.h"

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "child.h"
#include "io.h"
#include "netpoll.h"
#include "scheduler.h"
#include "timer.h"

struct job {
    void (*fn)(void *arg);
    void *arg;
    struct waiter waiter; /* the task; for the loop's thread alone */
    struct job *next;     /* in its queue */
};

struct queue {
    struct job *first, **last; /* `last`: the link to be filled in next */
};

static struct {
    /* For the loop's thread alone. */
    pthread_t *threads; /* NULL while there is no pool */
    int workers;
    int unfinished;  /* jobs between offload() and the wake-up of its task */
    bool collecting; /* a task waits for the eventfd */
    int wakefd;      /* changes only while there are no workers */

    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t work_or_stop;
    struct queue work, done;
    bool stop;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .work_or_stop = PTHREAD_COND_INITIALIZER,
          .work.last = &pool.work.first,
          .done.last = &pool.done.first};

static void push(struct queue *queue, struct job *job) {
    job->next = NULL;
    *queue->last = job;
    queue->last = &job->next;
}

/* Returns NULL if there is none. */
static struct job *take_first(struct queue *queue) {
    struct job *job = queue->first;

    if (job != NULL)
        queue->first = job->next;
    if (queue->first == NULL)
        queue->last = &queue->first;
    return job;
}

/* Empties the queue and returns what was in it, as a list. */
static struct job *take_all(struct queue *queue) {
    struct job *jobs = queue->first;

    queue->first = NULL;
    queue->last = &queue->first;
    return jobs;
}

static _Thread_local bool is_worker; /* this thread is one of the pool's */

/* What a worker does: holds the lock, except while it waits or runs a job. */
static void *work(void *unused) {
    is_worker = true;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.work.first == NULL && !pool.stop)
            pthread_cond_wait(&pool.work_or_stop, &pool.lock);
        struct job *job = take_first(&pool.work);
        if (job == NULL) /* stop, and all that was submitted has been run */
            break;
        pthread_mutex_unlock(&pool.lock);
        job->fn(job->arg);
        pthread_mutex_lock(&pool.lock);
        if (pool.done.first == NULL)
            eventfd_write(pool.wakefd, 1);
        push(&pool.done, job);
    }
    pthread_mutex_unlock(&pool.lock);
    return unused;
}

/*
 * The signals that the program has a handler for. These are for the loop's
 * thread alone, except those of a fault, which are for the thread at fault.
 */
static void find_handled(sigset_t *handled) {
    struct sigaction action;

    sigemptyset(handled);
    for (int signal = 1; signal < NSIG; signal++)
        if (sigaction(signal, NULL, &action) == 0 &&
            action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
            sigaddset(handled, signal);
    sigdelset(handled, SIGSEGV);
    sigdelset(handled, SIGBUS);
    sigdelset(handled, SIGFPE);
    sigdelset(handled, SIGILL);
}

/* Starts up to `workers` threads; 0, or what pthread_create() gave. */
static int start_threads(int workers) {
    int error = 0;
    sigset_t handled, before;

    find_handled(&handled);
    pthread_sigmask(SIG_BLOCK, &handled, &before);
    for (pool.workers = 0; pool.workers < workers && error == 0;) {
        error = pthread_create(&pool.threads[pool.workers], NULL, work, NULL);
        if (error == 0)
            pool.workers++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int pool_start(int workers) {
    if (workers < 1 || pool.threads != NULL) {
        errno = workers < 1 ? EINVAL : EBUSY;
        return -1;
    }
    int wakefd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (wakefd == -1)
        return -1;
    pool.threads = calloc((size_t)workers, sizeof *pool.threads);
    if (pool.threads == NULL) {
        close(wakefd);
        return -1;
    }
    pool.wakefd = wakefd;
    int error = start_threads(workers);
    if (error != 0) {
        pool_stop();
        errno = error;
        return -1;
    }
    return 0;
}

/* Wakes the tasks whose jobs are done. */
static void deliver(void) {
    pthread_mutex_lock(&pool.lock);
    struct job *job = take_all(&pool.done);
    pthread_mutex_unlock(&pool.lock);

    for (; job != NULL; job = job->next) {
        pool.unfinished--;
        wake(&job->waiter, 0);
    }
}

void pool_stop(void) {
    if (pool.threads == NULL || child_of_fork())
        return;
    if (is_worker) { /* it would wait for its own end */
        warnx("pool_stop in a job");
        _exit(EXIT_FAILURE);
    }
    pthread_mutex_lock(&pool.lock);
    pool.stop = true;
    pthread_cond_broadcast(&pool.work_or_stop);
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < pool.workers; i++)
        pthread_join(pool.threads[i], NULL);

    deliver();
    io_close(pool.wakefd);
    pool.wakefd = -1;
    pool.stop = false;
    free(pool.threads);
    pool.threads = NULL;
}

/* When there is no memory or descriptor to wait for the eventfd with. */
static void retry_soon(void) {
    if (sleep_until(now() + SECOND / 100) == -1)
        yield();
}

/* The task that waits for the eventfd, for as long as any job is unfinished. */
static void collect(void *unused) {
    eventfd_t count;

    (void)unused;
    while (pool.unfinished > 0) {
        if (wait_fd(pool.wakefd, EPOLLIN, NEVER) == -1 && errno != ECANCELED)
            retry_soon();
        eventfd_read(pool.wakefd, &count); /* first this, then the queue */
        deliver();
    }
    pool.collecting = false;
}

static void submit(struct job *job) {
    pthread_mutex_lock(&pool.lock);
    push(&pool.work, job);
    pthread_mutex_unlock(&pool.lock);
    pthread_cond_signal(&pool.work_or_stop);
}

int offload(void (*fn)(void *arg), void *arg) {
    struct job job = {
        .fn = fn, .arg = arg, .waiter = {.task = self(), .result = PENDING}};

    if (pool.threads == NULL) {
        errno = ESRCH;
        return -1;
    }
    if (!pool.collecting && go("pool", collect, NULL) == -1)
        return -1;
    pool.collecting = true;
    pool.unfinished++;
    submit(&job);
    return wait_until(&job.waiter, NEVER);
}
