/* text.c - see text.h. */
#include "text.h"

int hex_value(char digit) {
    char small = (char)(digit | 32);

    if (is_digit(digit))
        return digit - '0';
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct text text_trim(struct text text) {
    while (text.size > 0 && is_blank(*text.at))
        text = text_skip(text, 1);
    while (text.size > 0 && is_blank(text.at[text.size - 1]))
        text.size--;
    return text;
}

struct text text_cut(struct text *text, char separator) {
    const char *end = memchr(text->at, separator, text->size);
    struct text before = *text;

    if (end != NULL)
        before.size = (size_t)(end - text->at);
    *text = text_skip(*text, before.size + (end != NULL));
    return before;
}

struct text text_cut_line(struct text *text) {
    return text_without_cr(text_cut(text, '\n'));
}

static bool is_alphanumeric(char c) {
    return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

bool text_consists_of(struct text text, const char *others) {
    for (; text.size > 0; text = text_skip(text, 1))
        if (!is_alphanumeric(*text.at) &&
            (*text.at == '\0' || strchr(others, *text.at) == NULL))
            return false;
    return true;
}
