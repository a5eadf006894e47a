/* connection.c - see connection.h. */
#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "io.h"
#include "netpoll.h"
#include "timer.h"

static struct buffer *pile;
static struct connection *connections;
static bool hanging_up;

struct buffer *buffer_take(void) {
    struct buffer *buffer = pile;

    if (buffer != NULL)
        pile = buffer->next;
    else if ((buffer = malloc(sizeof *buffer)) == NULL)
        return NULL;
    buffer->start = buffer->end = 0;
    return buffer;
}

void buffer_give_back(struct buffer *buffer) {
    buffer->next = pile;
    pile = buffer;
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
    if (connection->in != NULL)
        buffer_give_back(connection->in);
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

/* The clock starts when the deadline is asked for. */
static int64_t deadline_of(struct connection *connection) {
    if (connection->deadline == 0)
        connection->deadline = now() + connection->timeout;
    return connection->deadline;
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
    struct buffer *in = connection->in;

    if (in == NULL && (in = connection->in = buffer_take()) == NULL)
        return -1;
    memmove(in->bytes, in->bytes + in->start, in->end - in->start);
    in->end -= in->start;
    in->start = 0;
    ssize_t count = io_read(connection->fd, in->bytes + in->end,
                            BUFFER_SIZE - in->end, deadline_of(connection));
    if (count > 0)
        in->end += (size_t)count;
    return count;
}

struct text connection_unread(const struct connection *connection) {
    const struct buffer *in = connection->in;

    if (in == NULL)
        return (struct text){"", 0};
    return (struct text){in->bytes + in->start, in->end - in->start};
}

void connection_use_up(struct connection *connection, size_t count) {
    struct buffer *in = connection->in;

    if (in == NULL || (in->start += count) < in->end)
        return;
    buffer_give_back(in);
    connection->in = NULL;
}

int connection_write(struct connection *connection, const char *bytes,
                     size_t size) {
    struct linger drop = {.l_onoff = 1};

    if (io_write(connection->fd, bytes, size, deadline_of(connection)) != -1)
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
