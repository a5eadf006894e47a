/*
 * server.c - the bakery over HTTP, one coroutine per customer.
 *
 * serve_customer() is the whole life of a connection, from top to bottom: read
 * a request, bake, answer, again. While it waits, for a byte or for an oven,
 * the others run. One more task accepts customers, and one waits for SIGINT and
 * SIGTERM, which arrive through a descriptor like everything else.
 *
 * A customer with nothing to say costs one page of stack. So big buffers are
 * not on the stack; one is taken from a free list, the pile, when bytes are
 * there for it.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "http.h"
#include "http_answer.h"
#include "io.h"
#include "netpoll.h"
#include "network.h"
#include "options.h"
#include "page.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum {
    PORT_MAX = 65535,
    SCALE_MAX = 1000,
    TIMEOUT_MAX = 86400,
    BACKLOG = 4096, /* customers whom the kernel lets wait at the door */
    PAGE_MAX = 8192,
    NOTE_MAX = 512 /* an answer that is made for one customer */
};

struct buffer {
    struct buffer *next; /* in the pile */
    size_t start, end;   /* what is not used up yet */
    char bytes[HTTP_HEAD_MAX];
};

/* On the stack of its task. */
struct customer {
    int fd;
    bool idle;         /* between two requests */
    int64_t deadline;  /* of the request or the answer under way; 0: not set */
    struct buffer *in; /* NULL if it would be empty */
    struct customer *next, **link; /* in the list of all */
};

static struct product {
    const char *name;
    int seconds; /* in the oven */
    long served;
} products[] = {{"bread", 3, 0}, {"croissants", 2, 0}, {"cookies", 1, 0}};

enum { PRODUCTS = sizeof products / sizeof products[0] };

/* What a request may ask for, and what makes the answer. */
struct page {
    const char *path;
    void (*make)(const struct http_request *request, struct product *product,
                 struct http_response *response, char note[NOTE_MAX]);
    struct product *product;
};

static struct {
    const char *address;
    int port, listener, signals; /* the last two are descriptors */
    double scale, timeout;       /* in seconds */
    bool closing, failed;
    bool out_of_something; /* has been said */
    struct customer *customers;
    struct buffer *pile;
    long present, accepted, requests, orders, baking;
    time_t date_is_for;
    char date[HTTP_DATE_SIZE], menu[PAGE_MAX], page[PAGE_MAX];
} server = {.address = "127.0.0.1", .port = 8080, .scale = 1, .timeout = 30};

static int64_t nanoseconds(double seconds) {
    return (int64_t)(seconds * (double)SECOND);
}

/* Buffers */

static struct buffer *take_buffer(void) {
    struct buffer *buffer = server.pile;

    if (buffer != NULL)
        server.pile = buffer->next;
    else if ((buffer = malloc(sizeof *buffer)) == NULL)
        return NULL;
    buffer->start = buffer->end = 0;
    return buffer;
}

static void give_back(struct buffer *buffer) {
    buffer->next = server.pile;
    server.pile = buffer;
}

static size_t unread(const struct customer *customer) {
    return customer->in ? customer->in->end - customer->in->start : 0;
}

static void use_up(struct customer *customer, size_t count) {
    struct buffer *in = customer->in;

    if (in == NULL || (in->start += count) < in->end)
        return;
    give_back(in);
    customer->in = NULL;
}

/* As read(2). ETIMEDOUT: the customer has used up the time for a request. */
static ssize_t read_more(struct customer *customer) {
    struct buffer *in = customer->in;

    if (in == NULL && (in = customer->in = take_buffer()) == NULL)
        return -1;
    if (customer->deadline == 0)
        customer->deadline = now() + nanoseconds(server.timeout);
    memmove(in->bytes, in->bytes + in->start, in->end - in->start);
    in->end -= in->start;
    in->start = 0;
    ssize_t count = io_read(customer->fd, in->bytes + in->end,
                            sizeof in->bytes - in->end, customer->deadline);
    if (count > 0)
        in->end += (size_t)count;
    return count;
}

/* Requests */

/* Returns false when there will be none. */
static bool wait_for_request(struct customer *customer) {
    if (server.closing)
        return false;
    customer->idle = true;
    int result = wait_fd(customer->fd, EPOLLIN, customer->deadline);
    customer->idle = false;
    if (result == -1 || read_more(customer) <= 0)
        return false;
    customer->deadline = 0; /* the request has a time of its own */
    return true;
}

/* More of a request was needed, and this came of it. Returns as read_head(). */
static bool refuse_incomplete(struct http_request *request, ssize_t count) {
    if (count == 0)
        http_refuse(request, 400);
    else if (errno == ETIMEDOUT)
        http_refuse(request, 408);
    else
        return false;
    return true;
}

/* Returns false when there is nobody any more who could be answered. */
static bool read_head(struct customer *customer, struct http_request *request) {
    *request = (struct http_request){0};
    if (customer->in == NULL && !wait_for_request(customer))
        return false;
    while (!http_parse(request, customer->in->bytes + customer->in->start,
                       unread(customer))) {
        ssize_t count = read_more(customer);
        bool begun = request->seen > request->head || request->begin > 0;
        if (count <= 0) /* empty lines alone ask for nothing */
            return begun && refuse_incomplete(request, count);
    }
    return true;
}

/* Nobody here wants the body. But the next request comes after it. */
static bool skip_body(struct customer *customer, struct http_request *request) {
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    size_t left = request->body;

    use_up(customer, request->head);
    if (left > 0 && unread(customer) == 0 && request->fields.expects_continue) {
        if (request->status != 200)
            request->keep_alive = false; /* the body may come or not */
        else if (io_write(customer->fd, go_on, sizeof go_on - 1,
                          now() + nanoseconds(server.timeout)) == -1)
            return false;
    }
    while (left > 0 && request->keep_alive) {
        size_t count = unread(customer) < left ? unread(customer) : left;
        left -= count;
        use_up(customer, count);
        ssize_t more = left > 0 ? read_more(customer) : 1;
        if (more <= 0)
            return refuse_incomplete(request, more);
    }
    return true;
}

/* Pages */

static void make_menu(const struct http_request *request,
                      struct product *unused, struct http_response *response,
                      char note[NOTE_MAX]) {
    (void)unused, (void)note;
    if (request->fields.html)
        response->type = "text/html; charset=utf-8";
    response->fields = "Vary: Accept\r\n";
    response->body = request->fields.html ? server.page : server.menu;
}

static void make_stats(const struct http_request *request,
                       struct product *unused, struct http_response *response,
                       char note[NOTE_MAX]) {
    (void)request, (void)unused;
    int size =
        snprintf(note, NOTE_MAX, "%-12s %ld\n%-12s %ld\n%-12s %ld\n%-12s %ld\n",
                 "customers", server.accepted, "here now", server.present,
                 "requests", server.requests, "in the oven", server.baking);
    for (int i = 0; i < PRODUCTS; i++)
        size += snprintf(note + size, NOTE_MAX - (size_t)size, "%-12s %ld\n",
                         products[i].name, products[i].served);
    response->fields = "Cache-Control: no-store\r\n";
    response->body = note;
}

/* Each order has an oven of its own. */
static void bake(const struct http_request *unused, struct product *product,
                 struct http_response *response, char note[NOTE_MAX]) {
    (void)unused;
    server.baking++;
    int result =
        sleep_until(now() + nanoseconds(product->seconds * server.scale));
    server.baking--;
    if (result == -1) {
        response->status = 503;
        return;
    }
    server.orders++;
    product->served++;
    response->fields = "Cache-Control: no-store\r\n";
    response->body = note;
    stpcpy(stpcpy(note, product->name), ", fresh from the oven\n");
}

static const struct page pages[] = {
    {"/", make_menu, NULL},
    {"/stats", make_stats, NULL},
    {"/order/bread", bake, &products[0]},
    {"/order/croissants", bake, &products[1]},
    {"/order/cookies", bake, &products[2]},
};

enum { PAGES = sizeof pages / sizeof pages[0] };

/* Returns NULL, and the reason in the request, if there is none to be had. */
static const struct page *find_page(const struct customer *customer,
                                    struct http_request *request) {
    const char *bytes = customer->in->bytes + customer->in->start;
    const struct page *found = NULL;

    if (request->status != 200)
        return NULL;
    for (const struct page *page = pages; page < pages + PAGES; page++)
        if (http_path_is(request, bytes, page->path))
            found = page;
    if (request->method == HTTP_OTHER && (found || request->path_size == 0))
        request->status = 405;
    else if (found == NULL)
        request->status = 404;
    return request->status == 200 ? found : NULL;
}

/* Answers */

static const char *date(void) {
    time_t time_now = time(NULL);

    if (time_now != server.date_is_for)
        http_date(server.date, time_now);
    server.date_is_for = time_now;
    return server.date;
}

/* Whatever it is, it leaves with one write. */
static bool send_response(struct customer *customer,
                          const struct http_response *response) {
    struct linger drop = {.l_onoff = 1};
    struct buffer *out = take_buffer();

    if (out == NULL)
        return false;
    customer->deadline = now() + nanoseconds(server.timeout);
    size_t size = http_format(out->bytes, response, date());
    ssize_t sent = io_write(customer->fd, out->bytes, size, customer->deadline);
    give_back(out);
    if (sent == -1) /* nor shall the kernel keep it for who does not read */
        setsockopt(customer->fd, SOL_SOCKET, SO_LINGER, &drop, sizeof drop);
    return sent != -1;
}

static bool answer(struct customer *customer, struct http_request *request,
                   const struct page *page) {
    char note[NOTE_MAX];
    struct http_response response = {
        .status = request->status,
        .type = "text/plain; charset=utf-8",
        .no_body = request->method == HTTP_HEAD,
    };

    server.requests++;
    if (request->status == 200)
        page->make(request, page->product, &response, note);
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

/*
 * To close a socket with unread bytes in it resets the connection, and the
 * answer with it (RFC 9112, 9.6). So the customer closes first, or it is late.
 */
static void say_goodbye(struct customer *customer) {
    int64_t deadline = now() + SECOND;

    shutdown(customer->fd, SHUT_WR);
    customer->deadline = deadline;
    do
        use_up(customer, unread(customer));
    while (wait_fd(customer->fd, EPOLLIN, deadline) == 0 &&
           read_more(customer) > 0 && now() < deadline);
}

/* Customers */

static void enter(struct customer *customer) {
    server.accepted++;
    server.present++;
    customer->deadline = now() + nanoseconds(server.timeout);
    customer->next = server.customers;
    customer->link = &server.customers;
    if (customer->next != NULL)
        customer->next->link = &customer->next;
    server.customers = customer;
}

static void leave(struct customer *customer) {
    if (customer->in != NULL)
        give_back(customer->in);
    if (customer->next != NULL)
        customer->next->link = customer->link;
    *customer->link = customer->next;
    io_close(customer->fd);
    server.present--;
}

static void serve_customer(void *fd) {
    struct customer customer = {.fd = (int)(intptr_t)fd};
    struct http_request request;

    enter(&customer);
    while (read_head(&customer, &request)) {
        const struct page *page = find_page(&customer, &request);
        if (!skip_body(&customer, &request))
            break;
        if (!answer(&customer, &request, page))
            break;
        if (!request.keep_alive) {
            say_goodbye(&customer);
            break;
        }
    }
    leave(&customer);
}

/* Out of descriptors or memory: waits, as some may be given back. */
static void pause_accepting(void) {
    if (!server.out_of_something)
        warn("customers wait at the door");
    server.out_of_something = true;
    if (sleep_until(now() + SECOND / 20) == -1)
        yield(); /* no memory for that either */
}

static void accept_customers(void *unused) {
    (void)unused;
    while (!server.closing) {
        int fd = io_accept(server.listener, NEVER);
        if (fd == -1 && !server.closing)
            pause_accepting();
        while (fd != -1 &&
               go("customer", serve_customer, (void *)(intptr_t)fd) == -1)
            pause_accepting();
    }
}

/* Who is idle would stay. What has been sent to us can be read nevertheless. */
static void close_the_door(void) {
    server.closing = true;
    io_close(server.listener);
    for (struct customer *customer = server.customers; customer != NULL;
         customer = customer->next)
        if (customer->idle)
            shutdown(customer->fd, SHUT_RD);
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

static void open_door(struct address *address) {
    int yes = 1;
    int fd = socket(address->storage.ss_family,
                    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd == -1)
        err(EXIT_FAILURE, "--address %s: socket", server.address);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&address->storage, address->size) == -1) {
        if (errno == EADDRNOTAVAIL)
            err(EXIT_FAILURE, "--address %s must be one of this machine",
                server.address);
        err(EXIT_FAILURE, "--port %d: choose another, or 0 for any",
            server.port);
    }
    if (listen(fd, BACKLOG) == -1)
        err(EXIT_FAILURE, "--port %d: choose another, or 0 for any",
            server.port);
    if (address_of_socket(address, fd) == -1)
        err(EXIT_FAILURE, "getsockname");
    server.listener = fd;
}

static void write_menus(void) {
    int size = snprintf(server.menu, sizeof server.menu,
                        "The bakery. Every order has an oven of its own.\n\n");

    for (int i = 0; i < PRODUCTS; i++)
        size += snprintf(server.menu + size, sizeof server.menu - (size_t)size,
                         "  GET /order/%-12s %g s\n", products[i].name,
                         products[i].seconds * server.scale);
    snprintf(server.menu + size, sizeof server.menu - (size_t)size,
             "  GET %-19s what has been served\n", "/stats");
    snprintf(server.page, sizeof server.page, browser_page, server.scale);
}

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
    open_door(&address);
    write_menus();
    printf("listening on http://%s/\n", address.text);
    if (go("door", accept_customers, NULL) == -1 ||
        go("signals", wait_for_signal, &signals) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    report_summary("%ld customers, %ld requests, %ld orders in %.2f s on 1 "
                   "thread",
                   server.accepted, server.requests, server.orders,
                   report_elapsed());
    int status = report_close();
    return server.failed ? EXIT_FAILURE : status;
}
