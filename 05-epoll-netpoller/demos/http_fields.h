/*
 * http_fields.h - the header section: what its fields say.
 *
 * Only the fields that a bakery needs are looked at. The others must be
 * written correctly, and then they do not matter.
 */
#ifndef HTTP_FIELDS_H
#define HTTP_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* All zero before the first field. */
struct http_fields {
    bool has_host;
    bool has_length; /* Content-Length, and it says: */
    size_t length;
    bool has_coding; /* Transfer-Encoding, and it names: */
    bool chunked, other_coding;
    bool close, keep_alive; /* of Connection */
    bool html;              /* of Accept: it is preferred to plain text */
    int weight;             /* of the preferred one, in thousandths */
    bool expects_continue;  /* 100-continue */
    bool expects_other;     /* something else */
};

/*
 * Takes in one line, without its end. Returns false when it may not be like
 * that, or not after the lines before: 400.
 */
bool http_take_field(struct http_fields *fields, struct text line);

/* A word of HTTP: a method, or the name of a field (RFC 9110, 5.6.2). */
bool http_is_token(struct text text);

/* "HTTP/1.1", with any two digits. */
bool http_is_version(struct text text);

#endif
