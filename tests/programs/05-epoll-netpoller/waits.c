/*
 * waits.c - what wait_fd(), netpoll_forget() and io_close() promise.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io.h"
#include "netpoll.h"
#include "scheduler.h"
#include "support.h"
#include "timer.h"

enum { READY_AT_ONCE = 1500, MESSAGES = 1000 };

static struct {
    int ends[2], others[2];
    int done;  /* tasks that reached their end */
    int turns; /* of the task that yields */
    bool stop;
    int errors[4]; /* what a wait of each kind ended with; 0: its event came */
} test;

/* wait_fd(), but the errno or 0. */
static int wait_result(int fd, uint32_t events, int64_t deadline) {
    errno = 0;
    return wait_fd(fd, events, deadline) == 0 ? 0 : errno;
}

static void keep_yielding(void *unused) {
    (void)unused;
    for (; !test.stop; test.turns++)
        yield();
    test.done++;
}

static void wait_for_reading(void *unused) {
    (void)unused;
    test.errors[0] = wait_result(test.ends[0], EPOLLIN, NEVER);
    test.done++;
}

static void wait_for_writing(void *unused) {
    (void)unused;
    test.errors[1] = wait_result(test.ends[0], EPOLLOUT, NEVER);
    test.done++;
}

static void use_sides(void *unused) {
    char byte;

    (void)unused;
    CHECK(wait_result(test.ends[0], EPOLLIN, NEVER) == EBUSY);
    CHECK(wait_result(test.ends[0], EPOLLIN, 0) == EBUSY);
    CHECK(wait_result(test.ends[0], EPOLLOUT, NEVER) == 0); /* that is free */
    poke(test.ends[1]);
    CHECK(sleep_until(in_ms(20)) == 0);
    CHECK(test.done == 1 && test.errors[0] == 0); /* the first was let be */
    CHECK(read(test.ends[0], &byte, 1) == 1);
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(10)) == ETIMEDOUT);
    test.done++;
}

static void one_of_a_side(void) {
    make_socketpair(test.ends);
    start("reader", wait_for_reading, NULL);
    start("second", use_sides, NULL);
    schedule();
    CHECK(test.done == 2);
}

static void serve_both_sides(void *unused) {
    static char data[1 << 20];

    (void)unused;
    CHECK(sleep_until(in_ms(10)) == 0);
    CHECK(test.done == 0); /* nothing to read and no room to write */
    poke(test.ends[1]);
    CHECK(sleep_until(in_ms(10)) == 0);
    CHECK(test.done == 1 && test.errors[0] == 0);
    while (read(test.ends[1], data, sizeof data) > 0)
        continue;
    CHECK(sleep_until(in_ms(10)) == 0);
    CHECK(test.done == 2 && test.errors[1] == 0);
    test.done++;
}

static void both_sides(void) {
    make_socketpair(test.ends);
    fill(test.ends[0]);
    start("reader", wait_for_reading, NULL);
    start("writer", wait_for_writing, NULL);
    start("peer", serve_both_sides, NULL);
    schedule();
    CHECK(test.done == 3);
}

static void close_and_reuse(void *unused) {
    int fd = test.ends[0];
    int64_t deadline = in_ms(5000);

    (void)unused;
    CHECK(io_close(fd) == 0);
    CHECK(dup2(test.others[0], fd) == fd); /* the same number, another file */
    CHECK(wait_result(fd, EPOLLIN, deadline) == 0);
    CHECK(now() < deadline); /* its event has woken it */
    CHECK(test.done == 2);
    CHECK(test.errors[0] == ECANCELED && test.errors[1] == ECANCELED);
    test.done++;
}

/* When those who were cancelled have long gone. */
static void poke_others(void *unused) {
    (void)unused;
    CHECK(sleep_until(in_ms(20)) == 0);
    poke(test.others[1]);
}

static void cancelled(void) {
    make_socketpair(test.ends);
    make_socketpair(test.others);
    fill(test.ends[0]);
    start("reader", wait_for_reading, NULL);
    start("writer", wait_for_writing, NULL);
    start("closer", close_and_reuse, NULL);
    start("peer", poke_others, NULL);
    schedule();
    CHECK(test.done == 3);
}

static void wait_briefly(void *arg) {
    int64_t deadline = *(int64_t *)arg;

    CHECK(wait_result(test.ends[0], EPOLLIN, deadline) == ECANCELED);
    test.done++;
}

/* Closes, and keeps the thread until the deadline has passed as well. */
static void close_and_linger(void *arg) {
    CHECK(io_close(test.ends[0]) == 0);
    while (now() <= *(int64_t *)arg)
        continue;
    test.done++;
}

static void cancelled_and_late(void) {
    static int64_t deadline;

    deadline = in_ms(30);
    make_socketpair(test.ends);
    start("reader", wait_briefly, &deadline);
    start("closer", close_and_linger, &deadline);
    schedule();
    CHECK(test.done == 2);
}

/* Takes the descriptor away after its event and before its waiter's turn. */
static void close_after_event(void *unused) {
    int fd = test.ends[0];

    (void)unused;
    yield(); /* the reader waits by now, behind us in the run queue */
    poke(test.ends[1]);
    yield();
    CHECK(test.done == 0);
    CHECK(io_close(fd) == 0);
    CHECK(dup2(test.others[0], fd) == fd);
    CHECK(wait_result(fd, EPOLLIN, in_ms(50)) == ETIMEDOUT);
    CHECK(test.done == 1);
    test.done++;
}

static void event_of_a_closed_one(void) {
    make_socketpair(test.ends);
    make_socketpair(test.others);
    start("closer", close_after_event, NULL);
    start("reader", wait_for_reading, NULL);
    schedule();
    CHECK(test.done == 2);
    CHECK(test.errors[0] == ECANCELED || test.errors[0] == 0);
}

static void forget_and_close(void *unused) {
    (void)unused;
    netpoll_forget(test.ends[0]);
    CHECK(close(test.ends[0]) == 0);
    yield();
    CHECK(test.done == 1 && test.errors[0] == ECANCELED);
    CHECK(dup2(test.others[0], test.ends[0]) == test.ends[0]);
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(10)) == ETIMEDOUT);
    poke(test.others[1]);
    CHECK(wait_result(test.ends[0], EPOLLIN, NEVER) == 0);
    test.done++;
}

static void forgotten(void) {
    make_socketpair(test.ends);
    make_socketpair(test.others);
    netpoll_forget(test.ends[0]); /* never waited for: nothing happens */
    netpoll_forget(-1);
    netpoll_forget(INT_MAX);
    start("reader", wait_for_reading, NULL);
    start("library", forget_and_close, NULL);
    schedule();
    CHECK(test.done == 2);
}

static void wait_for_nonsense(void *unused) {
    const int numbers[] = {-1, INT_MIN, INT_MAX, 1 << 20, test.ends[0]};
    long before = status_line("VmSize");

    (void)unused;
    CHECK(io_close(test.ends[0]) == 0);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        CHECK(wait_result(numbers[i], EPOLLIN, NEVER) == EBADF);
        CHECK(wait_result(numbers[i], EPOLLOUT, 0) == EBADF);
    }
    CHECK(status_line("VmSize") - before < 10 * 1024);
    CHECK(wait_result(test.ends[1], 0, NEVER) == EINVAL);
    CHECK(wait_result(test.ends[1], EPOLLIN | EPOLLOUT, NEVER) == EINVAL);
    CHECK(wait_result(test.ends[1], EPOLLPRI, NEVER) == EINVAL);
    CHECK(io_close(test.ends[0]) == -1 && errno == EBADF);
    CHECK(io_close(-1) == -1 && errno == EBADF);
    CHECK(io_close(INT_MAX) == -1 && errno == EBADF);
    test.done++;
}

static void nonsense(void) {
    make_socketpair(test.ends);
    start("nonsense", wait_for_nonsense, NULL);
    schedule();
    CHECK(test.done == 1);
}

static void wait_for_file(int fd, uint32_t events) {
    const int64_t deadlines[] = {NEVER, in_ms(60000), 0, -1, INT64_MIN};

    for (size_t i = 0; i < sizeof deadlines / sizeof deadlines[0]; i++) {
        int before = test.turns;
        CHECK(wait_result(fd, events, deadlines[i]) == 0);
        CHECK(test.turns == before + 1);
    }
}

static void wait_for_files(void *unused) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    FILE *file = tmpfile();

    (void)unused;
    CHECK(null != -1 && file != NULL);
    for (int i = 0; i < 2; i++) {
        wait_for_file(fileno(file), i ? EPOLLOUT : EPOLLIN);
        wait_for_file(null, i ? EPOLLOUT : EPOLLIN);
    }
    fclose(file);
    CHECK(io_close(null) == 0);
    test.stop = true;
    test.done++;
}

static void regular_files(void) {
    start("reader", wait_for_files, NULL);
    start("other", keep_yielding, NULL);
    schedule();
    CHECK(test.done == 2);
}

/* Each of these closes a descriptor behind the netpoller's back. */

static void wait_for_a_while(void *unused) {
    (void)unused;
    wait_result(test.ends[0], EPOLLIN, in_ms(20));
}

static void close_at_once(void *unused) {
    (void)unused;
    close(test.ends[0]);
}

static void closed_in_wait(void) {
    make_socketpair(test.ends);
    start("waiter", wait_for_a_while, NULL);
    start("closer", close_at_once, NULL);
    schedule();
}

static void close_original(void *unused) {
    (void)unused;
    CHECK(dup(test.ends[0]) != -1);
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(1)) == ETIMEDOUT);
    close(test.ends[0]);
    poke(test.ends[1]); /* epoll goes on reporting the duplicate */
    wait_result(test.others[0], EPOLLIN, in_ms(60000));
}

static void closed_with_duplicate(void) {
    make_socketpair(test.ends);
    make_socketpair(test.others);
    start("closer", close_original, NULL);
    schedule();
}

static void use_number_again(void *unused) {
    (void)unused;
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(1)) == ETIMEDOUT);
    close(test.ends[0]);
    CHECK(dup2(test.others[0], test.ends[0]) == test.ends[0]);
    wait_result(test.ends[0], EPOLLOUT, in_ms(60000));
}

static void closed_and_used_again(void) {
    make_socketpair(test.ends);
    make_socketpair(test.others);
    start("closer", use_number_again, NULL);
    schedule();
}

static void wait_with_past_deadline(void *unused) {
    const int64_t past[] = {0, -1, INT64_MIN, now()};

    (void)unused;
    for (size_t i = 0; i < 2 * sizeof past / sizeof past[0]; i++) {
        int before = test.turns;
        bool readable = i % 2 == 0; /* the one end or the other */
        int result = wait_result(test.ends[!readable], EPOLLIN, past[i / 2]);
        CHECK(result == (readable ? 0 : ETIMEDOUT));
        CHECK(test.turns == before + 1);
    }
    test.stop = true;
    test.done++;
}

static void past_deadline(void) {
    make_socketpair(test.ends);
    poke(test.ends[1]);
    start("waiter", wait_with_past_deadline, NULL);
    start("other", keep_yielding, NULL);
    schedule();
    CHECK(test.done == 2);
}

static void wait_past(void *arg) {
    CHECK(wait_result(*(int *)arg, EPOLLIN, 0) == 0);
    test.done++;
}

/* poll(2) refuses to look when no descriptors are allowed. */
static void forbid_and_end(void *unused) {
    (void)unused;
    forbid_descriptors();
}

static void many_ready_at_once(void) {
    static int fds[READY_AT_ONCE];

    CHECK(raise_descriptor_limit() > READY_AT_ONCE + 20);
    for (int i = 0; i < READY_AT_ONCE; i++) {
        fds[i] = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);
        CHECK(fds[i] != -1);
        start("waiter", wait_past, &fds[i]);
    }
    start("miser", forbid_and_end, NULL);
    schedule();
    CHECK(test.done == READY_AT_ONCE);
}

/* Keeps the thread until its event and its deadline are both there. */
static void be_late(void *arg) {
    int64_t deadline = *(int64_t *)arg;

    poke(test.ends[1]);
    while (now() <= deadline)
        continue;
    test.done++;
}

static void wait_and_sleep(void *arg) {
    int64_t until;

    CHECK(wait_result(test.ends[0], EPOLLIN, *(int64_t *)arg) == 0);
    until = in_ms(30); /* nothing is left over that would cut this short */
    CHECK(sleep_until(until) == 0);
    CHECK(now() >= until);
    until = in_ms(30);
    CHECK(wait_result(test.others[0], EPOLLIN, until) == ETIMEDOUT);
    CHECK(now() >= until);
    test.done++;
}

static void event_and_deadline(void) {
    static int64_t deadline;

    deadline = in_ms(20);
    make_pipe(test.ends);
    make_pipe(test.others);
    start("waiter", wait_and_sleep, &deadline);
    start("late", be_late, &deadline);
    schedule();
    CHECK(test.done == 2);
}

static void hang_up(void *unused) {
    (void)unused;
    CHECK(sleep_until(in_ms(10)) == 0);
    CHECK(test.done == 0);
    CHECK(io_close(test.ends[1]) == 0);
    test.done++;
}

static void hang_up_wakes_both(void) {
    make_socketpair(test.ends);
    fill(test.ends[0]); /* closed before all is read: hang-up and error */
    start("reader", wait_for_reading, NULL);
    start("writer", wait_for_writing, NULL);
    start("peer", hang_up, NULL);
    schedule();
    CHECK(test.done == 3);
    CHECK(test.errors[0] == 0 && test.errors[1] == 0);
}

static void wait_once_then_ignore(void *unused) {
    (void)unused;
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(5)) == ETIMEDOUT);
    CHECK(wait_result(test.ends[0], EPOLLOUT, NEVER) == 0);
    poke(test.ends[1]); /* nobody will read it */
    CHECK(wait_result(test.others[0], EPOLLIN, in_ms(100)) == ETIMEDOUT);
    CHECK(io_close(test.ends[1]) == 0); /* and nobody hears it hang up */
    CHECK(wait_result(test.others[0], EPOLLIN, in_ms(100)) == ETIMEDOUT);
    CHECK(libc_calls.epoll_wait < 20);
    CHECK(wait_result(test.ends[0], EPOLLIN, NEVER) == 0); /* till now */
    CHECK(wait_result(test.ends[0], EPOLLOUT, NEVER) == 0);
    test.done++;
}

static void nobody_waits_nobody_spins(void) {
    make_socketpair(test.ends);
    make_socketpair(test.others);
    start("waiter", wait_once_then_ignore, NULL);
    schedule();
    CHECK(test.done == 1);
}

static void read_byte_by_byte(void *unused) {
    char byte;

    (void)unused;
    for (int i = 0; i < 100; i++) {
        CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(60000)) == 0);
        CHECK(timer_next() == NEVER); /* the deadline is taken back */
        CHECK(read(test.ends[0], &byte, 1) == 1);
        if (i % 3 == 0)
            yield(); /* the rest is reported to nobody meanwhile */
    }
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(5)) == ETIMEDOUT);
    test.done++;
}

static void what_is_left_is_ready(void) {
    make_pipe(test.ends);
    for (int i = 0; i < 100; i++)
        poke(test.ends[1]);
    start("reader", read_byte_by_byte, NULL);
    schedule();
    CHECK(test.done == 1);
}

static void poke_soon(void *unused) {
    (void)unused;
    CHECK(sleep_until(in_ms(10)) == 0);
    poke(test.ends[1]);
    test.done++;
}

static void descriptor_zero(void) {
    make_pipe(test.ends);
    CHECK(dup2(test.ends[0], 0) == 0);
    test.ends[0] = 0;
    start("reader", wait_for_reading, NULL);
    start("writer", poke_soon, NULL);
    schedule();
    CHECK(test.done == 2 && test.errors[0] == 0);
    CHECK(io_close(0) == 0);
}

/* The table of poll descriptors grows, and moves, while the reader waits. */
static void wait_higher(void *unused) {
    int highest = raise_descriptor_limit() - 1;

    (void)unused;
    for (int fd = 100; fd < highest; fd *= 2) {
        CHECK(dup2(test.others[0], fd) == fd);
        CHECK(wait_result(fd, EPOLLIN, 0) == ETIMEDOUT);
        CHECK(io_close(fd) == 0);
    }
    CHECK(dup2(test.others[0], highest) == highest);
    poke(test.others[1]);
    CHECK(wait_result(highest, EPOLLIN, NEVER) == 0);
    poke(test.ends[1]);
    test.done++;
}

static void high_numbers(void) {
    make_socketpair(test.ends);
    make_pipe(test.others);
    fill(test.ends[0]);
    start("reader", wait_for_reading, NULL);
    start("higher", wait_higher, NULL);
    schedule();
    CHECK(test.done == 2 && test.errors[0] == 0);
}

static void play(void *arg) {
    int fd = *(int *)arg;
    bool serve = fd == test.ends[0];
    char byte;

    for (int i = 0; i < MESSAGES; i++) {
        if (serve)
            CHECK(io_write(fd, "x", 1, NEVER) == 1);
        CHECK(io_read(fd, &byte, 1, NEVER) == 1);
        if (!serve)
            CHECK(io_write(fd, "x", 1, NEVER) == 1);
    }
    test.done++;
}

static void stays_armed(void) {
    make_socketpair(test.ends);
    start("one", play, &test.ends[0]);
    start("other", play, &test.ends[1]);
    schedule();
    CHECK(test.done == 2);
    CHECK(libc_calls.epoll_ctl < 10);
    CHECK(libc_calls.epoll_wait < 3 * MESSAGES);
}

static void sign(void *unused) {
    (void)unused;
    test.done++;
}

static void wait_without_memory(void *unused) {
    int high = fcntl(test.ends[0], F_DUPFD_CLOEXEC, 500), started = 0;

    (void)unused;
    CHECK(high != -1);
    libc_calls.no_memory = true;
    CHECK(wait_result(test.ends[0], EPOLLIN, NEVER) == ENOMEM);
    libc_calls.no_memory = false;
    CHECK(wait_result(test.ends[0], EPOLLOUT, NEVER) == 0); /* the table */
    libc_calls.no_memory = true;
    CHECK(wait_result(high, EPOLLOUT, NEVER) == ENOMEM);
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(10)) == ENOMEM); /* heap */
    errno = 0;
    CHECK(sleep_until(in_ms(10)) == -1 && errno == ENOMEM);
    while (go("child", sign, NULL) == 0) /* some stacks are left over */
        CHECK(++started < 1000);
    CHECK(errno == ENOMEM);
    yield();
    CHECK(test.done == started);
    libc_calls.no_memory = false;

    /* What failed has left nothing behind. */
    CHECK(wait_result(high, EPOLLOUT, NEVER) == 0);
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(10)) == ETIMEDOUT);
    CHECK(sleep_until(in_ms(1)) == 0);
    start("child", sign, NULL);
    test.stop = true;
}

static void no_memory(void) {
    make_socketpair(test.ends);
    start("poor", wait_without_memory, NULL);
    schedule();
    CHECK(test.stop);
}

static void wait_unregistered(void *unused) {
    (void)unused;
    libc_calls.epoll_ctl_error = ENOSPC; /* fs.epoll.max_user_watches */
    CHECK(wait_result(test.ends[0], EPOLLIN, NEVER) == ENOSPC);
    CHECK(wait_result(test.ends[0], EPOLLOUT, 0) == ENOSPC);
    libc_calls.epoll_ctl_error = 0;
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(5)) == ETIMEDOUT);
    CHECK(wait_result(test.ends[0], EPOLLOUT, NEVER) == 0);
    test.done++;
}

static void refused_by_epoll(void) {
    make_socketpair(test.ends);
    start("waiter", wait_unregistered, NULL);
    schedule();
    CHECK(test.done == 1);
}

static void wait_without_descriptors(void *unused) {
    int64_t deadline = in_ms(20);

    (void)unused;
    forbid_descriptors();
    CHECK(wait_result(test.ends[0], EPOLLIN, NEVER) == EMFILE);
    CHECK(sleep_until(deadline) == 0 && now() >= deadline);
    CHECK(wait_result(test.ends[0], EPOLLIN, 0) == EMFILE);
    raise_descriptor_limit();
    CHECK(wait_result(test.ends[0], EPOLLIN, in_ms(5)) == ETIMEDOUT);
    poke(test.ends[1]);
    CHECK(wait_result(test.ends[0], EPOLLIN, NEVER) == 0);
    test.done++;
}

static void no_descriptors(void) {
    make_socketpair(test.ends);
    start("waiter", wait_without_descriptors, NULL);
    schedule();
    CHECK(test.done == 1);
}

static void wait_and_end(void *unused) {
    (void)unused;
    CHECK(wait_result(test.ends[0], EPOLLIN, 0) == ETIMEDOUT);
    CHECK(wait_result(test.ends[0], EPOLLOUT, NEVER) == 0);
    CHECK(sleep_until(0) == 0);
    test.done++;
}

static void start_in_turn(void *unused) {
    long before = 0;

    (void)unused;
    for (int i = 0; i < 100000; i++) {
        start("task", wait_and_end, NULL);
        while (test.done <= i)
            yield();
        if (i == 1000)
            before = status_line("VmRSS");
    }
    CHECK(status_line("VmRSS") - before < 512);
}

static void memory_stays_flat(void) {
    make_socketpair(test.ends);
    start("starter", start_in_turn, NULL);
    schedule();
    CHECK(test.done == 100000);
}

int main(int argc, char **argv) {
    static const struct test_case cases[] = {
        {"one-of-a-side", one_of_a_side},
        {"both-sides", both_sides},
        {"cancelled", cancelled},
        {"cancelled-and-late", cancelled_and_late},
        {"event-of-a-closed-one", event_of_a_closed_one},
        {"forgotten", forgotten},
        {"nonsense", nonsense},
        {"regular-files", regular_files},
        {"closed-in-wait", closed_in_wait},
        {"closed-with-duplicate", closed_with_duplicate},
        {"closed-and-used-again", closed_and_used_again},
        {"past-deadline", past_deadline},
        {"many-ready-at-once", many_ready_at_once},
        {"event-and-deadline", event_and_deadline},
        {"hang-up-wakes-both", hang_up_wakes_both},
        {"nobody-waits-nobody-spins", nobody_waits_nobody_spins},
        {"what-is-left-is-ready", what_is_left_is_ready},
        {"descriptor-zero", descriptor_zero},
        {"high-numbers", high_numbers},
        {"stays-armed", stays_armed},
        {"no-memory", no_memory},
        {"refused-by-epoll", refused_by_epoll},
        {"no-descriptors", no_descriptors},
        {"memory-stays-flat", memory_stays_flat},
        {0},
    };
    return run_case(cases, argc, argv);
}
