/*
 * requests.h - a stream of requests, taken in as a server would.
 *
 * The stream is cut wherever the caller likes, and each piece lies in memory of
 * its own size, at a new place each time: a sanitizer sees who reads too far.
 */
#ifndef REQUESTS_H
#define REQUESTS_H

#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "demos/http.h"
#include "demos/http_answer.h"

enum { ANSWERS_MAX = 64 };

struct answers {
    int count;
    struct http_request requests[ANSWERS_MAX];
};

/* What holds for whatever came. */
static inline void check_request(const struct http_request *request,
                                 const char *bytes, size_t size) {
    char out[HTTP_OVERHEAD + 8], date[HTTP_DATE_SIZE];
    struct http_response response = {.status = request->status,
                                     .type = "text/plain; charset=utf-8",
                                     .body = "answer",
                                     .size = 6,
                                     .keep_alive = request->keep_alive};

    CHECK(request->seen <= size && request->head <= request->seen);
    CHECK(request->seen <= HTTP_HEAD_MAX);
    CHECK(request->path_size == 0 ||
          (request->path + request->path_size <= request->head &&
           bytes[request->path] == '/'));
    if (request->status == 0)
        return;
    CHECK(*http_reason(request->status) != '\0');
    CHECK(request->status == 200 || request->status >= 400);
    CHECK(request->status == 200 || !request->keep_alive);
    CHECK(request->status != 200 || request->body <= HTTP_BODY_MAX);
    http_date(date, 784111777);
    CHECK(http_format(out, &response, date) <= sizeof out);
}

/* Parses the first bytes of the rest, from memory that holds no more. */
static inline bool take_in(struct http_request *request, const char *rest,
                           size_t size) {
    char *copy = malloc(size + (size == 0));

    CHECK(copy != NULL);
    memcpy(copy, rest, size);
    bool decided = http_parse(request, copy, size);
    check_request(request, copy, size);
    free(copy);
    return decided;
}

/*
 * All requests in the stream. `next_cut` says how many bytes the next read
 * brings; what it gets is for the caller alone.
 */
static inline void answer_all(struct answers *answers, const char *stream,
                              size_t size, size_t (*next_cut)(void *arg),
                              void *arg) {
    size_t start = 0, end = 0; /* of what has come and is not used up */

    answers->count = 0;
    while (answers->count < ANSWERS_MAX) {
        struct http_request *request = &answers->requests[answers->count++];
        *request = (struct http_request){0};
        while (!take_in(request, stream + start, end - start) && end < size) {
            size_t more = next_cut(arg);
            end += more < size - end ? more : size - end;
        }
        if (request->status == 0 || !request->keep_alive)
            break;
        start += request->head + request->body;
        if (start > size)
            break;
        end = end < start ? start : end;
    }
}

/* The same answers, however they came. */
static inline void check_same(const struct answers *a,
                              const struct answers *b) {
    CHECK(a->count == b->count);
    for (int i = 0; i < a->count; i++) {
        const struct http_request *x = &a->requests[i], *y = &b->requests[i];
        CHECK(x->status == y->status && x->method == y->method);
        CHECK(x->minor == y->minor);
        CHECK(x->path == y->path && x->path_size == y->path_size);
        CHECK(x->keep_alive == y->keep_alive && x->head == y->head);
        CHECK(x->body == y->body);
        CHECK(x->fields.html == y->fields.html);
        CHECK(x->fields.expects_continue == y->fields.expects_continue);
    }
}

#endif
