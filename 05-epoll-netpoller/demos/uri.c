/* uri.c - see uri.h. */
#include "uri.h"

#include <arpa/inet.h>

/* Whether two digits of base 16 follow each %. */
static bool is_decodable(struct text text) {
    for (; text.size > 0; text = text_skip(text, 1))
        if (*text.at == '%' && (text.size < 3 || hex_value(text.at[1]) < 0 ||
                                hex_value(text.at[2]) < 0))
            return false;
    return true;
}

static bool is_ipv6(struct text text) {
    char copy[INET6_ADDRSTRLEN] = "";
    struct in6_addr address;

    if (text.size >= sizeof copy)
        return false;
    memcpy(copy, text.at, text.size);
    return inet_pton(AF_INET6, copy, &address) == 1;
}

/* "[::1]"; or a name, which may be empty, or an address such as 127.0.0.1 */
static bool is_host(struct text text) {
    if (text.size > 0 && *text.at == '[')
        return text.at[text.size - 1] == ']' &&
               is_ipv6((struct text){text.at + 1, text.size - 2});
    return text_consists_of(text, "-._~!$&'()*+,;=%") && is_decodable(text);
}

static bool is_port(struct text text) {
    while (text.size > 0 && is_digit(*text.at))
        text = text_skip(text, 1);
    return text.size == 0;
}

bool uri_is_authority(struct text text) {
    bool bracket = text.size > 0 && *text.at == '[';
    const char *end = memchr(text.at, bracket ? ']' : ':', text.size);
    struct text host = text;

    if (end != NULL)
        host.size = (size_t)(end - text.at) + bracket;
    text = text_skip(text, host.size);
    return is_host(host) &&
           (text.size == 0 || (*text.at == ':' && is_port(text_skip(text, 1))));
}

/* Visible ASCII; what follows a # stays with the browser. */
static bool is_target(struct text text) {
    for (; text.size > 0; text = text_skip(text, 1))
        if (*text.at <= ' ' || *text.at > '~' || *text.at == '#')
            return false;
    return true;
}

/* Takes "http://host" from the target. Returns false if no host is in it. */
static bool cut_host(struct text *target) {
    struct text host = text_skip(*target, strlen("http://"));
    size_t size = 0;

    while (size < host.size && host.at[size] != '/' && host.at[size] != '?')
        size++;
    *target = text_skip(host, size);
    host.size = size;
    return size > 0 && *host.at != ':' && uri_is_authority(host);
}

bool uri_path(struct text target, struct text *path) {
    const char *slash = target.at + strlen("http:/");

    if (!is_target(target))
        return false;
    if (text_starts_with(target, "http://")) {
        if (!cut_host(&target))
            return false;
    } else if (target.size == 0 || *target.at != '/') {
        return false;
    }
    *path = text_cut(&target, '?');
    if (path->size == 0) /* "http://host" means "http://host/" */
        *path = (struct text){slash, 1};
    return is_decodable(*path);
}

bool uri_path_is(struct text path, const char *wanted) {
    for (; path.size > 0 && *wanted != '\0'; wanted++) {
        bool encoded = *path.at == '%';
        char byte = *path.at;
        if (encoded)
            byte = (char)(16 * hex_value(path.at[1]) + hex_value(path.at[2]));
        if (byte != *wanted || (encoded && byte == '/'))
            return false;
        path = text_skip(path, encoded ? 3 : 1);
    }
    return path.size == 0 && *wanted == '\0';
}
