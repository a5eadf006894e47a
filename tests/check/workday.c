/*
 * workday.c - a little of everything, while one call of the system fails.
 *
 * It builds with chapters 4, 5 and 6. A call of ours that fails prints its name
 * and errno, and is tried again: then it must succeed, as faults strike once.
 * All the work is done at the end, or the status is not 0.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "scheduler.h"

#ifndef __GLIBC__ /* musl knows no names: nothing is to fail there */
#define strerrorname_np strerror
#endif

enum { TASKS = 40, BYTES = 300000 };

static int ended; /* tasks */

/* Says what failed, and passes it on. */
static int tell(const char *call, int result) {
    if (result == -1)
        printf("%s: %s\n", call, strerrorname_np(errno));
    return result;
}

static void start(const char *name, void (*fn)(void *arg), void *arg) {
    if (tell("go", go(name, fn, arg)) == -1)
        CHECK(go(name, fn, arg) == 0);
}

static void take_turns(void *unused) {
    (void)unused;
    yield();
    yield();
    ended++;
}

static void work_together(void) {
    for (int i = 0; i < TASKS; i++)
        start("turns", take_turns, NULL);
}

#if __has_include("io.h")
#include "io.h"
#include "netpoll.h"
#include "timer.h"

/* Two tasks with a descriptor each. */
struct talk {
    int ends[2];
    int result; /* of the other task */
    bool ended;
    struct task *task;
};

static void hang_up(int fd) { tell("io_close", io_close(fd)); }

static void end_talk(struct talk *talk, int result) {
    talk->result = result;
    talk->ended = true;
    ready(talk->task);
}

static void wait_for_end(struct talk *talk) {
    while (!talk->ended)
        park();
}

static void send_all(void *arg) {
    static const char bytes[BYTES];
    struct talk *talk = arg;
    int result =
        (int)tell("io_write", (int)io_write(talk->ends[1], bytes, sizeof bytes,
                                            now() + 9 * SECOND));

    hang_up(talk->ends[1]);
    end_talk(talk, result == BYTES ? 0 : -1);
}

static int send_and_receive(void) {
    struct talk talk = {.task = self()};
    char bytes[8192];
    int sum = 0, count;

    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, talk.ends) == 0);
    if (tell("go", go("sender", send_all, &talk)) == -1) {
        close(talk.ends[0]), close(talk.ends[1]);
        return -1;
    }
    while ((count = tell("io_read", (int)io_read(talk.ends[0], bytes,
                                                 sizeof bytes, NEVER))) > 0)
        sum += count;
    hang_up(talk.ends[0]);
    wait_for_end(&talk);
    return talk.result == 0 && sum == BYTES ? 0 : -1;
}

/* Who cannot accept closes the door, so that nobody waits there. */
static void open_door(void *arg) {
    struct talk *talk = arg;
    int fd = tell("io_accept", io_accept(talk->ends[0], NEVER));

    if (fd != -1)
        hang_up(fd);
    hang_up(talk->ends[0]);
    end_talk(talk, fd == -1 ? -1 : 0);
}

static int come_in(struct talk *talk) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    struct sockaddr *at = (struct sockaddr *)&address;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(talk->ends[0], at, size) == 0 && listen(talk->ends[0], 1) == 0);
    CHECK(getsockname(talk->ends[0], at, &size) == 0);
    if (tell("go", go("door", open_door, talk)) == -1) {
        hang_up(talk->ends[0]);
        return -1;
    }
    int result = tell("io_connect",
                      io_connect(talk->ends[1], at, size, now() + 9 * SECOND));
    while (result == -1 && !talk->ended) { /* nobody will come */
        netpoll_forget(talk->ends[0]);
        yield();
    }
    wait_for_end(talk);
    return result == -1 ? -1 : talk->result;
}

static int connect_and_accept(void) {
    struct talk talk = {.task = self()};

    for (int i = 0; i < 2; i++)
        CHECK((talk.ends[i] =
                   socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) != -1);
    int result = come_in(&talk);
    hang_up(talk.ends[1]);
    return result;
}

/* By the fault that is tried: EPERM is what epoll says of a regular file. */
static bool taken_for_a_file(void) {
    const char *fault = getenv("FAULT");

    return fault != NULL && strncmp(fault, "epoll_ctl:EPERM", 15) == 0;
}

static int wait_in_vain(void) {
    int ends[2];

    CHECK(pipe2(ends, O_NONBLOCK) == 0);
    int64_t deadline = now() + SECOND / 1000;
    int result = wait_fd(ends[0], EPOLLIN, deadline);
    CHECK(result == -1 || taken_for_a_file());
    if (result == -1 && errno == ETIMEDOUT) {
        CHECK(now() >= deadline);
        result = 0;
    }
    tell("wait_fd", result);
    hang_up(ends[0]), hang_up(ends[1]);
    return result;
}

static int sleep_a_little(void) {
    int64_t deadline = now() + SECOND / 1000;
    int result = tell("sleep_until", sleep_until(deadline));

    CHECK(result == -1 || now() >= deadline);
    return result;
}

#if __has_include("pool.h")
#include "pool.h"

static void job(void *arg) { ++*(int *)arg; }

static int order(void) {
    int runs = 0, result = tell("offload", offload(job, &runs));

    CHECK(runs == (result == 0));
    return result;
}

static int open_and_close_pool(void) {
    int result = tell("pool_start", pool_start(3));

    if (result == -1)
        return -1;
    for (int i = 0; i < 3 && result == 0; i++)
        result = order();
    pool_stop();
    return result;
}
#endif

static int (*const parts[])(void) = {
    send_and_receive,    connect_and_accept, wait_in_vain, sleep_a_little,
#if __has_include("pool.h")
    open_and_close_pool,
#endif
};

static void do_all(void *unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i]() == -1)
            CHECK(parts[i]() == 0);
    ended++;
}

#else

static void do_all(void *unused) { take_turns(unused); }

#endif

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    work_together();
    start("all", do_all, NULL);
    schedule();
    CHECK(ended == TASKS + 1);
    return 0;
}
