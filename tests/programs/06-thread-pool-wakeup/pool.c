/*
 * pool.c - what pool_start(), pool_stop() and offload() promise.
 */
#define _GNU_SOURCE
#include "pool.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io.h"
#include "netpoll.h"
#include "sanitizer.h"
#include "scheduler.h"
#include "support.h"
#include "timer.h"

#ifdef __SANITIZE_THREAD__ /* to which a task is a thread, and as dear */
enum { TASKS = 50, JOBS = 20, EMPTY_JOBS = 200 };
#else
enum { TASKS = 500, JOBS = 20, EMPTY_JOBS = 10000 };
#endif

static struct {
    atomic_int runs[TASKS * JOBS]; /* of each job */
    int resumed[TASKS];            /* how often offload() came back */
    atomic_int run;                /* jobs, in all */
    int done;                      /* tasks that reached their end */
    int turns;
    bool stop;
    sem_t gate; /* what a job waits for */
    pthread_t loop;
    long threads; /* while there is no pool */
    struct task *task;
    int silent; /* nothing comes from there */
    volatile sig_atomic_t signals, elsewhere;
} test;

/* A thread that has been joined may be on its way out for a moment. */
static bool threads_become(long count) {
    int64_t deadline = in_ms(20000);

    while (status_line("Threads") != count && now() < deadline)
        usleep(1000);
    return status_line("Threads") == count;
}

static void *do_nothing(void *unused) { return unused; }

/* ThreadSanitizer adds a thread of its own as soon as there is another. */
static void count_threads(void) {
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, do_nothing, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
#ifdef __SANITIZE_THREAD__
    test.threads = 2;
#else
    test.threads = 1;
#endif
}

static void start_pool(int workers) { CHECK(pool_start(workers) == 0); }

/* offload(), but the errno or 0. */
static int offload_result(void (*fn)(void *arg), void *arg) {
    errno = 0;
    return offload(fn, arg) == 0 ? 0 : errno;
}

static void count_run(void *arg) {
    CHECK(!pthread_equal(pthread_self(), test.loop));
    if (arg != NULL)
        (*(atomic_int *)arg)++;
    test.run++;
}

static void offload_some(void *arg) {
    int number = (int)(intptr_t)arg;

    for (int i = 0; i < JOBS; i++) {
        atomic_int *runs = &test.runs[number * JOBS + i];
        CHECK(offload(count_run, runs) == 0);
        CHECK(*runs == 1); /* has been run when offload() comes back */
        test.resumed[number]++;
    }
    test.done++;
}

static void run_many(int workers) {
    start_pool(workers);
    for (intptr_t i = 0; i < TASKS; i++)
        start("task", offload_some, (void *)i);
    schedule();
    CHECK(test.done == TASKS && test.run == TASKS * JOBS);
    for (int i = 0; i < TASKS; i++)
        CHECK(test.resumed[i] == JOBS);
    for (int i = 0; i < TASKS * JOBS; i++)
        CHECK(test.runs[i] == 1);
    pool_stop();
    CHECK(threads_become(test.threads));
}

static void one_worker(void) { run_many(1); }

static void eight_workers(void) { run_many(8); }

static void many_workers(void) { run_many(64); }

static void wait_at_gate(void *unused) {
    (void)unused;
    while (sem_wait(&test.gate) == -1)
        CHECK(errno == EINTR);
    test.run++;
}

static void offload_gate(void *unused) {
    (void)unused;
    CHECK(offload(wait_at_gate, NULL) == 0);
    test.done++;
}

static void tick_and_open(void *unused) {
    (void)unused;
    for (int i = 0; i < 50; i++)
        CHECK(sleep_until(in_ms(1)) == 0);
    for (int i = 0; i < 1000; i++)
        yield();
    CHECK(test.done == 0); /* all of them still wait, and here we are */
    for (int i = 0; i < 20; i++)
        sem_post(&test.gate);
    test.done++;
}

static void more_jobs_than_workers(void) {
    start_pool(2);
    for (int i = 0; i < 20; i++)
        start("task", offload_gate, NULL);
    start("other", tick_and_open, NULL);
    schedule();
    CHECK(test.done == 21 && test.run == 20);
    pool_stop();
}

static void add_one(void *arg) { ++*(int *)arg; }

static void offload_without_pool(void *unused) {
    int jobs = 0;

    (void)unused;
    CHECK(offload_result(add_one, &jobs) == ESRCH);
    start_pool(1);
    CHECK(offload_result(add_one, &jobs) == 0);
    errno = 0;
    CHECK(pool_start(1) == -1 && errno == EBUSY);
    errno = 0;
    CHECK(pool_start(0) == -1 && errno == EINVAL);
    CHECK(offload_result(add_one, &jobs) == 0); /* it is still there */
    pool_stop();
    CHECK(offload_result(add_one, &jobs) == ESRCH);
    CHECK(jobs == 2);
    test.done++;
}

static void wrong_use(void) {
    errno = 0;
    CHECK(pool_start(0) == -1 && errno == EINVAL);
    errno = 0;
    CHECK(pool_start(-1) == -1 && errno == EINVAL);
    pool_stop(); /* none there: nothing happens */
    start("task", offload_without_pool, NULL);
    schedule();
    CHECK(test.done == 1);
    pool_stop();
}

/* Whatever pool_start() could not get, it leaves nothing behind. */
static void check_failure(int error) {
    int descriptors = open_descriptors();

    errno = 0;
    CHECK(pool_start(4) == -1 && errno == error);
    CHECK(threads_become(test.threads));
    CHECK(open_descriptors() == descriptors);
}

static void offload_once(void *unused) {
    int jobs = 0;

    (void)unused;
    CHECK(offload_result(add_one, &jobs) == 0 && jobs == 1);
    test.done++;
}

static void cannot_start(void) {
    int descriptors = open_descriptors();

    for (int threads = 0; threads < 4; threads++) {
        libc_calls.threads_possible = threads;
        check_failure(EAGAIN);
    }
    libc_calls.threads_possible = 1000;
    libc_calls.no_memory = true;
    errno = 0;
    CHECK(pool_start(4) == -1 && errno == ENOMEM);
    libc_calls.no_memory = false;
    CHECK(open_descriptors() == descriptors);
    forbid_descriptors();
    errno = 0;
    CHECK(pool_start(4) == -1 && errno == EMFILE);
    raise_descriptor_limit();
    CHECK(threads_become(test.threads));

    start_pool(4); /* and can be called again */
    start("task", offload_once, NULL);
    schedule();
    CHECK(test.done == 1);
    pool_stop();
    CHECK(open_descriptors() <= descriptors + 1); /* the epoll instance stays */
}

static void count_slowly(void *unused) {
    (void)unused;
    usleep(1000);
    test.run++;
}

static void stop_at_once(void *unused) {
    (void)unused;
    CHECK(test.run == 0);
    for (int i = 0; i < 100; i++)
        sem_post(&test.gate);
    pool_stop();
    CHECK(test.run == 100);
    CHECK(threads_become(test.threads));
    test.done++;
}

static void stop_drains(void) {
    start_pool(2);
    for (int i = 0; i < 100; i++)
        start("task", offload_gate, NULL);
    start("stopper", stop_at_once, NULL);
    schedule();
    CHECK(test.done == 101);
}

static void stop_and_start(void *unused) {
    (void)unused;
    for (int i = 0; i < 20; i++) {
        pool_stop();
        start_pool(1 + i % 3);
        CHECK(offload(count_slowly, NULL) == 0);
    }
    test.done++;
}

static void offload_across_stops(void *unused) {
    (void)unused;
    for (int i = 0; i < 20; i++)
        CHECK(offload(count_slowly, NULL) == 0);
    test.done++;
}

static void restart_under_load(void) {
    start_pool(2);
    for (int i = 0; i < 20; i++)
        start("task", offload_across_stops, NULL);
    start("restarter", stop_and_start, NULL);
    schedule();
    CHECK(test.done == 21 && test.run == 420);
    pool_stop();
    CHECK(threads_become(test.threads));
}

static void start_and_stop(void) {
    int descriptors = 0;

    for (int i = 0; i < 2000; i++) {
        start_pool(1 + i % 3);
        if (i % 10 == 0) {
            start("task", offload_once, NULL);
            schedule();
        }
        pool_stop();
        if (i == 0)
            descriptors = open_descriptors();
    }
    CHECK(test.done == 200);
    CHECK(threads_become(test.threads));
    CHECK(open_descriptors() == descriptors);
}

static void remember_and_offload(void *unused) {
    (void)unused;
    test.task = self();
    CHECK(offload(wait_at_gate, NULL) == 0);
    CHECK(test.run == 1);
    test.task = NULL;
    test.done++;
}

static void wake_in_vain(void *unused) {
    (void)unused;
    yield();
    for (int i = 0; i < 1000; i++) {
        ready(test.task);
        yield();
    }
    CHECK(test.done == 0 && test.task != NULL);
    sem_post(&test.gate);
    test.done++;
}

static void foreign_ready(void) {
    start_pool(1);
    start("task", remember_and_offload, NULL);
    start("waker", wake_in_vain, NULL);
    schedule();
    CHECK(test.done == 2);
    pool_stop();
}

static void offload_and_park(void *unused) {
    (void)unused;
    CHECK(sleep_until(in_ms(5)) == 0);
    CHECK(offload(count_slowly, NULL) == 0); /* pending: no deadlock yet */
    puts("nothing pending now");
    park();
}

static void park_for_good(void *unused) {
    (void)unused;
    park();
}

static void deadlock_after_use(void) {
    start_pool(2);
    start("oven", offload_and_park, NULL);
    start("cashier", park_for_good, NULL);
    schedule();
}

static void deadlock_idle_pool(void) {
    start_pool(2);
    start("oven", park_for_good, NULL);
    schedule();
}

static void idle_pool(void) {
    start_pool(2);
    schedule(); /* no tasks at all */
    for (int i = 0; i < 2; i++) {
        start("task", offload_once, NULL);
        schedule();
    }
    CHECK(test.done == 2);
    CHECK(threads_become(test.threads + 2));
    pool_stop();
}

static void offload_empty(void *unused) {
    (void)unused;
    CHECK(offload(count_run, NULL) == 0);
    test.done++;
}

/* Keeps the loop busy until all jobs have been run. */
static void hold_loop(void *unused) {
    (void)unused;
    while (test.run < EMPTY_JOBS)
        usleep(1000);
    CHECK(test.done == 0);
    test.done++;
}

static void wakeups_are_shared(void) {
    start_pool(4);
    for (int i = 0; i < EMPTY_JOBS; i++)
        start("task", offload_empty, NULL);
    start("holder", hold_loop, NULL);
    schedule();
    CHECK(test.done == EMPTY_JOBS + 1);
    pool_stop();
    CHECK(libc_calls.eventfd_write < 10); /* the pile came back in one piece */
    CHECK(libc_calls.epoll_wait < 20);
}

static void on_signal(int signal) {
    (void)signal;
    test.signals++;
    if (!pthread_equal(pthread_self(), test.loop))
        test.elsewhere++;
}

/* While the loop's thread does not want it, no worker may take it either. */
static void send_signals(void *unused) {
    sigset_t usr1, before;

    (void)unused;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &usr1, &before) == 0);
    CHECK(kill(getpid(), SIGUSR1) == 0);
    CHECK(sleep_until(in_ms(20)) == 0);
    CHECK(test.signals == 0);
    CHECK(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
    for (int i = 0; i < 20; i++) {
        CHECK(kill(getpid(), SIGUSR1) == 0);
        CHECK(sleep_until(in_ms(1)) == 0);
    }
    sem_post(&test.gate);
    test.done++;
}

static void signals(void) {
    sigset_t now_blocked;

    CHECK(signal(SIGUSR1, on_signal) != SIG_ERR);
    start_pool(4);
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &now_blocked) == 0);
    CHECK(!sigismember(&now_blocked, SIGUSR1)); /* the loop's own are as ever */
    start("task", offload_gate, NULL);
    start("sender", send_signals, NULL);
    schedule();
    CHECK(test.done == 2);
    CHECK(test.signals >= 2 && test.elsewhere == 0);
    pool_stop();
}

static volatile sig_atomic_t faults;

static void on_fault(int unused) {
    (void)unused;
    faults++;
}

/* Were it blocked, a real fault could reach nobody's handler. */
static void raise_fault(void *unused) {
    (void)unused;
    CHECK(raise(SIGFPE) == 0 && faults == 1);
}

static void offload_fault(void *unused) {
    (void)unused;
    CHECK(offload(raise_fault, NULL) == 0);
    test.done++;
}

static void job_faults(void) {
    CHECK(signal(SIGFPE, on_fault) != SIG_ERR);
    start_pool(1);
    start("task", offload_fault, NULL);
    schedule();
    CHECK(test.done == 1);
    pool_stop();
}

static void exit_seven(void *unused) {
    (void)unused;
    exit(7);
}

static void offload_exit(void *unused) {
    (void)unused;
    offload(exit_seven, NULL);
    CHECK(false); /* it came back */
}

static void job_exits(void) {
    start_pool(2);
    start("task", offload_exit, NULL);
    schedule();
    CHECK(false); /* schedule() came back */
}

static void offload_poor(void *unused) {
    (void)unused;
    forbid_descriptors(); /* no epoll instance: the loop must wait otherwise */
    for (int i = 0; i < 10; i++)
        CHECK(offload(count_slowly, NULL) == 0);
    raise_descriptor_limit();
    CHECK(offload(count_slowly, NULL) == 0);
    test.done++;
}

static void no_descriptors(void) {
    start_pool(1);
    start("task", offload_poor, NULL);
    schedule();
    CHECK(test.done == 1 && test.run == 11);
    pool_stop();
}

static void post_late(void *unused) {
    (void)unused;
    for (int i = 0; i < 5; i++)
        yield();
    sem_post(&test.gate);
}

static void wait_for_gate(void *unused) {
    (void)unused;
    while (sem_wait(&test.gate) == -1)
        ;
}

static void offload_poor_gate(void *unused) {
    (void)unused;
    forbid_descriptors();
    CHECK(offload_result(wait_for_gate, NULL) == 0);
    test.done++;
}

/* The job waits for another task: that one must have its turns. */
static void no_descriptors_job_waits(void) {
    start_pool(1);
    start("task", offload_poor_gate, NULL);
    start("poster", post_late, NULL);
    schedule();
    CHECK(test.done == 1);
    raise_descriptor_limit(); /* a sanitizer looks around at the end */
    pool_stop();
}

static void offload_while_go_fails(void *unused) {
    int jobs = 0;

    (void)unused;
    libc_calls.no_memory = true;
    while (go("child", park_for_good, NULL) == 0) /* until nothing is left */
        CHECK(++test.turns < 1000);
    CHECK(offload_result(add_one, &jobs) == ENOMEM);
    libc_calls.no_memory = false;
    CHECK(jobs == 0);
    CHECK(offload_result(add_one, &jobs) == 0 && jobs == 1);
    puts("memory came back");
    exit(EXIT_SUCCESS);
}

static void no_memory(void) {
    start_pool(1);
    start("task", offload_while_go_fails, NULL);
    schedule();
    CHECK(false); /* schedule() came back */
}

static struct {
    pthread_barrier_t both; /* so that neither is done before the other */
    int count;              /* without a lock */
} racing;

static void race(void *unused) {
    (void)unused;
    pthread_barrier_wait(&racing.both);
    racing.count++;
}

static void offload_race(void *unused) {
    (void)unused;
    CHECK(offload(race, NULL) == 0);
    test.done++;
}

/* For ThreadSanitizer to find. */
static void planted_race(void) {
    CHECK(pthread_barrier_init(&racing.both, NULL, 2) == 0);
    start_pool(2);
    start("one", offload_race, NULL);
    start("other", offload_race, NULL);
    schedule();
    CHECK(test.done == 2);
    pool_stop();
}

/* Jobs that do what they must not. */

static void stop_in_job(void *unused) {
    (void)unused;
    pool_stop();
}

static void exit_in_job(void *unused) {
    (void)unused;
    exit(0);
}

static void read_in_job(void *unused) {
    char byte;

    (void)unused;
    io_read(test.silent, &byte, 1, NEVER);
}

static void sleep_in_job(void *unused) {
    (void)unused;
    sleep_until(in_ms(10));
}

static void offload_this(void *fn) { offload(*(void (**)(void *))fn, NULL); }

static void misuse(void (*fn)(void *)) {
    int ends[2];

    make_pipe(ends);
    test.silent = ends[0];
    start_pool(2);
    start("task", offload_this, &fn);
    schedule();
}

static void stops_in_a_job(void) { misuse(stop_in_job); }

static void exits_in_a_job(void) {
    CHECK(atexit(pool_stop) == 0);
    misuse(exit_in_job);
}

static void reads_in_a_job(void) { misuse(read_in_job); }

static void sleeps_in_a_job(void) { misuse(sleep_in_job); }

/* What a job starts, and sends itself a signal that has no handler here. */
static void start_victim(void *status) {
    *(int *)status = system("kill -TERM $$; exit 7");
}

static void offload_victim(void *unused) {
    int status = 0;

    (void)unused;
    CHECK(offload(start_victim, &status) == 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    test.done++;
}

static void signals_are_inherited(void) {
    start_pool(1);
    start("task", offload_victim, NULL);
    schedule();
    pool_stop();
    CHECK(test.done == 1);
}

/* A child that calls exit(), and so pool_stop(), while a job is out. */
static void start_and_end_child(void *unused) {
    int status;

    (void)unused;
    yield(); /* the job is out, and its task waits */
    pid_t pid = fork();
    CHECK(pid != -1);
    if (pid == 0)
        exit(0);
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    sem_post(&test.gate);
    test.done++;
}

static void child_stops_the_pool(void) {
    CHECK(atexit(pool_stop) == 0);
    start_pool(1);
    start("task", offload_gate, NULL);
    start("parent", start_and_end_child, NULL);
    schedule();
    CHECK(test.done == 2);
}

int main(int argc, char **argv) {
    static const struct test_case cases[] = {
        {"one-worker", one_worker},
        {"eight-workers", eight_workers},
        {"many-workers", many_workers},
        {"more-jobs-than-workers", more_jobs_than_workers},
        {"wrong-use", wrong_use},
        {"cannot-start", cannot_start},
        {"stop-drains", stop_drains},
        {"restart-under-load", restart_under_load},
        {"start-and-stop", start_and_stop},
        {"foreign-ready", foreign_ready},
        {"deadlock-after-use", deadlock_after_use},
        {"deadlock-idle-pool", deadlock_idle_pool},
        {"idle-pool", idle_pool},
        {"wakeups-are-shared", wakeups_are_shared},
        {"signals", signals},
        {"stops-in-a-job", stops_in_a_job},
        {"exits-in-a-job", exits_in_a_job},
        {"reads-in-a-job", reads_in_a_job},
        {"sleeps-in-a-job", sleeps_in_a_job},
        {"signals-are-inherited", signals_are_inherited},
        {"child-stops-the-pool", child_stops_the_pool},
        {"job-exits", job_exits},
        {"job-faults", job_faults},
        {"no-descriptors", no_descriptors},
        {"no-descriptors-job-waits", no_descriptors_job_waits},
        {"no-memory", no_memory},
        {"planted-race", planted_race},
        {0},
    };

    test.loop = pthread_self();
    count_threads();
    CHECK(sem_init(&test.gate, 0, 0) == 0);
    return run_case(cases, argc, argv);
}
