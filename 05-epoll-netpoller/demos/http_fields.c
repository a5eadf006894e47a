/* http_fields.c - one function for each field that matters. */
#include "http_fields.h"

#include <stdint.h>

#include "uri.h"

bool http_is_token(struct text text) {
    return text.size > 0 && text_consists_of(text, "!#$%&'*+-.^_`|~");
}

bool http_is_version(struct text text) {
    return text.size == strlen("HTTP/1.1") && !memcmp(text.at, "HTTP/", 5) &&
           is_digit(text.at[5]) && text.at[6] == '.' && is_digit(text.at[7]);
}

static bool take_host(struct http_fields *fields, struct text value) {
    bool first = !fields->has_host;

    fields->has_host = true;
    return first && uri_is_authority(value);
}

/* Two that differ could make two readers of the same bytes disagree. */
static bool take_length(struct http_fields *fields, struct text value) {
    size_t length = 0;

    if (value.size == 0)
        return false;
    for (; value.size > 0; value = text_skip(value, 1)) {
        if (!is_digit(*value.at))
            return false;
        if (length > SIZE_MAX / 10 - 1)
            length = SIZE_MAX; /* and stays: too much in any case */
        else
            length = 10 * length + (size_t)(*value.at - '0');
    }
    if (fields->has_length && length != fields->length)
        return false;
    fields->has_length = true;
    fields->length = length;
    return true;
}

/* Chunks must be the last coding: only they say where the body ends. */
static bool take_coding(struct http_fields *fields, struct text list) {
    fields->has_coding = true;
    while (list.size > 0) {
        struct text coding = text_trim(text_cut(&list, ','));
        if (coding.size == 0)
            continue; /* RFC 9110, 5.6.1.2 */
        if (fields->chunked)
            return false;
        if (text_is(coding, "chunked"))
            fields->chunked = true;
        else
            fields->other_coding = true;
    }
    return true;
}

static void take_connection(struct http_fields *fields, struct text list) {
    while (list.size > 0) {
        struct text option = text_trim(text_cut(&list, ','));
        if (text_is(option, "close"))
            fields->close = true;
        if (text_is(option, "keep-alive"))
            fields->keep_alive = true;
    }
}

/* 500 for "0.5" */
static int thousandths(struct text number) {
    int sum = 0, unit = 1000;

    for (; number.size > 0; number = text_skip(number, 1))
        if (is_digit(*number.at)) {
            sum += unit * (*number.at - '0');
            unit /= 10;
        }
    return sum;
}

/* Of "level=1; q=0.5" (RFC 9110, 12.4.2). */
static int weight_of(struct text parameters) {
    while (parameters.size > 0) {
        struct text parameter = text_trim(text_cut(&parameters, ';'));
        if (text_starts_with(parameter, "q="))
            return thousandths(text_skip(parameter, strlen("q=")));
    }
    return 1000;
}

/*
 * The type with the greatest weight; of equals, the first one. Whoever takes
 * anything, or says nothing, gets plain text.
 */
static void take_accept(struct http_fields *fields, struct text list) {
    while (list.size > 0) {
        struct text parameters = text_cut(&list, ',');
        struct text type = text_trim(text_cut(&parameters, ';'));
        bool html = text_is(type, "text/html");
        bool plain = text_is(type, "text/plain") || text_is(type, "text/*") ||
                     text_is(type, "*/*");
        int weight = html || plain ? weight_of(parameters) : 0;
        if (weight > fields->weight) {
            fields->html = html;
            fields->weight = weight;
        }
    }
}

static void take_expect(struct http_fields *fields, struct text list) {
    while (list.size > 0) {
        struct text expectation = text_trim(text_cut(&list, ','));
        if (text_is(expectation, "100-continue"))
            fields->expects_continue = true;
        else if (expectation.size > 0)
            fields->expects_other = true;
    }
}

/* A name, a colon right behind it, and a value: RFC 9112, 5. */
bool http_take_field(struct http_fields *fields, struct text line) {
    struct text name = text_cut(&line, ':'), value = text_trim(line);
    bool has_colon = line.at > name.at + name.size;

    if (!has_colon || !http_is_token(name))
        return false;
    if (text_is(name, "Host"))
        return take_host(fields, value);
    if (text_is(name, "Content-Length"))
        return take_length(fields, value);
    if (text_is(name, "Transfer-Encoding"))
        return take_coding(fields, value);
    if (text_is(name, "Connection"))
        take_connection(fields, value);
    else if (text_is(name, "Accept"))
        take_accept(fields, value);
    else if (text_is(name, "Expect"))
        take_expect(fields, value);
    return true;
}
