/*
 * customers.c - a crowd at the bakery's door: one coroutine per customer.
 *
 * visit() is the other end of serve_customer(): connect, order, wait, eat. All
 * customers come at once. On one thread they wait no longer than one of them.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http_answer.h"
#include "io.h"
#include "network.h"
#include "options.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum {
    COUNT_MAX = 100000,
    PORT_MAX = 65535,
    TIMEOUT_MAX = 86400,
    ANSWER_MAX = 1024,
    USAGE_ERROR = 2
};

static struct {
    const char *host, *order;
    int port, count;
    double timeout;
    struct address bakery;
    char request[256];
    int served, failed;
    int64_t slowest;
} crowd = {.host = "127.0.0.1",
           .order = "cookies",
           .port = 8080,
           .count = 1000,
           .timeout = 60};

/* The first failure is told, the others are counted. Returns -1. */
static int fail(const char *format, ...) {
    va_list details;

    if (crowd.failed++ > 0)
        return -1;
    va_start(details, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, details);
    fputc('\n', stderr);
    va_end(details);
    return -1;
}

static int fail_with_errno(const char *what) {
    return fail("http://%s/: cannot %s: %s", crowd.bakery.text, what,
                strerror(errno));
}

struct answer {
    int fd, status;
    int64_t deadline;
    struct http_body body;
    size_t size;
    char bytes[ANSWER_MAX]; /* what was read and is not used up yet */
};

/* As read(2); but the end of the connection is mostly a failure. */
static ssize_t read_more(struct answer *answer) {
    size_t room = sizeof answer->bytes - answer->size;

    if (room == 0)
        return fail("the head of the answer exceeds %d bytes", ANSWER_MAX);
    ssize_t count = io_read(answer->fd, answer->bytes + answer->size, room,
                            answer->deadline);
    if (count == -1)
        return fail_with_errno("read");
    if (count == 0 && !answer->body.endless)
        return fail("the connection ended before the answer");
    answer->size += (size_t)count;
    return count;
}

static void use_up(struct answer *answer, size_t count) {
    answer->size -= count;
    memmove(answer->bytes, answer->bytes + count, answer->size);
}

static int eat_head(struct answer *answer) {
    long head;

    while ((head = http_parse_answer(answer->bytes, answer->size,
                                     &answer->status, &answer->body)) == 0)
        if (read_more(answer) == -1)
            return -1;
    if (head == -1)
        return fail("the answer is not HTTP");
    use_up(answer, (size_t)head);
    return 0;
}

static int eat_body(struct answer *answer) {
    ssize_t count = 1;

    while (count > 0) {
        struct text came = {answer->bytes, answer->size};
        use_up(answer, http_body_skip(&answer->body, came));
        if (answer->body.status != 0)
            break;
        count = read_more(answer);
    }
    if (answer->body.status > 200)
        return fail("the body of the answer is wrong or too long");
    return count == -1 ? -1 : 0;
}

/* Reads the whole answer, which must be a good one. */
static int eat(int fd, int64_t deadline) {
    struct answer answer = {.fd = fd, .deadline = deadline};

    do { /* "100 Continue" is not the answer yet: RFC 9110, 15.2 */
        if (eat_head(&answer) == -1)
            return -1;
    } while (answer.status < 200 && answer.status != 101);
    if (eat_body(&answer) == -1)
        return -1;
    return answer.status == 200
               ? 0
               : fail("%d %s", answer.status, http_reason(answer.status));
}

static int order(int fd, int64_t deadline) {
    if (io_connect(fd, (struct sockaddr *)&crowd.bakery.storage,
                   crowd.bakery.size, deadline) == -1)
        return fail_with_errno("connect");
    if (io_write(fd, crowd.request, strlen(crowd.request), deadline) == -1)
        return fail_with_errno("write");
    return eat(fd, deadline);
}

static void visit(void *unused) {
    int64_t started = now();
    int64_t deadline = started + (int64_t)(crowd.timeout * (double)SECOND);
    int fd = socket(crowd.bakery.storage.ss_family,
                    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    (void)unused;
    if (fd == -1) {
        fail_with_errno("open a socket");
        return;
    }
    if (order(fd, deadline) == 0) {
        int64_t took = now() - started;
        crowd.served++;
        crowd.slowest = took > crowd.slowest ? took : crowd.slowest;
    }
    io_close(fd);
}

static void check_order(void) {
    static const char *const menu[] = {"bread", "croissants", "cookies"};

    for (size_t i = 0; i < sizeof menu / sizeof menu[0]; i++)
        if (strcmp(crowd.order, menu[i]) == 0)
            return;
    errx(USAGE_ERROR, "--order: '%s' is not bread, croissants or cookies",
         crowd.order);
}

static void send_customers(void) {
    snprintf(crowd.request, sizeof crowd.request,
             "GET /order/%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
             crowd.order, crowd.bakery.text);
    for (int i = 0; i < crowd.count; i++)
        if (go("customer", visit, NULL) == -1)
            fail_with_errno("start a customer");
}

int main(int argc, char **argv) {
    static const struct setting table[] = {
        {"count", "NUMBER", "of customers; 1000", .whole = &crowd.count,
         .min = 1, .max = COUNT_MAX},
        {"order", "PRODUCT", "bread, croissants or cookies; cookies",
         .text = &crowd.order},
        {"address", "ADDRESS", "of the server; 127.0.0.1", .text = &crowd.host},
        {"port", "PORT", "of the server; 8080", .whole = &crowd.port, .min = 1,
         .max = PORT_MAX},
        {"timeout", "SECONDS", "for a customer in all; 60",
         .decimal = &crowd.timeout, .min = 0.001, .max = TIMEOUT_MAX},
        {0},
    };

    parse_options(argc, argv, table, NULL);
    check_order();
    address_parse(&crowd.bakery, crowd.host, crowd.port);
    report_open();
    allow_descriptors();
    send_customers();
    schedule();
    printf("%d customers served in %.2f s; slowest %.2f s; %d failed\n",
           crowd.served, report_elapsed(),
           (double)crowd.slowest / (double)SECOND, crowd.failed);
    int status = report_close();
    return crowd.failed > 0 ? EXIT_FAILURE : status;
}
