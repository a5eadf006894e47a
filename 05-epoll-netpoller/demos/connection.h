/*
 * connection.h - a socket of the server, with a buffer and a deadline.
 *
 * A peer who says nothing must cost little: one page of stack. So a buffer,
 * which is big, is not on the stack. It is taken from a pile when bytes arrive,
 * and goes back when they are used up.
 */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "http.h"
#include "http_answer.h"
#include "text.h"

/*
 * Room for a request and for an answer: whoever has one buffer never waits for
 * another, so when memory is short they do not all wait for each other.
 */
struct buffer {
    struct buffer *next; /* in the pile */
    size_t start, end;   /* what was read and is not used up yet */
    char in[HTTP_HEAD_MAX], out[HTTP_ANSWER_MAX];
};

/* It may live on the stack of its task. */
struct connection {
    int fd;
    bool idle;             /* waits, and nothing has been read */
    int64_t timeout;       /* in nanoseconds, for a request and for an answer */
    int64_t deadline;      /* of the one under way; 0: it has not begun */
    struct buffer *buffer; /* NULL if nothing is in it */
    struct connection *next, **link; /* in the list of all */
};

/* From here on the descriptor belongs to the connection. */
void connection_open(struct connection *connection, int fd, int64_t timeout);

/* Waits until there is a request to read. Returns 0, or -1 and errno. */
int connection_wait(struct connection *connection);

/*
 * As read(2). ETIMEDOUT: the request or the answer has used up its time, also
 * by waiting for a buffer.
 */
ssize_t connection_read(struct connection *connection);

/* What has been read and is not used up. */
struct text connection_unread(const struct connection *connection);

/* The first `count` bytes of that are not needed any more. */
void connection_use_up(struct connection *connection, size_t count);

/* Where to write an answer: HTTP_ANSWER_MAX bytes; or NULL and ETIMEDOUT. */
char *connection_out(struct connection *connection);

/* Sends everything, or returns -1: then the peer gets no more of it. */
int connection_write(struct connection *connection, const char *bytes,
                     size_t size);

/*
 * Comes before closing it after an answer. Lets the peer close first, for a
 * second. To close a socket with unread bytes in it resets the connection, and
 * the answer with it (RFC 9112, 9.6).
 */
void connection_finish(struct connection *connection);

void connection_close(struct connection *connection);

/*
 * From now on nobody waits for a request. One that has arrived, or a part of
 * it, can be read nevertheless.
 */
void connections_hang_up(void);

/*
 * For somebody who lacks descriptors or memory: waits a little, as others may
 * give some back. The complaint goes to stderr with the reason, which is errno,
 * unless it was made before.
 */
void wait_for_more(const char *complaint, bool *made);

#endif
