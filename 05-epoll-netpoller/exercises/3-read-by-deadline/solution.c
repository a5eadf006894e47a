/*
 * solution.c - an order is read whole, or not at all, by one deadline.
 *
 * The deadline is a point in time, fixed before the first wait. Each further
 * wait gets the same one, so all of them together end when it has come, however
 * many letters trickle in. A timeout per wait would begin anew with each.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "io.h"
#include "netpoll.h"
#include "options.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum { LETTERS_MAX = 1000 };

static const double millisecond = 1e6; /* nanoseconds */

static struct {
    int fd;          /* what the customer says comes out here */
    int mouth;       /* the other end of it */
    int letters;     /* that make up an order */
    int64_t timeout; /* for all of it */
    char **pauses;   /* milliseconds before each letter; NULL ends them */
} order;

/*
 * Reads `len` bytes. Returns `len`; or fewer, if that is all until the end; or
 * -1 with the errno of io_read(): ETIMEDOUT if they are not complete by the
 * deadline.
 */
static ssize_t read_exactly(int fd, void *buf, size_t len, int64_t deadline) {
    size_t have = 0;

    while (have < len) {
        ssize_t count = io_read(fd, (char *)buf + have, len - have, deadline);
        if (count == -1)
            return -1;
        if (count == 0)
            break;
        have += (size_t)count;
    }
    return (ssize_t)have;
}

/* Says a letter after each pause. A pause ends early if nobody listens. */
static void speak(void *unused) {
    char letter = 'a';

    (void)unused;
    for (char **pause = order.pauses; *pause != NULL; pause++) {
        double wait = parse_number("PAUSE", *pause, 0, 1e6) * millisecond;
        if (wait_fd(order.mouth, EPOLLIN, now() + (int64_t)wait) == 0)
            break; /* the other end is closed */
        if (io_write(order.mouth, &letter, 1, NEVER) == -1)
            break;
        letter = letter == 'z' ? 'a' : (char)(letter + 1);
    }
    io_close(order.mouth);
}

static void take_order(void *unused) {
    char letters[LETTERS_MAX];
    int64_t began = now();

    (void)unused;
    ssize_t count = read_exactly(order.fd, letters, (size_t)order.letters,
                                 began + order.timeout);
    double seconds = (double)(now() - began) / (double)SECOND;
    if (count == order.letters)
        printf("order | %.*s, after %.2f s\n", (int)count, letters, seconds);
    else if (count >= 0)
        printf("order | broken off after %.*s\n", (int)count, letters);
    else if (errno == ETIMEDOUT)
        printf("order | given up after %.2f s\n", seconds);
    else
        warn("order");
    io_close(order.fd);
}

int main(int argc, char **argv) {
    static const struct setting no_options[] = {{0}};
    int ends[2], first = parse_options(argc, argv, no_options,
                                       "TIMEOUT LETTERS PAUSE...");

    if (first + 2 > argc)
        errx(2, "usage: answer TIMEOUT LETTERS PAUSE..., in milliseconds");
    order.timeout =
        (int64_t)(parse_number("TIMEOUT", argv[first], 0, 1e6) * millisecond);
    order.letters =
        (int)parse_number("LETTERS", argv[first + 1], 0, LETTERS_MAX);
    order.pauses = argv + first + 2;
    report_open();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                   ends) == -1)
        err(EXIT_FAILURE, "socketpair");
    order.fd = ends[0];
    order.mouth = ends[1];
    if (go("customer", speak, NULL) == -1 ||
        go("cashier", take_order, NULL) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    return report_close();
}
