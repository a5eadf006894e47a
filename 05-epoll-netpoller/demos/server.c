/*
 * server.c - the bakery over HTTP, one coroutine per customer.
 *
 * serve_customer() is the whole life of a connection, from top to bottom: read
 * a request, bake, answer, again. While it waits, for a byte or for an oven,
 * the others run. One more task accepts customers, and one waits for SIGINT and
 * SIGTERM, which arrive through a descriptor like everything else.
 *
 * Bytes and buffers are in connection.c, HTTP is in http*.c, and what there is
 * to order in pages.c.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

#include "connection.h"
#include "http.h"
#include "http_answer.h"
#include "io.h"
#include "netpoll.h"
#include "network.h"
#include "options.h"
#include "pages.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum {
    PORT_MAX = 65535,
    SCALE_MAX = 1000,
    TIMEOUT_MAX = 86400,
    BACKLOG = 4096 /* customers whom the kernel lets wait at the door */
};

static struct {
    const char *address;
    int port, listener, signals; /* the last two are descriptors */
    double scale, timeout;       /* in seconds */
    bool closing, failed;
} server = {.address = "127.0.0.1", .port = 8080, .scale = 1, .timeout = 30};

/* Requests */

/* Returns false when there will be none. */
static bool wait_for_request(struct connection *customer) {
    if (connection_wait(customer) == -1 || connection_read(customer) <= 0)
        return false;
    customer->deadline = 0; /* the request has a time of its own */
    return true;
}

/*
 * More of a request was needed, and this came of the attempt to read it.
 * Returns false when there is nobody any more who could be answered.
 */
static bool refuse_incomplete(struct http_request *request, ssize_t count) {
    if (count == 0)
        http_refuse(request, 400);
    else if (errno == ETIMEDOUT)
        http_refuse(request, 408);
    else
        return false;
    return true;
}

static bool parse(const struct connection *customer,
                  struct http_request *request) {
    struct text came = connection_unread(customer);

    return http_parse(request, came.at, came.size);
}

/* Returns false when there is no request to be answered. */
static bool read_head(struct connection *customer,
                      struct http_request *request) {
    *request = (struct http_request){0};
    if (connection_unread(customer).size == 0 && !wait_for_request(customer))
        return false;
    while (!parse(customer, request)) {
        ssize_t count = connection_read(customer);
        bool begun = request->seen > request->head || request->begin > 0;
        if (count <= 0) /* empty lines alone ask for nothing */
            return begun && refuse_incomplete(request, count);
    }
    return true;
}

/* Somebody may wait to be asked for the body (RFC 9110, 10.1.1). */
static bool ask_for_body(struct connection *customer,
                         struct http_request *request) {
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";

    if (request->body.status != 0 || !request->fields.expects_continue ||
        connection_unread(customer).size > 0)
        return true;
    if (request->status == 200)
        return connection_write(customer, go_on, sizeof go_on - 1) == 0;
    http_refuse(request, request->status); /* the body may come or not */
    return true;
}

static bool skip(struct connection *customer, struct http_body *body) {
    size_t used = http_body_skip(body, connection_unread(customer));

    connection_use_up(customer, used);
    return body->status != 0;
}

/* Nobody here wants the body. But the next request comes after it. */
static bool skip_body(struct connection *customer,
                      struct http_request *request) {
    connection_use_up(customer, request->head);
    if (!ask_for_body(customer, request))
        return false;
    while (!skip(customer, &request->body)) {
        ssize_t count = connection_read(customer);
        if (count <= 0)
            return refuse_incomplete(request, count);
    }
    if (request->body.status != 200)
        http_refuse(request, request->body.status);
    return true;
}

/* Returns NULL, and the reason in the request, if there is none to be had. */
static const struct page *find_page(const struct connection *customer,
                                    struct http_request *request) {
    if (request->status != 200)
        return NULL;
    const struct page *page =
        page_find(request, connection_unread(customer).at);
    if (request->method == HTTP_OTHER && (page || request->path_size == 0))
        request->status = 405;
    else if (page == NULL)
        request->status = 404;
    return page;
}

/* Answers */

/* Who asks for the time for each answer, formats it once a second. */
static const char *date(void) {
    static char text[HTTP_DATE_SIZE];
    static time_t written;
    time_t time_now = time(NULL);

    if (time_now != written)
        http_date(text, time_now);
    written = time_now;
    return text;
}

/* Whatever it is, it leaves with one write. */
static bool send_response(struct connection *customer,
                          const struct http_response *response) {
    customer->deadline = 0; /* the answer has a time of its own */
    char *out = connection_out(customer);
    if (out == NULL)
        return false;
    size_t size = http_format(out, response, date());
    return connection_write(customer, out, size) == 0;
}

static bool answer(struct connection *customer, struct http_request *request,
                   const struct page *page) {
    char note[NOTE_MAX];
    struct http_response response = {
        .status = request->status,
        .type = "text/plain; charset=utf-8",
        .no_body = request->method == HTTP_HEAD,
    };

    tally.requests++;
    if (request->status == 200)
        page_make(page, request, &response, note);
    if (response.status == 405)
        response.fields = "Allow: GET, HEAD\r\n";
    if (response.body == NULL) {
        response.body = note;
        stpcpy(stpcpy(note, http_reason(response.status)), "\n");
    }
    response.size = strlen(response.body);
    if (server.closing)
        request->keep_alive = false;
    response.keep_alive = request->keep_alive;
    return send_response(customer, &response);
}

/* Customers */

static void enter(struct connection *customer, int fd) {
    connection_open(customer, fd, (int64_t)(server.timeout * (double)SECOND));
    tally.customers++;
    tally.here++;
}

static void leave(struct connection *customer) {
    connection_close(customer);
    tally.here--;
}

static void serve_customer(void *fd) {
    struct connection customer;
    struct http_request request;

    enter(&customer, (int)(intptr_t)fd);
    while (read_head(&customer, &request)) {
        const struct page *page = find_page(&customer, &request);
        if (!skip_body(&customer, &request))
            break;
        if (!answer(&customer, &request, page))
            break;
        if (!request.keep_alive) {
            connection_finish(&customer);
            break;
        }
    }
    leave(&customer);
}

static void pause_accepting(void) {
    static bool complained;

    wait_for_more("customers wait at the door", &complained);
}

/* After the signal only those come in who stand at the door already. */
static void accept_customers(void *unused) {
    int late = 0;

    (void)unused;
    while (!server.closing || late++ < BACKLOG) {
        int fd = io_accept(server.listener, server.closing ? 0 : NEVER);
        if (fd == -1 && errno == ETIMEDOUT)
            break;
        if (fd == -1 && errno != ECANCELED)
            pause_accepting();
        while (fd != -1 &&
               go("customer", serve_customer, (void *)(intptr_t)fd) == -1)
            pause_accepting();
    }
    io_close(server.listener);
}

static void close_the_door(void) {
    server.closing = true;
    netpoll_forget(server.listener); /* ECANCELED for accept_customers() */
    connections_hang_up();
}

static void wait_for_signal(void *arg) {
    const sigset_t *signals = arg;
    struct signalfd_siginfo info;

    server.failed = io_read(server.signals, &info, sizeof info, NEVER) == -1;
    if (server.failed)
        warn("signalfd");
    io_close(server.signals);
    close_the_door();
    sigprocmask(SIG_UNBLOCK, signals, NULL); /* the next one ends us at once */
}

/* main() */

/* From now on they can only be read. */
static void catch_signals(sigset_t *signals) {
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    sigprocmask(SIG_BLOCK, signals, NULL);
    server.signals = signalfd(-1, signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (server.signals == -1)
        err(EXIT_FAILURE, "signalfd");
}

int main(int argc, char **argv) {
    static const struct setting table[] = {
        {"address", "ADDRESS", "where to listen; 127.0.0.1",
         .text = &server.address},
        {"port", "PORT", "0 is any that is free; 8080", .whole = &server.port,
         .max = PORT_MAX},
        {"scale", "FACTOR", "of the time in the oven; 1",
         .decimal = &server.scale, .max = SCALE_MAX},
        {"timeout", "SECONDS", "for a request or an answer; 30",
         .decimal = &server.timeout, .min = 0.001, .max = TIMEOUT_MAX},
        {0},
    };
    struct address address;
    sigset_t signals;

    parse_options(argc, argv, table, NULL);
    address_parse(&address, server.address, server.port);
    report_open();
    allow_descriptors();
    catch_signals(&signals);
    server.listener =
        address_listen(&address, server.address, server.port, BACKLOG);
    pages_open(server.scale);
    printf("listening on http://%s/\n", address.text);
    if (go("door", accept_customers, NULL) == -1 ||
        go("signals", wait_for_signal, &signals) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    report_summary("%ld customers, %ld requests, %ld orders in %.2f s on 1 "
                   "thread",
                   tally.customers, tally.requests, tally.orders,
                   report_elapsed());
    int status = report_close();
    return server.failed ? EXIT_FAILURE : status;
}
