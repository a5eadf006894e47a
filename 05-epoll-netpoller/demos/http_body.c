/*
 * http_body.c - one byte at a time, for the same reasons as in http.c.
 *
 * In here a line ends in CR LF and in nothing else. http.c also accepts LF
 * alone. Between chunks that is dangerous: a proxy in front of the server may
 * read it in another way, and then it sees other requests in the same bytes.
 */
#include "http_body.h"

#include "http_fields.h"

/* What the next byte may be, in the order of the grammar. */
enum {
    SIZE,      /* the first digit of a chunk's size */
    MORE_SIZE, /* another one, or what follows the last one */
    BLANK,     /* after the last one: a space, an extension, or CR */
    EXTENSION, /* any of it, or CR */
    SIZE_LF,   /* after CR */
    DATA,      /* of a chunk, or of a body that has none */
    DATA_CR,   /* after a chunk */
    DATA_LF,   /* after CR */
    FIELD,     /* the first letter of its name, or CR */
    MORE_NAME, /* another one, or the colon */
    VALUE,     /* any of it, or CR */
    VALUE_LF,  /* after CR */
    LAST_LF,   /* after CR */
    NOTHING,   /* it is complete */
    WRONG      /* the byte before should not be there */
};

void http_body_begin(struct http_body *body, bool chunked, size_t size) {
    *body = (struct http_body){.status = chunked || size > 0 ? 0 : 200,
                               .chunked = chunked,
                               .expected = chunked ? SIZE : DATA,
                               .left = size,
                               .room = HTTP_BODY_MAX,
                               .around = HTTP_CHUNKING_MAX};
}

/* The size cannot overflow: after each digit it is compared with the room. */
static int after_size(struct http_body *body, char byte) {
    int value = hex_value(byte);

    if (value >= 0 && body->expected != BLANK) {
        body->left = 16 * body->left + (size_t)value;
        return MORE_SIZE;
    }
    if (body->expected == SIZE)
        return WRONG;
    if (byte == '\r')
        return SIZE_LF;
    if (byte == ' ' || byte == '\t')
        return BLANK;
    return byte == ';' ? EXTENSION : WRONG;
}

static int after_name(char byte) {
    if (byte == ':')
        return VALUE;
    return http_is_token((struct text){&byte, 1}) ? MORE_NAME : WRONG;
}

/* What may follow this byte, which is not data. */
static int after(struct http_body *body, char byte) {
    bool cr = byte == '\r', lf = byte == '\n';

    switch (body->expected) {
    case SIZE:
    case MORE_SIZE:
    case BLANK:
        return after_size(body, byte);
    case EXTENSION:
        return cr ? SIZE_LF : is_printable(byte) ? EXTENSION : WRONG;
    case SIZE_LF:
        return !lf ? WRONG : body->left > 0 ? DATA : FIELD;
    case DATA_CR:
        return cr ? DATA_LF : WRONG;
    case DATA_LF:
        return lf ? SIZE : WRONG;
    case FIELD:
        return cr ? LAST_LF : byte == ':' ? WRONG : after_name(byte);
    case MORE_NAME:
        return after_name(byte);
    case VALUE:
        return cr ? VALUE_LF : is_printable(byte) ? VALUE : WRONG;
    case VALUE_LF:
        return lf ? FIELD : WRONG;
    default: /* LAST_LF */
        return lf ? NOTHING : WRONG;
    }
}

static void take_framing(struct http_body *body, char byte) {
    bool sized = body->expected == SIZE_LF;

    body->expected = after(body, byte);
    body->around--;
    if (sized && body->expected == FIELD)
        body->around = HTTP_TRAILER_MAX;
    if (body->expected == WRONG)
        body->status = 400;
    else if (body->expected == NOTHING)
        body->status = 200;
    else if (body->left > body->room)
        body->status = 413;
    else if (body->around == 0)
        body->status = body->expected < FIELD ? 413 : 431;
}

/* Returns how many bytes it has taken. */
static size_t take_data(struct http_body *body, size_t size) {
    size_t count = size < body->left ? size : body->left;

    body->left -= count;
    body->room -= count;
    if (body->left == 0 && body->chunked)
        body->expected = DATA_CR;
    else if (body->left == 0)
        body->status = 200;
    return count;
}

size_t http_body_skip(struct http_body *body, struct text bytes) {
    size_t used = 0;

    while (body->status == 0 && used < bytes.size)
        if (body->expected == DATA)
            used += take_data(body, bytes.size - used);
        else
            take_framing(body, bytes.at[used++]);
    return used;
}
