/*
 * parser.c - http_parse() gives the right verdict, however a request is cut.
 *
 * Each request is taken in whole, byte by byte, and in two pieces for each
 * place where it can be cut; the bytes are moved in between. What follows a
 * request must not matter either. Bodies in chunks are treated likewise.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "demos/http.h"
#include "demos/http_answer.h"

enum { BIG = HTTP_HEAD_MAX + 64 };

#define HOST     "Host: bakery\r\n"
#define LINE     "GET / HTTP/1.1\r\n" HOST
#define TO(host) "GET / HTTP/1.1\r\nHost: " host "\r\n\r\n"
#define CHUNKED  "Transfer-Encoding: chunked\r\n"

static const struct {
    int status; /* 0: more is needed */
    const char *bytes;
} cases[] = {
    {200, LINE "\r\n"},
    {200, "\r\n\r\n" LINE "\r\n"},
    {200, "GET / HTTP/1.0\r\n\r\n"},
    {200, "GET / HTTP/1.0\n\n"},
    {200, "GET / HTTP/1.7\r\n" HOST "\r\n"},
    {200, "GET http://bakery:8080/x?y HTTP/1.1\r\n" HOST "\r\n"},
    {200, "GET HTTP://[::1] HTTP/1.1\r\n" HOST "\r\n"},
    {200, "GET http://bakery?x HTTP/1.1\r\n" HOST "\r\n"},
    {200, "GET / HTTP/1.1\r\nhost:\r\n\r\n"},
    {200, "GET / HTTP/1.1\r\nHOST:\t[::1]:80 \r\n\r\n"},
    {200, TO("[2001:db8::127.0.0.1]:")},
    {200, TO("%62akery.example_1~:8080")},
    {200, TO(":80")},
    {200, LINE "Empty:\r\nTab: a\tb\r\nLatin: \xe9\r\n\r\n"},
    {200, "OPTIONS * HTTP/1.1\r\n" HOST "\r\n"},
    {200, "CONNECT bakery:80 HTTP/1.1\r\n" HOST "\r\n"},
    {200, LINE "Content-Length: 5\r\n\r\nhello"},
    {200, LINE "Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello"},
    {200, LINE "Content-Length: 65536\r\n\r\n"},
    {200, LINE "Expect: 100-Continue\r\nContent-Length: 5\r\n\r\n"},
    {200, LINE "Expect:\r\nExpect: ,\r\n\r\n"},
    {200, "GET / HTTP/1.0\r\nExpect: cake\r\n\r\n"},
    {0, ""},
    {0, "\r\n"},
    {0, "GET / HTTP/1.1"},
    {0, LINE},
    {0, LINE "\r"},
    {400, "\r\r\n"},
    {400, " GET / HTTP/1.1\r\n"},
    {400, "GET / HTTP/1.1 \r\n"},
    {400, "GET  / HTTP/1.1\r\n"},
    {400, "GET\t/\tHTTP/1.1\r\n"},
    {400, "GET /\r\n"},
    {400, "GET\r\n"},
    {400, "GET / HTTP/1\r\n"},
    {400, "GET / HTTP/1.1.\r\n"},
    {400, "GET / http/1.1\r\n"},
    {400, "GET / HTTP/a.1\r\n"},
    {400, "GET bread HTTP/1.1\r\n"},
    {400, "GET * HTTP/1.1\r\n"},
    {400, "GET http:// HTTP/1.1\r\n"},
    {400, "GET http://me@bakery/ HTTP/1.1\r\n"},
    {400, "GET /\xc3\xa9 HTTP/1.1\r\n"},
    {400, "G(T / HTTP/1.1\r\n"},
    {400, "GET /\rx HTTP/1.1\r\n"},
    {400, "GET / HTTP/1.1\r\n\r\n"},
    {400, LINE HOST "\r\n"},
    {400, TO("a b")},
    {400, TO("a/b")},
    {400, TO("a:b")},
    {400, TO("a:80:80")},
    {400, TO("x:-1")},
    {400, TO("me@a")},
    {400, TO("%zz")},
    {400, TO("%6")},
    {400, TO("%")},
    {400, TO("::1")},
    {400, TO("[::1")},
    {400, TO("[")},
    {400, TO("a]")},
    {400, TO("[]")},
    {400, TO("[a]")},
    {400, TO("[::1]x")},
    {400, TO("[::1]80")},
    {400, TO("[1:2:3:4:5:6:7:8:9]")},
    {400, TO("[0000000000000000000000000000000000000000000000::1]")},
    {400, "GET http://:80/ HTTP/1.1\r\n"},
    {400, "GET http://x:a/ HTTP/1.1\r\n"},
    {400, "GET http://[::1/ HTTP/1.1\r\n"},
    {400, "GET http://?x HTTP/1.1\r\n"},
    {400, "GET /#f HTTP/1.1\r\n"},
    {400, "GET /?x#f HTTP/1.1\r\n"},
    {400, "GET /%6 HTTP/1.1\r\n"},
    {400, "GET /%zz?x HTTP/1.1\r\n"},
    {400, "POST * HTTP/1.1\r\n"},
    {400, "POST bakery:80 HTTP/1.1\r\n"},
    {400, "OPTIONS ** HTTP/1.1\r\n"},
    {400, "CONNECT / HTTP/1.1\r\n"},
    {400, "GET / HTTP/1.1\r\n Host: bakery\r\n"},
    {400, LINE "Folded: a\r\n b\r\n"},
    {400, LINE "Space : a\r\n"},
    {400, LINE ": a\r\n"},
    {400, LINE "nonsense\r\n"},
    {400, LINE "Bare: a\rb\r\n"},
    {400, LINE "Control: \x01\r\n"},
    {400, LINE "Delete: \x7f\r\n"},
    {400, LINE "Content-Length:\r\n"},
    {400, LINE "Content-Length: -1\r\n"},
    {400, LINE "Content-Length: +1\r\n"},
    {400, LINE "Content-Length: 0x5\r\n"},
    {400, LINE "Content-Length: 5, 5\r\n"},
    {400, LINE "Content-Length: 5\r\nContent-Length: 6\r\n"},
    {413, LINE "Content-Length: 65537\r\n\r\n"},
    {413, LINE "Content-Length: 18446744073709551616\r\n\r\n"},
    {413, LINE "Content-Length: 99999999999999999999999999\r\n\r\n"},
    {417, LINE "Expect: cake\r\n\r\n"},
    {417, LINE "Expect: 100-continue, cake\r\n\r\n"},
    {200, LINE "Transfer-Encoding: chunked\r\n\r\n"},
    {200, LINE "transfer-encoding: , Chunked\t,\r\n\r\n"},
    {400, LINE "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"},
    {400, LINE "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"},
    {400, LINE "Content-Length: 0\r\nTransfer-Encoding: gzip\r\n\r\n"},
    {400, LINE "Transfer-Encoding: chunked, gzip\r\n"},
    {400, LINE "Transfer-Encoding: chunked, chunked\r\n"},
    {400, LINE CHUNKED CHUNKED},
    {400, LINE "Transfer-Encoding:\r\n\r\n"},
    {400, "GET / HTTP/1.0\r\n" CHUNKED "\r\n"},
    {400, "GET / HTTP/1.0\r\nTransfer-Encoding: gzip\r\n\r\n"},
    {501, LINE "Transfer-Encoding: gzip\r\n\r\n"},
    {501, LINE "Transfer-Encoding: gzip, chunked\r\n\r\n"},
    {501, LINE "Transfer-Encoding: gzip\r\n" CHUNKED "\r\n"},
    {501, LINE "Transfer-Encoding: xchunked\r\n\r\n"},
    {501, "BAKE / HTTP/1.1\r\n" HOST "\r\n"},
    {501, "get / HTTP/1.1\r\n" HOST "\r\n"},
    {505, "GET / HTTP/2.0\r\n"},
    {505, "GET / HTTP/0.9\r\n"},
    {505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
};

enum { CASES = sizeof cases / sizeof cases[0] };

/* In chunks. What is behind the body, or behind what is wrong, is not taken. */
static const struct {
    int status;
    const char *bytes, *behind;
} bodies[] = {
    {200, "0\r\n\r\n", ""},
    {200, "5\r\nbread\r\n0\r\n\r\n", "GET"},
    {200, "1\r\n\r\r\n1\r\n\n\r\n00\r\n\r\n", "\r\n"},
    {200, "a\r\n0123456789\r\n000B\r\n0123456789a\r\n0\r\n\r\n", "0"},
    {200, "5;a;b=\"c d\"\r\nbread\r\n0 ; \xe9\r\n\r\n", ""},
    {200, "5 \r\nbread\r\n0\t\r\nA:\r\nContent-Length: x\r\n\r\n", "0"},
    {0, "", ""},
    {0, "5", ""},
    {0, "5\r\nbread\r\n", ""},
    {0, "5\r\nbread\r\n0\r\n", ""},
    {0, "0\r\nA: b\r\n\r", ""},
    {400, "\r", "\n"},
    {400, "x", "\r\n"},
    {400, "g", "\r\n"},
    {400, "-", "1\r\n"},
    {400, " ", "5\r\n"},
    {400, ";", "a\r\n"},
    {400, "0x", "5\r\n"},
    {400, "5,", "\r\n"},
    {400, "5 5", "\r\n"},
    {400, "5 x", "\r\n"},
    {400, "5\n", "bread\r\n"},
    {400, "5\r\r", "\nbread"},
    {400, "5;a\n", "bread\r\n"},
    {400, "5;\x01", "\r\n"},
    {400, "5\r\nbread\n", "0\r\n\r\n"},
    {400, "5\r\nbread ", "\r\n0\r\n\r\n"},
    {400, "5\r\nbread\r ", "\n0\r\n\r\n"},
    {400, "0\r\n\n", ""},
    {400, "0\r\n\r\r", "\n"},
    {400, "0\r\n:", "a\r\n\r\n"},
    {400, "0\r\n ", "A: b\r\n\r\n"},
    {400, "0\r\nA ", ": b\r\n\r\n"},
    {400, "0\r\nA\r", "\n\r\n"},
    {400, "0\r\nA: b\n", "\r\n"},
    {400, "0\r\nA: b\r ", "\n\r\n"},
    {400, "0\r\nA: \x7f", "\r\n\r\n"},
    {413, "10001", "\r\n"},
    {413, "ffFFf", "ffffffffffffffffffffffff\r\n"},
    {413, "1\r\nx\r\n10000", "\r\n"},
};

enum { BODIES = sizeof bodies / sizeof bodies[0] };

static bool same(const struct http_request *a, const struct http_request *b) {
    return a->status == b->status && a->method == b->method &&
           a->minor == b->minor && a->path == b->path &&
           a->path_size == b->path_size && a->keep_alive == b->keep_alive &&
           a->fields.html == b->fields.html &&
           a->fields.expects_continue == b->fields.expects_continue &&
           a->head == b->head && a->body.status == b->body.status &&
           a->body.chunked == b->body.chunked && a->body.left == b->body.left;
}

static struct http_request parse(const char *bytes, size_t size) {
    struct http_request request = {0};

    http_parse(&request, bytes, size);
    return request;
}

static struct http_request parse_cut(const char *bytes, size_t size,
                                     size_t at) {
    static char moved[BIG];
    struct http_request request = {0};

    http_parse(&request, bytes, at);
    memcpy(moved, bytes, size);
    http_parse(&request, moved, size);
    return request;
}

/* Returns the verdict, the same for every way to cut these bytes. */
static struct http_request check_cuts(const char *bytes, size_t size) {
    struct http_request whole = parse(bytes, size), slow = {0}, cut;

    for (size_t i = 0; i <= size; i++)
        http_parse(&slow, bytes, i);
    CHECK(same(&whole, &slow));
    for (size_t i = 0; i <= size; i++) {
        cut = parse_cut(bytes, size, i);
        CHECK(same(&whole, &cut));
    }
    return whole;
}

static void check_case(int status, const char *bytes, size_t size) {
    static char longer[BIG];
    struct http_request request = check_cuts(bytes, size), other;

    if (request.status != status)
        fprintf(stderr, "%d for:\n%s\n", request.status, bytes);
    CHECK(request.status == status);
    if (status == 0)
        return;
    memcpy(longer, bytes, size);
    memcpy(longer + size, "\0 GET", 5);
    other = parse(longer, size + 5);
    CHECK(same(&request, &other));
}

/* A request line of `line` and a header section of `fields` bytes. */
static size_t fill(char *bytes, size_t line, size_t fields) {
    memset(bytes, 'x', BIG);
    memcpy(bytes, "GET /", 5);
    memcpy(bytes + line - 11, " HTTP/1.1\r\n", 11);
    memcpy(bytes + line, HOST "X: ", 17);
    memcpy(bytes + line + fields - 4, "\r\n\r\n", 4);
    return line + fields;
}

static void check_limits(void) {
    static char bytes[BIG];

    for (size_t more = 0; more <= 1; more++) {
        size_t size = fill(bytes, HTTP_LINE_MAX, HTTP_FIELDS_MAX + more);
        CHECK(parse(bytes, size).status == (more ? 431 : 200));
        CHECK(parse(bytes, HTTP_HEAD_MAX).status == (more ? 431 : 200));
        size = fill(bytes, HTTP_LINE_MAX + more, 100);
        CHECK(parse(bytes, size).status == (more ? 414 : 200));
    }
    memset(bytes, 'x', BIG);
    CHECK(parse(bytes, BIG).status == 501);
    memset(bytes, '\n', BIG);
    CHECK(parse(bytes, BIG).status != 0);
    fill(bytes, HTTP_LINE_MAX, 100);
    CHECK(parse(bytes, HTTP_LINE_MAX - 1).status == 0);
    check_cuts(bytes, 1000);
}

/* In pieces of this size. Returns how many bytes belong to the body. */
static size_t skip(struct http_body *body, const char *bytes, size_t size,
                   size_t piece) {
    size_t used = 0;

    while (used < size && body->status == 0) {
        size_t came = piece < size - used ? piece : size - used;
        size_t count = http_body_skip(body, (struct text){bytes + used, came});
        CHECK(count == came || (count < came && body->status != 0));
        used += count;
    }
    return used;
}

static void check_body(int status, const char *bytes, const char *behind) {
    char all[256];
    struct http_body body;

    strcpy(stpcpy(all, bytes), behind);
    for (size_t piece = 1; piece <= strlen(all) + 1; piece++) {
        http_body_begin(&body, true, 0);
        size_t used = skip(&body, all, strlen(all), piece);
        if (body.status != status || used != strlen(bytes))
            fprintf(stderr, "%d after %zu of:\n%s\n", body.status, used, all);
        CHECK(body.status == status && used == strlen(bytes));
    }
}

static int status_of(const char *bytes, size_t size) {
    struct http_body body;

    http_body_begin(&body, true, 0);
    skip(&body, bytes, size, size);
    return body.status;
}

/* Two chunks as long as the limit, or one byte more. */
static void check_body_limits(void) {
    static char bytes[HTTP_CHUNKING_MAX + HTTP_BODY_MAX + 64];
    size_t size;

    for (int more = 0; more <= 1; more++) {
        memset(bytes, 'x', sizeof bytes);
        memcpy(bytes, "8000\r\n", 6);
        size = 6 + 0x8000;
        size += (size_t)sprintf(bytes + size, "\r\n%x\r\n", 0x8000 + more);
        bytes[size] = 'x';
        size += 0x8000;
        size += (size_t)sprintf(bytes + size, "\r\n0\r\n\r\n");
        CHECK(status_of(bytes, size) == (more ? 413 : 200));

        memset(bytes, '0', HTTP_CHUNKING_MAX);
        memcpy(bytes + HTTP_CHUNKING_MAX - 2 + more, "\r\n\r\n", 4);
        CHECK(status_of(bytes, HTTP_CHUNKING_MAX + 3) == (more ? 413 : 200));

        memset(bytes, 'x', HTTP_TRAILER_MAX + 64);
        memcpy(bytes, "0\r\nA:", 5);
        memcpy(bytes + 3 + HTTP_TRAILER_MAX - 4 + more, "\r\n\r\n", 4);
        CHECK(status_of(bytes, 4 + HTTP_TRAILER_MAX) == (more ? 431 : 200));
    }
}

static void check_meaning(void) {
    static const char absolute[] = "HEAD http://h/a?b HTTP/1.1\r\n" HOST "\r\n";
    static const char close[] = LINE "Connection: x, Close\r\n\r\n";
    static const char old[] = "GET / HTTP/1.0\r\n\r\n";
    static const char kept[] =
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
    static const char both[] = LINE "Connection: keep-alive\r\n"
                                    "Connection: close\r\n\r\n";
    static const char body[] =
        "POST / HTTP/1.1\r\n" HOST "Content-Length: 007\r\n\r\nabcdefg";
    struct http_request request = parse(absolute, sizeof absolute - 1);

    CHECK(request.method == HTTP_HEAD && request.keep_alive);
    CHECK(http_path_is(&request, absolute, "/a"));
    CHECK(!parse(close, sizeof close - 1).keep_alive);
    CHECK(!parse(old, sizeof old - 1).keep_alive);
    CHECK(parse(kept, sizeof kept - 1).keep_alive);
    CHECK(!parse(both, sizeof both - 1).keep_alive);
    request = parse(body, sizeof body - 1);
    CHECK(request.method == HTTP_OTHER && request.body.left == 7);
    CHECK(request.head + 7 == sizeof body - 1);
}

static void check_accept(void) {
    static const struct {
        bool html;
        const char *bytes;
    } wishes[] = {
        {false, LINE "\r\n"},
        {false, LINE "Accept: */*\r\n\r\n"},
        {true, LINE "Accept: a/b, text/html;q=1, */*\r\n\r\n"},
        {true, LINE "Accept: TEXT/HTML;level=1 ; Q=0.001\r\n\r\n"},
        {false, LINE "Accept: text/plain, text/html\r\n\r\n"},
        {false, LINE "Accept: text/plain\r\nAccept: text/html\r\n\r\n"},
        {true, LINE "Accept: text/html\r\nAccept: text/plain\r\n\r\n"},
        {false, LINE "Accept: text/html;q=0\r\n\r\n"},
        {false, LINE "Accept: text/html; q=0.000, */*\r\n\r\n"},
        {false, LINE "Accept: text/html;q=0.5, text/plain;q=0.51\r\n\r\n"},
        {false, LINE "Accept: text/html;q=0.5, text/*\r\n\r\n"},
        {true, LINE "Accept: text/plain;q=0.8\r\nAccept: a/b,,"
                    "text/html;q=0.900\r\n\r\n"},
    };

    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        const char *bytes = wishes[i].bytes;
        struct http_request request = check_cuts(bytes, strlen(bytes));
        CHECK(request.status == 200);
        CHECK(request.fields.html == wishes[i].html);
    }
}

static void check_paths(void) {
    static const struct {
        bool same;
        const char *bytes, *path;
    } paths[] = {
        {true, "GET /order/cookies HTTP/1.0\r\n\r\n", "/order/cookies"},
        {true, "GET /order/%63ookies HTTP/1.0\r\n\r\n", "/order/cookies"},
        {true, "GET /%6F%72der/cookie%73?%zz HTTP/1.0\r\n\r\n",
         "/order/cookies"},
        {true, "GET http://bakery HTTP/1.0\r\n\r\n", "/"},
        {false, "GET /order%2Fcookies HTTP/1.0\r\n\r\n", "/order/cookies"},
        {false, "GET /order/%2563ookies HTTP/1.0\r\n\r\n", "/order/cookies"},
        {false, "GET /order/cookies%00 HTTP/1.0\r\n\r\n", "/order/cookies"},
        {false, "GET /order/cookie HTTP/1.0\r\n\r\n", "/order/cookies"},
        {false, "GET /order/cookiess HTTP/1.0\r\n\r\n", "/order/cookies"},
        {false, "GET /Order/cookies HTTP/1.0\r\n\r\n", "/order/cookies"},
        {true, "GET /%e9 HTTP/1.0\r\n\r\n", "/\xe9"},
    };

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        const char *bytes = paths[i].bytes;
        struct http_request request = check_cuts(bytes, strlen(bytes));
        CHECK(request.status == 200);
        CHECK(http_path_is(&request, bytes, paths[i].path) == paths[i].same);
    }
}

static void check_answers(void) {
    static const struct http_response response = {
        .status = 404, .type = "text/plain", .body = "no\n", .size = 3};
    char date[HTTP_DATE_SIZE], out[HTTP_OVERHEAD + 3];
    struct http_body body;
    int status = 0;

    http_date(date, 784111777);
    CHECK(strcmp(date, "Sun, 06 Nov 1994 08:49:37 GMT") == 0);
    size_t size = http_format(out, &response, date);
    for (size_t i = 0; i < size - 3; i++)
        CHECK(http_parse_answer(out, i, &status, &body) == 0);
    CHECK(http_parse_answer(out, size, &status, &body) == (long)size - 3);
    CHECK(status == 404 && body.left == 3 && !body.endless);
}

#define OK_ "HTTP/1.1 200 OK\r\n"

/* Heads of answers: how the body goes on, or that they are none. */
static void check_heads(void) {
    static const struct {
        int status; /* 0: is no HTTP */
        bool complete, chunked, endless;
        size_t left;
        const char *bytes;
    } heads[] = {
        {200, true, false, false, 0, OK_ "Content-Length: 0\r\n\r\n"},
        {200, false, false, false, 7, OK_ "Content-Length: 7\r\n\r\n"},
        {200, false, true, false, 0, OK_ CHUNKED "\r\n"},
        {200, false, true, false, 0, OK_ CHUNKED "Content-Length: 7\r\n\r\n"},
        {200, false, false, true, SIZE_MAX, OK_ "\r\n"},
        {200, false, false, true, SIZE_MAX, "HTTP/1.0 200\r\n\r\n"},
        {200, false, false, true, SIZE_MAX,
         OK_ "Transfer-Encoding: gzip\r\nContent-Length: 7\r\n\r\n"},
        {100, true, false, false, 0, "HTTP/1.1 100 Continue\r\n\r\n"},
        {103, true, false, false, 0, "HTTP/1.1 103 \r\nLink: a\r\n\r\n"},
        {204, true, false, false, 0,
         "HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n"},
        {304, true, false, false, 0, "HTTP/1.1 304 Not Modified\r\n\r\n"},
        {0, .bytes = "HTTP/1.1 2000 OK\r\n\r\n"},
        {0, .bytes = "HTTP/1.1 20 OK\r\n\r\n"},
        {0, .bytes = "HTTP/1.1 099 OK\r\n\r\n"},
        {0, .bytes = "HTTP/1.1 2x0 OK\r\n\r\n"},
        {0, .bytes = "HTTP/1.1  200 OK\r\n\r\n"},
        {0, .bytes = "HTTP/1.1200 OK\r\n\r\n"},
        {0, .bytes = "HTTP/1.x 200 OK\r\n\r\n"},
        {0, .bytes = "HTTP/2.0 200 OK\r\n\r\n"},
        {0, .bytes = "SSH-2.0\r\n\r\n"},
        {0, .bytes = OK_ "\n\r\n\r\n"},
        {0, .bytes = OK_ "nonsense\r\n\r\n"},
        {0, .bytes = OK_ "Content-Length: -1\r\n\r\n"},
    };

    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct http_body body;
        int status;
        long size = (long)strlen(heads[i].bytes);
        if (heads[i].status == 0)
            size = -1;
        CHECK(http_parse_answer(heads[i].bytes, strlen(heads[i].bytes), &status,
                                &body) == size);
        if (size == -1)
            continue;
        CHECK(status == heads[i].status && body.chunked == heads[i].chunked);
        CHECK(body.endless == heads[i].endless && body.left == heads[i].left);
        CHECK((body.status == 200) == heads[i].complete);
    }
}

/* Nonsense made of the pieces that matter: no verdict may depend on the cut. */
static void check_nonsense(void) {
    static const char *const pieces[] = {"GET",
                                         " ",
                                         "/",
                                         "HTTP/1.",
                                         "1",
                                         "0",
                                         "\r\n",
                                         "\n",
                                         "\r",
                                         "\r\n\r\n",
                                         ":",
                                         "Host",
                                         "Content-Length",
                                         "7",
                                         ",",
                                         "\t",
                                         "x",
                                         "*",
                                         "Expect",
                                         "Connection",
                                         "close",
                                         LINE,
                                         HOST,
                                         "\x80",
                                         "\x1f"};
    unsigned seed = 1;
    char bytes[2048];

    for (int round = 0; round < 3000; round++) {
        bytes[0] = '\0';
        for (int i = 0; i < 24; i++) {
            seed = seed * 1103515245 + 12345;
            strcat(bytes,
                   pieces[(seed >> 16) % (sizeof pieces / sizeof pieces[0])]);
        }
        check_cuts(bytes, strlen(bytes));
    }
}

int main(void) {
    static const char nul_in_line[] = "GET /\0 HTTP/1.1\r\n";
    static const char nul_in_field[] = LINE "Nul: a\0b\r\n";

    for (size_t i = 0; i < CASES; i++)
        check_case(cases[i].status, cases[i].bytes, strlen(cases[i].bytes));
    check_case(400, nul_in_line, sizeof nul_in_line - 1);
    check_case(400, nul_in_field, sizeof nul_in_field - 1);
    check_limits();
    for (size_t i = 0; i < BODIES; i++)
        check_body(bodies[i].status, bodies[i].bytes, bodies[i].behind);
    check_body_limits();
    check_meaning();
    check_accept();
    check_paths();
    check_answers();
    check_heads();
    check_nonsense();
    return EXIT_SUCCESS;
}
