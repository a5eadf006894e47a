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
    size_t used; /* of the stream, by all of them */
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
    CHECK(request->status != 200 || request->body.left <= HTTP_BODY_MAX);
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

static inline size_t piece(size_t left, size_t cut) {
    return cut < left ? cut : left;
}

/* The same for a part of the body. Returns how much of it was used up. */
static inline size_t skip_in(struct http_body *body, const char *rest,
                             size_t size) {
    char *copy = malloc(size + (size == 0));

    CHECK(copy != NULL);
    memcpy(copy, rest, size);
    size_t used = http_body_skip(body, (struct text){copy, size});
    CHECK(used == size || (used < size && body->status != 0));
    CHECK(!body->chunked || body->left <= HTTP_BODY_MAX || body->status >= 400);
    CHECK(body->status == 0 || *http_reason(body->status) != '\0');
    free(copy);
    return used;
}

/*
 * All requests in the stream, each with its body. `next_cut` says how many
 * bytes the next read brings; its argument is for the caller alone.
 */
static inline void answer_all(struct answers *answers, const char *stream,
                              size_t size, size_t (*next_cut)(void *arg),
                              void *arg) {
    size_t start = 0, end = 0; /* of what has come and is not used up */
    struct http_request *request;

    answers->count = 0;
    do {
        request = &answers->requests[answers->count++];
        *request = (struct http_request){0};
        while (!take_in(request, stream + start, end - start) && end < size)
            end += piece(size - end, next_cut(arg));
        if (request->status == 0)
            break;
        start += request->head;
        start += skip_in(&request->body, stream + start, end - start);
        while (request->body.status == 0 && end < size) {
            end += piece(size - end, next_cut(arg));
            start += skip_in(&request->body, stream + start, end - start);
        }
    } while (request->keep_alive && request->body.status == 200 &&
             answers->count < ANSWERS_MAX);
    answers->used = start;
}

/* The same answers, however they came. */
static inline void check_same(const struct answers *a,
                              const struct answers *b) {
    CHECK(a->count == b->count && a->used == b->used);
    for (int i = 0; i < a->count; i++) {
        const struct http_request *x = &a->requests[i], *y = &b->requests[i];
        CHECK(x->status == y->status && x->method == y->method);
        CHECK(x->minor == y->minor);
        CHECK(x->path == y->path && x->path_size == y->path_size);
        CHECK(x->keep_alive == y->keep_alive && x->head == y->head);
        CHECK(x->body.status == y->body.status);
        CHECK(x->body.chunked == y->body.chunked);
        CHECK(x->body.left == y->body.left);
        CHECK(x->fields.html == y->fields.html);
        CHECK(x->fields.expects_continue == y->fields.expects_continue);
    }
}

#endif
