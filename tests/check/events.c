/*
 * events.c - timers, descriptors and jobs at random, while signals interrupt.
 *
 *   ./events SEED ROUNDS
 *
 * It builds with chapters 5 and 6. Tasks wait, read, write, sleep and close
 * descriptors under each other, whose numbers come again at once. Each wait
 * must end in a way that its header allows, and never before its deadline
 * without an event. In chapter 6 jobs are offloaded as well.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"
#include "io.h"
#include "netpoll.h"
#include "random.h"
#include "scheduler.h"
#include "timer.h"
#if __has_include("pool.h")
#include "pool.h"
#define HAS_POOL 1
#else
#define HAS_POOL 0
#endif

enum { TASKS = 200, ACTIONS = 120, PAIRS = 30, BYTES = 4096 };

static struct {
    int pairs[PAIRS][2]; /* connected sockets */
    struct task *tasks[TASKS];
    int unfinished;
} world;

static void close_pair(int i) {
    for (int side = 0; side < 2; side++) {
        int fd = world.pairs[i][side];
        world.pairs[i][side] = -1;
        if (fd != -1)
            io_close(fd);
    }
}

/* Under new numbers or the old ones, now and then a high one. */
static void open_pair(int i) {
    int ends[2];

    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
    if (random_below(4) == 0) {
        int high = fcntl(ends[0], F_DUPFD, 100 + random_below(800));
        CHECK(high != -1 && close(ends[0]) == 0);
        ends[0] = high;
    }
    memcpy(world.pairs[i], ends, sizeof ends);
}

static int any_socket(void) {
    return world.pairs[random_below(PAIRS)][random_below(2)];
}

static int64_t any_deadline(void) {
    switch (random_below(5)) {
    case 0:
        return INT64_MIN;
    case 1:
        return now();
    case 2:
        return now() + random_below(3000000);
    default:
        return now() + random_below(300000);
    }
}

/* After a failure: it is one of those that the headers name. */
static void check_error(int64_t deadline) {
    if (errno == ETIMEDOUT)
        CHECK(now() >= deadline);
    else
        CHECK(errno == EBUSY || errno == ECANCELED || errno == EPIPE ||
              errno == ECONNRESET || errno == EBADF);
}

static void act_wait(void) {
    int64_t deadline = any_deadline();

    if (wait_fd(any_socket(), random_below(2) ? EPOLLIN : EPOLLOUT, deadline) ==
        -1)
        check_error(deadline);
}

static void act_read(void) {
    char bytes[BYTES];
    int64_t deadline = any_deadline();

    if (io_read(any_socket(), bytes, sizeof bytes, deadline) == -1)
        check_error(deadline);
}

static void act_write(void) {
    static const char bytes[BYTES];
    size_t size = 1 + (size_t)random_below(BYTES);
    int64_t deadline = any_deadline();
    ssize_t count = io_write(any_socket(), bytes, size, deadline);

    if (count == -1)
        check_error(deadline);
    else
        CHECK((size_t)count == size);
}

static void act_sleep(void) {
    int64_t deadline = any_deadline();

    CHECK(sleep_until(deadline) == 0);
    CHECK(now() >= deadline);
}

static void act_close(void) {
    int i = random_below(PAIRS);

    if (random_below(3) > 0)
        return;
    close_pair(i);
    open_pair(i);
}

static void act_file(void) {
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    CHECK(fd != -1);
    CHECK(wait_fd(fd, EPOLLIN, 0) == 0);
    CHECK(io_close(fd) == 0);
}

/* To who waits for something else: it must go on waiting. */
static void act_ready(void) { ready(world.tasks[random_below(TASKS)]); }

static void write_late(void *arg) {
    int *fd = arg;

    CHECK(sleep_until(now() + random_below(400000)) == 0);
    CHECK(io_write(*fd, "", 1, NEVER) == 1);
    CHECK(io_close(*fd) == 0);
    free(fd);
}

/* A deadline and a byte run to the same task, which sees both: each once. */
static void act_race(void) {
    int ends[2], *fd = malloc(sizeof *fd);
    char bytes[2];
    int64_t deadline = now() + random_below(400000);

    CHECK(fd != NULL);
    CHECK(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
    *fd = ends[1];
    CHECK(go("late", write_late, fd) == 0);
    if (wait_fd(ends[0], EPOLLIN, deadline) == -1)
        CHECK(errno == ETIMEDOUT && now() >= deadline);
    CHECK(io_read(ends[0], bytes, sizeof bytes, NEVER) == 1);
    CHECK(io_read(ends[0], bytes, sizeof bytes, NEVER) == 0);
    CHECK(io_close(ends[0]) == 0);
}

#if HAS_POOL
static void job(void *arg) { ++*(int *)arg; }

static void act_offload(void) {
    int runs = 0;

    CHECK(offload(job, &runs) == 0);
    CHECK(runs == 1);
}
#else
static void act_offload(void) {}
#endif

static void (*const acts[])(void) = {
    yield,     act_wait,  act_wait, act_read,  act_write, act_write,
    act_sleep, act_close, act_file, act_ready, act_race,  act_offload,
};

static void live(void *arg) {
    struct task **place = arg;

    *place = self();
    for (int i = 0; i < ACTIONS; i++)
        acts[random_below(sizeof acts / sizeof acts[0])]();
    *place = NULL;
    world.unfinished--;
}

static void interrupt(int unused) { (void)unused; }

static void interrupt_always(void) {
    struct sigaction action = {.sa_handler = interrupt};
    struct itimerval often = {{0, 700}, {0, 700}};

    CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
}

static void run_round(void) {
    for (int i = 0; i < PAIRS; i++)
        open_pair(i);
    world.unfinished = TASKS;
    for (int i = 0; i < TASKS; i++)
        CHECK(go("live", live, &world.tasks[i]) == 0);
    schedule();
    CHECK(world.unfinished == 0);
    for (int i = 0; i < PAIRS; i++)
        close_pair(i);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    random_seed(argc, argv);
    interrupt_always();
    for (int round = atoi(argv[2]); round > 0; round--) {
#if HAS_POOL
        CHECK(pool_start(1 + random_below(4)) == 0);
#endif
        run_round();
#if HAS_POOL
        pool_stop();
#endif
    }
    return 0;
}
