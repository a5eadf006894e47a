/* http_answer.c - see http_answer.h. */
#define _GNU_SOURCE
#include "http_answer.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "http_fields.h"
#include "text.h"

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

/* The status in "HTTP/1.1 200 OK"; 0 if that is something else. */
static int status_of(struct text line) {
    struct text version = text_cut(&line, ' '), code = text_cut(&line, ' ');
    int status = 0;

    if (!http_is_version(version) || version.at[5] != '1' || code.size != 3)
        return 0;
    for (size_t i = 0; i < code.size; i++) {
        if (!is_digit(code.at[i]))
            return 0;
        status = 10 * status + code.at[i] - '0';
    }
    return status;
}

/* RFC 9112, 6.3 */
static void begin_body(struct http_body *body, int status,
                       const struct http_fields *fields) {
    if (status < 200 || status == 204 || status == 304) {
        http_body_begin(body, false, 0);
    } else if (fields->chunked) {
        http_body_begin(body, true, 0);
    } else if (fields->has_length && !fields->has_coding) {
        http_body_begin(body, false, fields->length);
    } else {
        http_body_begin(body, false, SIZE_MAX);
        body->endless = true;
    }
}

long http_parse_answer(const char *bytes, size_t size, int *status,
                       struct http_body *body) {
    const char *end = memmem(bytes, size, "\r\n\r\n", 4);
    struct http_fields fields = {0};

    if (end == NULL)
        return 0;
    struct text rest = {bytes, (size_t)(end - bytes) + 2};
    *status = status_of(text_cut_line(&rest));
    if (*status < 100)
        return -1;
    while (rest.size > 0)
        if (!http_take_field(&fields, text_cut_line(&rest)))
            return -1;
    begin_body(body, *status, &fields);
    return end + 4 - bytes;
}
