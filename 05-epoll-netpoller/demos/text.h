/*
 * text.h - a part of somebody else's bytes: where it begins, and its size.
 *
 * Nothing is copied, and no zero byte marks an end. The bytes must stay where
 * they are as long as the text is used. What is called for each byte of a
 * request or each name of a field is here, where the compiler sees it.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct text {
    const char *at;
    size_t size;
};

/* Whether it is this word, to the letter. */
static inline bool text_equals(struct text text, const char *word) {
    return text.size == strlen(word) && !memcmp(text.at, word, text.size);
}

/* The same, in capitals or in small letters. */
static inline bool text_is(struct text text, const char *word) {
    return text.size == strlen(word) && !strncasecmp(text.at, word, text.size);
}

static inline bool text_starts_with(struct text text, const char *word) {
    return text.size >= strlen(word) &&
           !strncasecmp(text.at, word, strlen(word));
}

/* The rest after so many bytes. */
static inline struct text text_skip(struct text text, size_t count) {
    return (struct text){text.at + count, text.size - count};
}

static inline struct text text_without_cr(struct text line) {
    if (line.size > 0 && line.at[line.size - 1] == '\r')
        line.size--;
    return line;
}

/* Those of ctype.h ask the locale. */
static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* What a digit of base 16 is worth; -1 for anything else. */
int hex_value(char digit);

/* Whether it may stand in a line. Bytes beyond ASCII may: RFC 9110, 5.5. */
static inline bool is_printable(char c) {
    return ((unsigned char)c >= ' ' && c != 0x7f) || c == '\t';
}

/* Without the spaces and tabs at both ends. */
struct text text_trim(struct text text);

/* Takes what comes before the separator from the text, and the separator. */
struct text text_cut(struct text *text, char separator);

/* Takes the next line from the text, without its end: CR LF, or LF alone. */
struct text text_cut_line(struct text *text);

/* Whether every byte is a letter of ASCII, a digit or one of these others. */
bool text_consists_of(struct text text, const char *others);

#endif
