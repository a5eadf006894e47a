/*
 * http.h - HTTP/1.1 as far as a bakery needs it: bytes in, bytes out.
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
#include <time.h>

/* In bytes, line ends and all. What is longer is refused. */
enum {
    HTTP_LINE_MAX = 8192,   /* the request line: 414 */
    HTTP_FIELDS_MAX = 8192, /* the header section: 431 */
    HTTP_HEAD_MAX = HTTP_LINE_MAX + HTTP_FIELDS_MAX,
    HTTP_BODY_MAX = 65536, /* what follows the header section: 413 */
    HTTP_DATE_SIZE = 30,
    HTTP_OVERHEAD = 512 /* of an answer: what http_format() adds to its body */
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
    bool keep_alive;        /* the connection may go on after the answer */
    bool html;              /* rather than plain text */
    bool expects_continue;  /* waits for "100 Continue" before its body */
    size_t head;            /* the size of all up to the body */
    size_t body;            /* the size of the body that follows */
    size_t seen, fields;    /* bytes taken in; where the header section is */
    /* Which fields have come, and what they say. */
    bool has_host, has_length, transfer_coding, expects_other, close;
};

/*
 * Takes in what is new in the `size` bytes, of which the first is the first of
 * the request. They may have moved since the last call, but not changed.
 * Returns true when it is decided: request->status is not 0 any more.
 */
bool http_parse(struct http_request *request, const char *bytes, size_t size);

/* Decides that it is refused, and that nothing after it can be understood. */
void http_refuse(struct http_request *request, int status);

/* Whether the request, whose bytes these are, is for this path. */
bool http_path_is(const struct http_request *request, const char *bytes,
                  const char *path);

struct http_response {
    int status;
    const char *type;   /* the media type of the body */
    const char *fields; /* further ones, each with its line end; or NULL */
    const char *body;
    size_t size;
    bool no_body; /* the answer to HEAD: the same without the body */
    bool keep_alive;
};

/*
 * Writes the whole answer, HTTP_OVERHEAD + response->size bytes at most, and
 * returns its size. `date` is what http_date() wrote.
 */
size_t http_format(char *out, const struct http_response *response,
                   const char *date);

/* "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7) */
void http_date(char date[HTTP_DATE_SIZE], time_t time);

/* "Not Found" for 404 */
const char *http_reason(int status);

/*
 * The other side: reads the head of an answer. Returns its size, 0 if it is not
 * complete, or -1 if it is no HTTP. An answer without Content-Length has the
 * body SIZE_MAX: it ends with the connection.
 */
long http_parse_answer(const char *bytes, size_t size, int *status,
                       size_t *body);

#endif
