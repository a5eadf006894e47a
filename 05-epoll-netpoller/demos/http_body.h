/*
 * http_body.h - finds the end of a body that nobody wants to read.
 *
 * The size of a body is given in the header section, or the body comes in
 * chunks, each behind its own size (RFC 9112, 7.1):
 *
 *     5;note=this is an extension CR LF
 *     bread CR LF
 *     0 CR LF
 *     Trailer: a field that was not known before CR LF
 *     CR LF
 */
#ifndef HTTP_BODY_H
#define HTTP_BODY_H

#include <stddef.h>

#include "text.h"

/* In bytes. What is longer is refused. */
enum {
    HTTP_BODY_MAX = 65536,                 /* what the chunks hold: 413 */
    HTTP_CHUNKING_MAX = 8 * HTTP_BODY_MAX, /* what is around that: 413 */
    HTTP_TRAILER_MAX = 8192                /* the fields at the end: 431 */
};

struct http_body {
    int status; /* 0: more will come; 200: complete; or what to refuse it with
                 */
    bool chunked;
    bool endless;        /* an answer that ends with the connection */
    int expected;        /* what comes next, by the grammar */
    size_t left;         /* of the body, or of the chunk */
    size_t room, around; /* what the limits leave for data, and for the rest */
};

/* A body in chunks, or one of this size: it is complete if that is 0. */
void http_body_begin(struct http_body *body, bool chunked, size_t size);

/*
 * Takes in the next bytes. Returns how many of them belong to the body: all of
 * them as long as the status is 0.
 */
size_t http_body_skip(struct http_body *body, struct text bytes);

#endif
