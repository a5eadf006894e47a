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

long http_parse_answer(const char *bytes, size_t size, int *status,
                       size_t *body) {
    const char *end = memmem(bytes, size, "\r\n\r\n", 4);
    struct http_fields fields = {0};

    if (end == NULL)
        return 0;
    struct text rest = {bytes, (size_t)(end - bytes) + 2};
    struct text line = text_cut_line(&rest);
    if (line.size < strlen("HTTP/1.1 200") ||
        !text_starts_with(line, "HTTP/1.") || !is_digit(line.at[9]) ||
        !is_digit(line.at[10]) || !is_digit(line.at[11]))
        return -1;
    *status = (line.at[9] - '0') * 100 + (line.at[10] - '0') * 10 +
              (line.at[11] - '0');
    while (rest.size > 0)
        if (!http_take_field(&fields, text_cut_line(&rest)))
            return -1;
    *body = fields.has_length ? fields.length : SIZE_MAX;
    return end + 4 - bytes;
}
