/* connection.c - see connection.h. */
#include "connection.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "io.h"
#include "netpoll.h"
#include "scheduler.h"
#include "timer.h"

static struct buffer *pile;
static struct connection *connections;
static bool hanging_up;

void wait_for_more(const char *complaint, bool *made) {
    if (!*made)
        warn("%s", complaint);
    *made = true;
    if (sleep_until(now() + SECOND / 20) == -1)
        yield(); /* no memory for that either */
}

/* The clock starts when the deadline is asked for. */
static int64_t deadline_of(struct connection *connection) {
    if (connection->deadline == 0)
        connection->deadline = now() + connection->timeout;
    return connection->deadline;
}

static struct buffer *find_buffer(void) {
    struct buffer *buffer = pile;

    if (buffer == NULL)
        return malloc(sizeof *buffer);
    pile = buffer->next;
    return buffer;
}

/* Returns the buffer that the connection has, or has now. */
static struct buffer *take_buffer(struct connection *connection) {
    static bool complained;

    while (connection->buffer == NULL) {
        struct buffer *buffer = find_buffer();
        if (buffer != NULL) {
            buffer->start = buffer->end = 0;
            connection->buffer = buffer;
        } else if (now() >= deadline_of(connection)) {
            errno = ETIMEDOUT;
            return NULL;
        } else {
            wait_for_more("customers wait for a buffer", &complained);
        }
    }
    return connection->buffer;
}

static void give_back_buffer(struct connection *connection) {
    connection->buffer->next = pile;
    pile = connection->buffer;
    connection->buffer = NULL;
}

void connection_open(struct connection *connection, int fd, int64_t timeout) {
    *connection = (struct connection){.fd = fd,
                                      .timeout = timeout,
                                      .next = connections,
                                      .link = &connections};
    if (connections != NULL)
        connections->link = &connection->next;
    connections = connection;
}

void connection_close(struct connection *connection) {
    if (connection->buffer != NULL)
        give_back_buffer(connection);
    if (connection->next != NULL)
        connection->next->link = connection->link;
    *connection->link = connection->next;
    io_close(connection->fd);
}

void connections_hang_up(void) {
    hanging_up = true;
    for (struct connection *each = connections; each != NULL; each = each->next)
        if (each->idle)
            netpoll_forget(each->fd); /* wakes it with ECANCELED */
}

int connection_wait(struct connection *connection) {
    int result;

    connection->idle = true;
    do
        result = wait_fd(connection->fd, EPOLLIN,
                         hanging_up ? 0 : deadline_of(connection));
    while (result == -1 && errno == ECANCELED);
    connection->idle = false;
    return result;
}

ssize_t connection_read(struct connection *connection) {
    struct buffer *buffer = take_buffer(connection);

    if (buffer == NULL)
        return -1;
    buffer->end -= buffer->start;
    memmove(buffer->in, buffer->in + buffer->start, buffer->end);
    buffer->start = 0;
    ssize_t count =
        io_read(connection->fd, buffer->in + buffer->end,
                sizeof buffer->in - buffer->end, deadline_of(connection));
    if (count > 0)
        buffer->end += (size_t)count;
    return count;
}

struct text connection_unread(const struct connection *connection) {
    const struct buffer *buffer = connection->buffer;

    if (buffer == NULL)
        return (struct text){"", 0};
    return (struct text){buffer->in + buffer->start,
                         buffer->end - buffer->start};
}

void connection_use_up(struct connection *connection, size_t count) {
    struct buffer *buffer = connection->buffer;

    if (buffer != NULL && (buffer->start += count) == buffer->end)
        give_back_buffer(connection);
}

char *connection_out(struct connection *connection) {
    struct buffer *buffer = take_buffer(connection);

    return buffer ? buffer->out : NULL;
}

int connection_write(struct connection *connection, const char *bytes,
                     size_t size) {
    struct linger drop = {.l_onoff = 1};
    ssize_t sent =
        io_write(connection->fd, bytes, size, deadline_of(connection));

    connection_use_up(connection, 0); /* gives the buffer back, if it can */
    if (sent != -1)
        return 0;
    /* Nor shall the kernel keep it for somebody who does not read. */
    setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &drop, sizeof drop);
    return -1;
}

void connection_finish(struct connection *connection) {
    int64_t deadline = now() + SECOND;

    shutdown(connection->fd, SHUT_WR);
    connection->deadline = deadline;
    do
        connection_use_up(connection, connection_unread(connection).size);
    while (wait_fd(connection->fd, EPOLLIN, deadline) == 0 &&
           connection_read(connection) > 0 && now() < deadline);
}
