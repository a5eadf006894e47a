/*
 * http_answer.h - the other half of HTTP: writes the server's answers, and
 * reads them for the customer.
 */
#ifndef HTTP_ANSWER_H
#define HTTP_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "http_body.h"

enum {
    HTTP_ANSWER_MAX = 8192, /* with its body */
    HTTP_DATE_SIZE = 30,
    HTTP_OVERHEAD = 512 /* of an answer: what http_format() adds to its body */
};

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
 * Reads the head of an answer. Returns its size, 0 if it is not complete, or -1
 * if it is no HTTP. The body follows.
 */
long http_parse_answer(const char *bytes, size_t size, int *status,
                       struct http_body *body);

#endif
