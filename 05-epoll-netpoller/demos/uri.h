/* uri.h - what a request asks for, and of whom (RFC 9112, 3.2; RFC 3986). */
#ifndef URI_H
#define URI_H

#include <stdbool.h>

#include "text.h"

/* Whether it is a host, with a port or without; or nothing. */
bool uri_is_host(struct text text);

/*
 * Finds the path in "/path?query" or "http://host/path?query". Returns false
 * when the target is neither.
 */
bool uri_path(struct text target, struct text *path);

/* Whether there is nothing but visible ASCII in it, and something. */
bool uri_is_visible(struct text target);

#endif
