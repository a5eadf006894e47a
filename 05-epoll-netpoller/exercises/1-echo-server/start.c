/*
 * start.c - an echo server with one task: one customer after the other.
 *
 * Each customer should have a task, and be answered until they hang up.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "io.h"
#include "options.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum { CUSTOMERS_MAX = 1000, BUFFER_SIZE = 4096 };

static struct {
    int customers; /* to serve before the shop closes */
    int listener;
    long bytes; /* echoed */
} shop;

/* A socket that listens on a free port of this machine. */
static int listen_somewhere(void) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd == -1)
        err(EXIT_FAILURE, "socket");
    if (bind(fd, (struct sockaddr *)&address, size) == -1)
        err(EXIT_FAILURE, "bind");
    if (listen(fd, SOMAXCONN) == -1)
        err(EXIT_FAILURE, "listen");
    if (getsockname(fd, (struct sockaddr *)&address, &size) == -1)
        err(EXIT_FAILURE, "getsockname");
    printf("listening on port %d\n", ntohs(address.sin_port));
    return fd;
}

/* Answers once, whatever the customer still has to say. */
static void serve(int number, int fd) {
    char buffer[BUFFER_SIZE];

    printf("customer %d | here\n", number);
    ssize_t count = io_read(fd, buffer, sizeof buffer, NEVER);
    if (count == -1 || io_write(fd, buffer, (size_t)count, NEVER) == -1)
        warn("customer %d", number);
    else
        shop.bytes += count;
    printf("customer %d | gone\n", number);
    io_close(fd);
}

static void accept_customers(void *unused) {
    (void)unused;
    for (int i = 1; i <= shop.customers; i++) {
        int fd = io_accept(shop.listener, NEVER);
        if (fd == -1)
            err(EXIT_FAILURE, "accept");
        serve(i, fd);
    }
    io_close(shop.listener);
}

int main(int argc, char **argv) {
    static const struct setting no_options[] = {{0}};
    int operands = parse_options(argc, argv, no_options, "CUSTOMERS");

    if (operands + 1 != argc)
        errx(2, "CUSTOMERS: how many to serve before the shop closes");
    shop.customers =
        (int)parse_number("CUSTOMERS", argv[operands], 0, CUSTOMERS_MAX);
    report_open();
    shop.listener = listen_somewhere();
    if (go("door", accept_customers, NULL) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    report_summary("%d customer%s, %ld bytes", shop.customers,
                   shop.customers == 1 ? "" : "s", shop.bytes);
    return report_close();
}
