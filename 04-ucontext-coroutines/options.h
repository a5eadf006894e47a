/* options.h - the command line of the bakery in chapters 1 to 4. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

struct options {
    int bake;      /* minutes that one batch takes, 0 to 1000; default 10 */
    int customers; /* how many come, 0 to 1000; default 10 */
    bool quiet;    /* print the summary alone */
};

/*
 * Reads --bake MINUTES, --customers N, --quiet and --help, or -b, -c, -q, -h.
 * Does not return from --help (status 0) or from a wrong argument (one line on
 * stderr, status 2).
 */
struct options parse_options(int argc, char **argv);

#endif
