/* uri.c - see uri.h. */
#include "uri.h"

#include <string.h>

bool uri_is_host(struct text text) {
    return text_consists_of(text, "-._~!$&'()*+,;=%[]:");
}

bool uri_is_visible(struct text target) {
    for (size_t i = 0; i < target.size; i++)
        if (target.at[i] <= ' ' || target.at[i] > '~')
            return false;
    return target.size > 0;
}

bool uri_path(struct text target, struct text *path) {
    static const char scheme[] = "http://";
    struct text host = {target.at, 0};

    if (text_starts_with(target, scheme)) {
        target = text_skip(target, strlen(scheme));
        host.at = target.at;
        while (target.size > 0 && *target.at != '/' && *target.at != '?')
            target = text_skip(target, 1);
        host.size = (size_t)(target.at - host.at);
        if (host.size == 0 || !uri_is_host(host))
            return false;
    } else if (*target.at != '/') {
        return false;
    }
    *path = text_cut(&target, '?');
    if (path->size == 0) /* "http://host" means "http://host/" */
        *path = (struct text){host.at - 1, 1};
    return true;
}
