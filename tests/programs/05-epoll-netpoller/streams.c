/*
 * streams.c - what io_read(), io_write(), io_accept() and io_connect() promise.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io.h"
#include "scheduler.h"
#include "support.h"
#include "timer.h"

enum { CHUNK = 1 << 20, LARGE = 50 * CHUNK };

static struct {
    int ends[2];
    int done;  /* tasks that reached their end */
    int turns; /* of the task that yields */
    bool stop;
    int listener;
    struct sockaddr_in address;
} test;

static ssize_t read_result(int fd, void *buf, size_t len, int64_t deadline) {
    errno = 0;
    return io_read(fd, buf, len, deadline);
}

static void tick_along(void *unused) {
    (void)unused;
    for (; !test.stop; test.turns++)
        yield();
    test.done++;
}

static void read_all_sorts(void *unused) {
    char buf[16];
    int64_t deadline = in_ms(20);

    (void)unused;
    CHECK(read_result(test.ends[0], buf, sizeof buf, deadline) == -1);
    CHECK(errno == ETIMEDOUT && now() >= deadline);
    poke(test.ends[1]);
    poke(test.ends[1]);
    CHECK(read_result(test.ends[0], buf, sizeof buf, 0) == 2); /* ready wins */
    test.stop = true;
    CHECK(read_result(test.ends[0], buf, sizeof buf, NEVER) == 1);
    CHECK(read_result(test.ends[0], buf, sizeof buf, NEVER) == 0); /* the end */
    CHECK(read_result(test.ends[0], buf, sizeof buf, 0) == 0);
    CHECK(io_close(test.ends[0]) == 0);
    CHECK(read_result(test.ends[0], buf, 1, NEVER) == -1 && errno == EBADF);
    test.done++;
}

static void write_late(void *unused) {
    (void)unused;
    while (!test.stop)
        yield();
    CHECK(sleep_until(in_ms(10)) == 0);
    CHECK(io_write(test.ends[1], "x", 1, NEVER) == 1);
    CHECK(io_write(test.ends[1], "", 0, NEVER) == 0);
    CHECK(io_close(test.ends[1]) == 0);
    test.done++;
}

static void reading(void) {
    make_pipe(test.ends);
    start("reader", read_all_sorts, NULL);
    start("writer", write_late, NULL);
    schedule();
    CHECK(test.done == 2);
}

/* What is sent from any place of the stream on; it repeats after a prime. */
static const char *stream_from(size_t place) {
    enum { PERIOD = 251 };
    static char pattern[PERIOD + CHUNK];

    if (pattern[1] == 0)
        for (size_t i = 0; i < sizeof pattern; i++)
            pattern[i] = (char)(i % PERIOD);
    return pattern + place % PERIOD;
}

static void write_large(void *unused) {
    char *data = malloc(LARGE);

    (void)unused;
    CHECK(data != NULL);
    for (size_t i = 0; i < LARGE; i += CHUNK)
        memcpy(data + i, stream_from(i), CHUNK);
    CHECK(io_write(test.ends[1], data, LARGE, NEVER) == LARGE);
    CHECK(io_close(test.ends[1]) == 0);
    free(data);
    test.done++;
}

static void read_slowly(void *unused) {
    static char data[CHUNK];
    size_t place = 0;
    ssize_t count;

    (void)unused;
    while ((count = io_read(test.ends[0], data, CHUNK, NEVER)) > 0) {
        CHECK(memcmp(data, stream_from(place), (size_t)count) == 0);
        place += (size_t)count;
        if (place / CHUNK != (place - (size_t)count) / CHUNK)
            CHECK(sleep_until(in_ms(2)) == 0); /* the writer must wait */
    }
    CHECK(count == 0 && place == LARGE);
    test.stop = true;
    test.done++;
}

static void run_large(void) {
    test.turns = test.done = 0;
    test.stop = false;
    start("writer", write_large, NULL);
    start("reader", read_slowly, NULL);
    start("other", tick_along, NULL);
    schedule();
    CHECK(test.done == 3);
    CHECK(test.turns > 500);
}

static void whole_and_in_order(void) {
    make_socketpair(test.ends);
    run_large();
    make_pipe(test.ends);
    run_large();
}

static void write_in_vain(void *unused) {
    static char data[CHUNK];
    int64_t deadline = in_ms(20);

    (void)unused;
    CHECK(io_write(test.ends[1], data, CHUNK, deadline) == -1);
    CHECK(errno == ETIMEDOUT && now() >= deadline);
    test.stop = true;
    CHECK(io_write(test.ends[1], data, CHUNK, NEVER) == -1);
    CHECK(errno == EPIPE);
    CHECK(io_write(test.ends[1], data, CHUNK, NEVER) == -1);
    CHECK(errno == EPIPE);
    test.done++;
}

static void hang_up(void *unused) {
    (void)unused;
    while (!test.stop)
        yield();
    CHECK(sleep_until(in_ms(10)) == 0);
    CHECK(io_close(test.ends[0]) == 0);
    test.done++;
}

static void broken_pipe(void) {
    CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    for (int i = 0; i < 2; i++) {
        i == 0 ? make_pipe(test.ends) : make_socketpair(test.ends);
        test.stop = false;
        start("writer", write_in_vain, NULL);
        start("reader", hang_up, NULL);
        schedule();
    }
    CHECK(test.done == 4);
}

static int tcp_socket(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    CHECK(fd != -1);
    return fd;
}

/* On a port of the loopback interface that the system chooses. */
static void make_listener(int backlog) {
    socklen_t size = sizeof test.address;

    test.address = (struct sockaddr_in){
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    test.listener = tcp_socket();
    CHECK(bind(test.listener, (struct sockaddr *)&test.address, size) == 0);
    CHECK(listen(test.listener, backlog) == 0);
    CHECK(getsockname(test.listener, (struct sockaddr *)&test.address, &size) ==
          0);
}

/* io_connect() to the listener, but the errno or 0. */
static int connect_result(int fd, int64_t deadline) {
    errno = 0;
    return io_connect(fd, (struct sockaddr *)&test.address, sizeof test.address,
                      deadline) == 0
               ? 0
               : errno;
}

static void serve_one(void *unused) {
    char byte;
    int64_t deadline = in_ms(20);

    (void)unused;
    errno = 0;
    CHECK(io_accept(test.listener, deadline) == -1);
    CHECK(errno == ETIMEDOUT && now() >= deadline);
    test.stop = true;
    int fd = io_accept(test.listener, NEVER);
    CHECK(fd != -1);
    CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    CHECK(io_read(fd, &byte, 1, NEVER) == 1);
    CHECK(io_write(fd, &byte, 1, NEVER) == 1);
    CHECK(io_close(fd) == 0);
    test.done++;
}

static void be_served(void *unused) {
    int fd = tcp_socket();
    char byte = 'x';

    (void)unused;
    while (!test.stop)
        yield();
    CHECK(connect_result(fd, in_ms(30000)) == 0);
    CHECK(io_write(fd, &byte, 1, NEVER) == 1);
    CHECK(io_read(fd, &byte, 1, NEVER) == 1);
    CHECK(io_read(fd, &byte, 1, NEVER) == 0);
    CHECK(io_close(fd) == 0);
    CHECK(io_close(test.listener) == 0);
    fd = tcp_socket();
    CHECK(connect_result(fd, in_ms(30000)) == ECONNREFUSED);
    CHECK(io_close(fd) == 0);
    test.done++;
}

static void accept_and_connect(void) {
    make_listener(8);
    start("server", serve_one, NULL);
    start("client", be_served, NULL);
    schedule();
    CHECK(test.done == 2);
}

static void connect_until_full(void *unused) {
    int result = 0;

    (void)unused;
    for (int i = 0; i < 20 && result == 0; i++) {
        int64_t deadline = in_ms(200);
        int fd = tcp_socket();
        result = connect_result(fd, deadline);
        CHECK(result == 0 || now() >= deadline);
        if (result == ETIMEDOUT) /* it is still under way, and taken up again */
            CHECK(connect_result(fd, in_ms(10)) == ETIMEDOUT);
    }
    CHECK(result == ETIMEDOUT);
    test.stop = true;
    test.done++;
}

static void connect_deadline(void) {
    make_listener(0);
    start("client", connect_until_full, NULL);
    start("other", tick_along, NULL);
    schedule();
    CHECK(test.done == 2);
    CHECK(test.turns > 100);
}

static void accept_without_descriptors(void *unused) {
    int client = tcp_socket();

    (void)unused;
    CHECK(connect_result(client, in_ms(30000)) == 0);
    forbid_descriptors();
    errno = 0;
    CHECK(io_accept(test.listener, in_ms(30000)) == -1 && errno == EMFILE);
    CHECK(sleep_until(in_ms(10)) == 0);
    raise_descriptor_limit();
    int fd = io_accept(test.listener, in_ms(30000)); /* it did not get lost */
    CHECK(fd != -1);
    CHECK(io_write(client, "x", 1, NEVER) == 1);
    char byte;
    CHECK(io_read(fd, &byte, 1, NEVER) == 1);
    test.done++;
}

static void no_descriptors(void) {
    make_listener(8);
    start("server", accept_without_descriptors, NULL);
    schedule();
    CHECK(test.done == 1);
}

/* Each connection that accept4(2) could give is gone by then. */
static void accept_the_gone(void *unused) {
    int client = tcp_socket();

    (void)unused;
    CHECK(connect_result(client, in_ms(30000)) == 0);
    libc_calls.accept_error = ECONNABORTED;
    int before = test.turns;
    CHECK(io_accept(test.listener, 0) == -1 && errno == ETIMEDOUT);
    CHECK(test.turns > before);
    libc_calls.accept_error = 0;
    CHECK(io_accept(test.listener, 0) != -1);
    test.stop = true;
    test.done++;
}

static void gone_connections(void) {
    make_listener(8);
    start("server", accept_the_gone, NULL);
    start("other", tick_along, NULL);
    schedule();
    CHECK(test.done == 2);
}

static void send_nothing(void *unused) {
    char byte;

    (void)unused;
    CHECK(io_write(test.ends[0], "", 0, NEVER) == 0);
    CHECK(recv(test.ends[1], &byte, 1, MSG_DONTWAIT) == 0);
    CHECK(io_write(-1, "", 0, NEVER) == -1 && errno == EBADF);
    test.done++;
}

static void empty_datagram(void) {
    CHECK(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, test.ends) == 0);
    start("sender", send_nothing, NULL);
    schedule();
    CHECK(test.done == 1);
}

/* A supply, or a demand, without end: neither of the two ever has to wait. */
static void be_greedy(void *arg) {
    bool read = *(bool *)arg;
    int fd = open(read ? "/dev/zero" : "/dev/null", O_RDWR | O_NONBLOCK);
    char byte = 'x';
    int before = test.turns;

    CHECK(fd != -1);
    for (int i = 0; i < 10000; i++)
        CHECK((read ? io_read(fd, &byte, 1, NEVER)
                    : io_write(fd, &byte, 1, NEVER)) == 1);
    CHECK(test.turns - before >= 10);
    test.stop = true;
    test.done++;
}

static void fair(void) {
    static bool read = true;

    for (int i = 0; i < 2; i++) {
        read = i == 0;
        test.stop = false;
        start("greedy", be_greedy, &read);
        start("other", tick_along, NULL);
        schedule();
    }
    CHECK(test.done == 4);
}

static void send_both_ways(void *unused) {
    static char data[8 * CHUNK];

    (void)unused;
    CHECK(io_write(test.ends[0], data, sizeof data, NEVER) == sizeof data);
    test.done++;
}

static void echo(void *unused) {
    static char data[CHUNK];

    (void)unused;
    for (size_t left = 8 * CHUNK; left > 0;) {
        ssize_t count = io_read(test.ends[1], data, CHUNK, NEVER);
        CHECK(count > 0);
        CHECK(io_write(test.ends[1], data, (size_t)count, NEVER) == count);
        left -= (size_t)count;
    }
    CHECK(shutdown(test.ends[1], SHUT_WR) == 0);
    test.done++;
}

static void receive_echo(void *unused) {
    static char data[CHUNK];
    size_t received = 0;
    ssize_t count;

    (void)unused;
    while ((count = io_read(test.ends[0], data, CHUNK, NEVER)) > 0)
        received += (size_t)count;
    CHECK(count == 0 && received == 8 * CHUNK);
    test.done++;
}

/* One socket, one task that reads from it and one that writes to it. */
static void reader_and_writer(void) {
    make_socketpair(test.ends);
    start("writer", send_both_ways, NULL);
    start("reader", receive_echo, NULL);
    start("echo", echo, NULL);
    schedule();
    CHECK(test.done == 3);
}

static void read_until_closed(void *unused) {
    char byte;

    (void)unused;
    CHECK(read_result(test.ends[0], &byte, 1, NEVER) == -1);
    CHECK(errno == ECANCELED);
    test.done++;
}

static void close_it(void *unused) {
    (void)unused;
    CHECK(io_close(test.ends[0]) == 0);
    test.done++;
}

static void closed_under_it(void) {
    make_socketpair(test.ends);
    start("reader", read_until_closed, NULL);
    start("closer", close_it, NULL);
    schedule();
    CHECK(test.done == 2);
}

/* Nobody could be given a turn here. */
/* epoll says that it has room, but not for so much. */
static void write_too_much(void *unused) {
    int fd = eventfd(1, EFD_NONBLOCK);
    uint64_t much = UINT64_MAX - 1;
    int64_t deadline = now() + SECOND / 20;

    (void)unused;
    CHECK(fd != -1);
    CHECK(io_write(fd, &much, sizeof much, deadline) == -1);
    CHECK(errno == ETIMEDOUT && now() >= deadline);
    CHECK(io_write(fd, &much, sizeof much, INT64_MIN) == -1);
    CHECK(errno == ETIMEDOUT);
    CHECK(io_close(fd) == 0);
}

static void ready_and_would_block(void) {
    start("writer", write_too_much, NULL);
    schedule();
}

static void outside_of_a_task(void) {
    make_pipe(test.ends);
    for (int i = 0; i < 1000; i++)
        CHECK(io_write(test.ends[1], "x", 1, NEVER) == 1);
}

int main(int argc, char **argv) {
    static const struct test_case cases[] = {
        {"reading", reading},
        {"whole-and-in-order", whole_and_in_order},
        {"broken-pipe", broken_pipe},
        {"accept-and-connect", accept_and_connect},
        {"connect-deadline", connect_deadline},
        {"no-descriptors", no_descriptors},
        {"gone-connections", gone_connections},
        {"empty-datagram", empty_datagram},
        {"fair", fair},
        {"reader-and-writer", reader_and_writer},
        {"closed-under-it", closed_under_it},
        {"ready-and-would-block", ready_and_would_block},
        {"outside-of-a-task", outside_of_a_task},
        {0},
    };
    return run_case(cases, argc, argv);
}
