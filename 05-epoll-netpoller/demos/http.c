/*
 * http.c - one byte at a time becomes lines, and each line its meaning.
 *
 * The first byte that cannot be right decides, and so does the first line. So
 * the answer is the same for a request that came in one piece or in a thousand,
 * and nonsense is refused at once rather than when somebody has lost patience.
 */
#define _GNU_SOURCE
#include "http.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* A part of somebody else's bytes. */
struct text {
    const char *at;
    size_t size;
};

static bool is(struct text text, const char *word) {
    return text.size == strlen(word) && !strncasecmp(text.at, word, text.size);
}

static bool starts_with(struct text text, const char *word) {
    return text.size >= strlen(word) &&
           !strncasecmp(text.at, word, strlen(word));
}

static struct text skip(struct text text, size_t count) {
    return (struct text){text.at + count, text.size - count};
}

static struct text trim(struct text text) {
    while (text.size > 0 && (*text.at == ' ' || *text.at == '\t'))
        text = skip(text, 1);
    while (text.size > 0 &&
           (text.at[text.size - 1] == ' ' || text.at[text.size - 1] == '\t'))
        text.size--;
    return text;
}

/* Takes what comes before the separator from the text, and the separator. */
static struct text cut(struct text *text, char separator) {
    const char *end = memchr(text->at, separator, text->size);
    struct text before = *text;

    if (end != NULL)
        before.size = (size_t)(end - text->at);
    *text = skip(*text, before.size + (end != NULL));
    return before;
}

/* Takes the next line from the text, without its end. */
static struct text cut_line(struct text *text) {
    struct text line = cut(text, '\n');

    if (line.size > 0 && line.at[line.size - 1] == '\r')
        line.size--;
    return line;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_alphanumeric(char c) {
    return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Whether every character is a letter, a digit or one of these. */
static bool consists_of(struct text text, const char *others) {
    for (; text.size > 0; text = skip(text, 1))
        if (!is_alphanumeric(*text.at) &&
            (*text.at == '\0' || strchr(others, *text.at) == NULL))
            return false;
    return true;
}

static bool is_token(struct text text) { /* RFC 9110, 5.6.2 */
    return text.size > 0 && consists_of(text, "!#$%&'*+-.^_`|~");
}

static bool is_host(struct text text) { /* with a port, RFC 3986, 3.2.2 */
    return consists_of(text, "-._~!$&'()*+,;=%[]:");
}

void http_refuse(struct http_request *request, int status) {
    request->status = status;
    request->keep_alive = false;
}

static enum http_method method_of(struct text name) {
    static const char *const others[] = {
        "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"};

    if (name.size == 3 && !memcmp(name.at, "GET", 3)) /* case matters here */
        return HTTP_GET;
    if (name.size == 4 && !memcmp(name.at, "HEAD", 4))
        return HTTP_HEAD;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (name.size == strlen(others[i]) &&
            !memcmp(name.at, others[i], name.size))
            return HTTP_OTHER;
    return HTTP_UNKNOWN;
}

/* "/path?query", "http://host/path?query", or what goes without a path. */
static bool take_target(struct http_request *request, struct text target,
                        const char *bytes) {
    struct text path = target;

    for (size_t i = 0; i < target.size; i++)
        if (target.at[i] <= ' ' || target.at[i] > '~')
            return false;
    if (starts_with(target, "http://")) {
        path = skip(target, strlen("http://"));
        size_t host = 0;
        while (host < path.size && path.at[host] != '/' && path.at[host] != '?')
            host++;
        if (host == 0 || !is_host((struct text){path.at, host}))
            return false;
        path = skip(path, host);
    } else if (target.size == 0 || *target.at != '/') {
        return request->method == HTTP_OTHER && target.size > 0;
    }
    path = cut(&path, '?');
    if (path.size == 0) /* "http://host" means "http://host/" */
        path = (struct text){target.at + strlen("http:/"), 1};
    request->path = (size_t)(path.at - bytes);
    request->path_size = path.size;
    return true;
}

/* The version first: what the rest of the line means depends on it. */
static void take_request_line(struct http_request *request, struct text line,
                              const char *bytes) {
    struct text method = cut(&line, ' '), target = cut(&line, ' ');

    if (!is_token(method) || line.size != strlen("HTTP/1.1") ||
        memcmp(line.at, "HTTP/", 5) != 0 || !is_digit(line.at[5]) ||
        line.at[6] != '.' || !is_digit(line.at[7])) {
        http_refuse(request, 400);
    } else if (line.at[5] != '1') {
        http_refuse(request, 505);
    } else {
        request->minor = line.at[7] - '0';
        request->method = method_of(method);
        if (request->method != HTTP_UNKNOWN &&
            !take_target(request, target, bytes))
            http_refuse(request, 400);
    }
}

static void take_host(struct http_request *request, struct text value) {
    if (request->has_host || !is_host(value))
        http_refuse(request, 400);
    request->has_host = true;
}

/* Two that differ could make two readers of the same bytes disagree. */
static void take_length(struct http_request *request, struct text value) {
    size_t length = 0;

    if (value.size == 0)
        http_refuse(request, 400);
    for (; value.size > 0; value = skip(value, 1)) {
        if (!is_digit(*value.at))
            http_refuse(request, 400);
        if (length > SIZE_MAX / 10 - 1)
            length = SIZE_MAX; /* and stays: too much in any case */
        else
            length = 10 * length + (size_t)(*value.at - '0');
    }
    if (request->has_length && length != request->body)
        http_refuse(request, 400);
    request->has_length = true;
    request->body = length;
}

static void take_connection(struct http_request *request, struct text list) {
    while (list.size > 0) {
        struct text option = trim(cut(&list, ','));
        if (is(option, "close"))
            request->close = true;
        if (is(option, "keep-alive"))
            request->keep_alive = true;
    }
}

/* The first of the two that is named. Who names neither gets plain text. */
static void take_accept(struct http_request *request, struct text list) {
    while (list.size > 0 && !request->html) {
        struct text media = cut(&list, ',');
        media = trim(cut(&media, ';'));
        if (is(media, "text/plain"))
            return;
        request->html = is(media, "text/html");
    }
}

/* Anything but a name, a colon at once and a value is refused: RFC 9112, 5. */
static void take_field(struct http_request *request, struct text line) {
    bool has_colon = memchr(line.at, ':', line.size) != NULL;
    struct text name = cut(&line, ':'), value = trim(line);

    if (!has_colon || !is_token(name))
        http_refuse(request, 400);
    else if (is(name, "Host"))
        take_host(request, value);
    else if (is(name, "Content-Length"))
        take_length(request, value);
    else if (is(name, "Transfer-Encoding"))
        request->transfer_coding = true;
    else if (is(name, "Connection"))
        take_connection(request, value);
    else if (is(name, "Accept"))
        take_accept(request, value);
    else if (is(name, "Expect") && is(value, "100-continue"))
        request->expects_continue = true;
    else if (is(name, "Expect"))
        request->expects_other = true;
}

/* The empty line has come. */
static void decide(struct http_request *request) {
    if (request->minor == 0)
        request->expects_continue = request->expects_other = false;
    else
        request->keep_alive = true;
    if (request->close)
        request->keep_alive = false;
    request->status = 200;
    if (request->minor > 0 && !request->has_host)
        http_refuse(request, 400);
    else if (request->transfer_coding || request->method == HTTP_UNKNOWN)
        http_refuse(request, 501);
    else if (request->body > HTTP_BODY_MAX)
        http_refuse(request, 413);
    else if (request->expects_other)
        http_refuse(request, 417);
}

static void take_line(struct http_request *request, const char *bytes) {
    struct text rest = {bytes + request->head, request->seen - request->head};
    struct text line = cut_line(&rest);

    request->head = request->seen + 1;
    if (line.size == 0 && request->fields == 0)
        return; /* left over from a body before: RFC 9112, 2.2 */
    if (request->fields == 0) {
        take_request_line(request, line, bytes);
        request->fields = request->head;
    } else if (line.size > 0) {
        take_field(request, line);
    } else {
        decide(request);
    }
}

static void take_byte(struct http_request *request, const char *bytes) {
    const char *byte = bytes + request->seen;
    bool after_cr = request->seen > request->head && byte[-1] == '\r';

    if (*byte == '\n')
        take_line(request, bytes);
    else if (after_cr || *byte == 0x7f ||
             ((unsigned char)*byte < ' ' && *byte != '\t' && *byte != '\r'))
        http_refuse(request, 400);
}

/* As much has come as may, and no end is in sight. */
static void check_limit(struct http_request *request, const char *bytes) {
    if (request->fields > 0) {
        if (request->seen - request->fields == HTTP_FIELDS_MAX)
            http_refuse(request, 431);
    } else if (request->seen == HTTP_LINE_MAX) {
        bool named = memchr(bytes, ' ', request->seen) != NULL;
        http_refuse(request, named ? 414 : 501); /* RFC 9112, 3 */
    }
}

bool http_parse(struct http_request *request, const char *bytes, size_t size) {
    while (request->status == 0 && request->seen < size) {
        take_byte(request, bytes);
        request->seen++;
        if (request->status == 0)
            check_limit(request, bytes);
    }
    return request->status != 0;
}

bool http_path_is(const struct http_request *request, const char *bytes,
                  const char *path) {
    return request->path_size == strlen(path) &&
           memcmp(bytes + request->path, path, request->path_size) == 0;
}

const char *http_reason(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 417:
        return "Expectation Failed";
    case 431:
        return "Request Header Fields Too Large";
    case 501:
        return "Not Implemented";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "";
    }
}

/* printf(3) would do it too, with thousands of bytes of stack. */
static char *put_number(char *out, size_t number) {
    if (number >= 10)
        out = put_number(out, number / 10);
    *out = (char)('0' + number % 10);
    return out + 1;
}

size_t http_format(char *out, const struct http_response *response,
                   const char *date) {
    char *at = stpcpy(out, "HTTP/1.1 ");

    at = put_number(at, (size_t)response->status);
    at = stpcpy(stpcpy(at, " "), http_reason(response->status));
    at = stpcpy(stpcpy(at, "\r\nDate: "), date);
    at = stpcpy(stpcpy(at, "\r\nContent-Type: "), response->type);
    at = put_number(stpcpy(at, "\r\nContent-Length: "), response->size);
    at = stpcpy(at, response->keep_alive ? "\r\nConnection: keep-alive\r\n"
                                         : "\r\nConnection: close\r\n");
    at = stpcpy(at, response->fields ? response->fields : "");
    at = stpcpy(at, "\r\n");
    assert(at - out <= HTTP_OVERHEAD);
    if (!response->no_body)
        at = mempcpy(at, response->body, response->size);
    return (size_t)(at - out);
}

void http_date(char date[HTTP_DATE_SIZE], time_t time) {
    struct tm parts;

    strftime(date, HTTP_DATE_SIZE, "%a, %d %b %Y %H:%M:%S GMT",
             gmtime_r(&time, &parts));
}

long http_parse_answer(const char *bytes, size_t size, int *status,
                       size_t *body) {
    const char *end = memmem(bytes, size, "\r\n\r\n", 4);
    struct http_request fields = {.body = SIZE_MAX};

    if (end == NULL)
        return 0;
    struct text rest = {bytes, (size_t)(end - bytes) + 2};
    struct text line = cut_line(&rest);
    if (line.size < strlen("HTTP/1.1 200") || !starts_with(line, "HTTP/1.") ||
        !is_digit(line.at[9]) || !is_digit(line.at[10]) ||
        !is_digit(line.at[11]))
        return -1;
    *status = (line.at[9] - '0') * 100 + (line.at[10] - '0') * 10 +
              (line.at[11] - '0');
    while (rest.size > 0 && fields.status == 0)
        take_field(&fields, cut_line(&rest));
    *body = fields.body;
    return fields.status == 0 ? end + 4 - bytes : -1;
}
