/*
 * http.h - a request of HTTP/1.1, as far as a bakery needs it.
 *
 * There is no socket in here and nothing that waits. A request is taken in one
 * byte at a time, so it cannot matter in which pieces it arrived.
 *
 * Sources: RFC 9112 (how a message is written), RFC 9110 (what it means).
 */
#ifndef HTTP_H
#define HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "http_body.h"
#include "http_fields.h"

/* In bytes, line ends and all. What is longer is refused. */
enum {
    HTTP_LINE_MAX = 8192,   /* the request line: 414 */
    HTTP_FIELDS_MAX = 8192, /* the header section: 431 */
    HTTP_HEAD_MAX = HTTP_LINE_MAX + HTTP_FIELDS_MAX
};

enum http_method {
    HTTP_UNKNOWN, /* 501 */
    HTTP_GET,
    HTTP_HEAD,
    HTTP_OTHER /* one of the RFC; 405 */
};

/* All zero before the first byte. */
struct http_request {
    int status; /* 0: not complete yet; 200; or what to refuse it with */
    enum http_method method;
    int minor;              /* of version 1.minor */
    size_t path, path_size; /* in the bytes, without the query; size 0: none */
    struct http_fields fields;
    bool keep_alive;       /* the connection may go on after the answer */
    size_t head;           /* the size of all up to the body */
    struct http_body body; /* that follows */
    size_t seen, begin;    /* bytes taken in; where the header section begins */
};

/*
 * Takes in what is new in the `size` bytes, of which the first is the first of
 * the request. They may have moved since the last call, but not changed.
 * Returns true when it is decided: request->status is not 0 any more.
 */
bool http_parse(struct http_request *request, const char *bytes, size_t size);

/* Decides that it is refused, and that nothing after it can be understood. */
void http_refuse(struct http_request *request, int status);

/* Whether the request, whose bytes these are, is for this path (see uri.h). */
bool http_path_is(const struct http_request *request, const char *bytes,
                  const char *path);

#endif
