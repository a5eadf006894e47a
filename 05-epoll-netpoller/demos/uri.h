/* uri.h - what a request asks for, and of whom (RFC 9112, 3.2; RFC 3986). */
#ifndef URI_H
#define URI_H

#include <stdbool.h>

#include "text.h"

/* Whether it is a host, which may be empty, and perhaps a colon and a port. */
bool uri_is_authority(struct text text);

/*
 * Finds the path in "/path?query" or "http://host/path?query". Returns false
 * when the target is neither, or has a byte that no target has.
 */
bool uri_path(struct text target, struct text *path);

/*
 * Whether a path that uri_path() has found is this one, which is written
 * without %. "/%63ookies" is "/cookies". But "%2F" is not "/", as it separates
 * nothing.
 */
bool uri_path_is(struct text path, const char *wanted);

#endif
