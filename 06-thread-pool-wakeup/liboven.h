/*
 * liboven.h - a library as one gets them: it works, and it blocks inside.
 *
 * It stands for PQexec(), for getaddrinfo(), for whatever waits on a descriptor
 * that it does not show.
 */
#ifndef LIBOVEN_H
#define LIBOVEN_H

/* Bakes for so many seconds. Returns 0 when done, or -1 and errno. */
int liboven_bake(double seconds);

#endif
