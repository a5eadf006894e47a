/*
 * solution.c - an echo server: a task that accepts, and one per connection.
 *
 * Each conversation is a plain loop of reads and writes. A customer who is slow
 * to speak, or to listen, parks one task; the thread goes on with the others.
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

/* One of these per customer, as each has a number and a descriptor. */
struct customer {
    int number;
    int fd;
};

/* Sends back what comes, piece by piece, until the customer hangs up. */
static int echo(int fd) {
    char buffer[BUFFER_SIZE];
    ssize_t count;

    while ((count = io_read(fd, buffer, sizeof buffer, NEVER)) > 0) {
        if (io_write(fd, buffer, (size_t)count, NEVER) == -1)
            return -1;
        shop.bytes += count;
    }
    return (int)count;
}

/* Owns the customer: nobody else frees it, or closes its descriptor. */
static void serve_customer(void *arg) {
    struct customer *customer = arg;

    printf("customer %d | here\n", customer->number);
    if (echo(customer->fd) == -1)
        warn("customer %d", customer->number);
    printf("customer %d | gone\n", customer->number);
    io_close(customer->fd);
    free(customer);
}

/* A task's argument must outlive its go(): not a variable of this loop. */
static void welcome(int number, int fd) {
    struct customer *customer = malloc(sizeof *customer);

    if (customer == NULL) {
        warn("customer %d", number);
        io_close(fd);
        return;
    }
    *customer = (struct customer){.number = number, .fd = fd};
    if (go("customer", serve_customer, customer) == -1) {
        warn("customer %d", number);
        io_close(fd);
        free(customer);
    }
}

static void accept_customers(void *unused) {
    (void)unused;
    for (int i = 1; i <= shop.customers; i++) {
        int fd = io_accept(shop.listener, NEVER);
        if (fd == -1)
            err(EXIT_FAILURE, "accept");
        welcome(i, fd);
    }
    io_close(shop.listener); /* whoever is here may stay */
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
