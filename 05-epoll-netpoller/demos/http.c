/*
 * http.c - one byte at a time becomes lines, and each line its meaning.
 *
 * The first byte that cannot be right decides, and so does the first line. So
 * the answer is the same for a request that came in one piece or in a thousand,
 * and nonsense is refused at once rather than when somebody has lost patience.
 */
#include "http.h"

#include <string.h>

#include "uri.h"

void http_refuse(struct http_request *request, int status) {
    request->status = request->body.status = status;
    request->keep_alive = false;
}

static enum http_method method_of(struct text name) {
    static const char *const others[] = {
        "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"};

    if (text_equals(name, "GET"))
        return HTTP_GET;
    if (text_equals(name, "HEAD"))
        return HTTP_HEAD;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (text_equals(name, others[i]))
            return HTTP_OTHER;
    return HTTP_UNKNOWN;
}

/* Two methods may be for something that has no path: RFC 9112, 3.2. */
static bool take_target(struct http_request *request, struct text method,
                        struct text target, const char *bytes) {
    struct text path;

    if (text_equals(method, "CONNECT"))
        return target.size > 0 && uri_is_authority(target);
    if (text_equals(method, "OPTIONS") && text_equals(target, "*"))
        return true;
    if (!uri_path(target, &path))
        return false;
    request->path = (size_t)(path.at - bytes);
    request->path_size = path.size;
    return true;
}

/* The version first: what the rest of the line means depends on it. */
static void take_request_line(struct http_request *request, struct text line,
                              const char *bytes) {
    struct text method = text_cut(&line, ' '), target = text_cut(&line, ' ');

    if (!http_is_token(method) || !http_is_version(line)) {
        http_refuse(request, 400);
    } else if (line.at[5] != '1') {
        http_refuse(request, 505);
    } else {
        request->minor = line.at[7] - '0';
        request->method = method_of(method);
        if (request->method != HTTP_UNKNOWN &&
            !take_target(request, method, target, bytes))
            http_refuse(request, 400);
    }
}

/* Whether nobody knows where the body ends (RFC 9112, 6.1 and 6.3). */
static bool has_no_end(const struct http_request *request) {
    const struct http_fields *fields = &request->fields;

    return fields->has_coding && (request->minor == 0 || fields->has_length ||
                                  (!fields->chunked && !fields->other_coding));
}

/* The empty line has come. */
static void decide(struct http_request *request) {
    struct http_fields *fields = &request->fields;

    if (request->minor == 0)
        fields->expects_continue = fields->expects_other = false;
    else
        fields->keep_alive = true; /* without a word about it */
    request->status = 200;
    request->keep_alive = fields->keep_alive && !fields->close;
    http_body_begin(&request->body, fields->chunked, fields->length);
    if (has_no_end(request) || (request->minor > 0 && !fields->has_host))
        http_refuse(request, 400);
    else if (fields->other_coding || request->method == HTTP_UNKNOWN)
        http_refuse(request, 501);
    else if (fields->length > HTTP_BODY_MAX)
        http_refuse(request, 413);
    else if (fields->expects_other)
        http_refuse(request, 417);
}

static void take_line(struct http_request *request, const char *bytes) {
    struct text line = text_without_cr(
        (struct text){bytes + request->head, request->seen - request->head});

    request->head = request->seen + 1;
    if (line.size == 0 && request->begin == 0)
        return; /* left over from a body before: RFC 9112, 2.2 */
    if (request->begin == 0) {
        take_request_line(request, line, bytes);
        request->begin = request->head;
    } else if (line.size == 0) {
        decide(request);
    } else if (!http_take_field(&request->fields, line)) {
        http_refuse(request, 400);
    }
}

static void take_byte(struct http_request *request, const char *bytes) {
    const char *byte = bytes + request->seen;
    bool after_cr = request->seen > request->head && byte[-1] == '\r';

    if (*byte == '\n')
        take_line(request, bytes);
    else if (after_cr || (!is_printable(*byte) && *byte != '\r'))
        http_refuse(request, 400);
}

/* As much may come as this, and then the end of the line or the section. */
static size_t limit_of(const struct http_request *request) {
    return request->begin > 0 ? request->begin + HTTP_FIELDS_MAX
                              : HTTP_LINE_MAX;
}

/* Most bytes mean nothing before the end of their line: that is faster. */
static void pass_over(struct http_request *request, const char *bytes,
                      size_t size) {
    size_t seen = request->seen, limit = limit_of(request);
    size_t end = size < limit ? size : limit;

    while (seen < end && bytes[seen - 1] != '\r' && is_printable(bytes[seen]))
        seen++;
    request->seen = seen;
}

static void refuse_long(struct http_request *request, const char *bytes) {
    bool named = memchr(bytes, ' ', request->seen) != NULL;

    if (request->begin > 0)
        http_refuse(request, 431);
    else
        http_refuse(request, named ? 414 : 501); /* RFC 9112, 3 */
}

bool http_parse(struct http_request *request, const char *bytes, size_t size) {
    while (request->status == 0 && request->seen < size) {
        take_byte(request, bytes);
        request->seen++;
        if (request->status == 0)
            pass_over(request, bytes, size);
        if (request->status == 0 && request->seen == limit_of(request))
            refuse_long(request, bytes);
    }
    return request->status != 0;
}

bool http_path_is(const struct http_request *request, const char *bytes,
                  const char *path) {
    struct text asked = {bytes + request->path, request->path_size};

    return uri_path_is(asked, path);
}
