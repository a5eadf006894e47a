/* options.h - the command line in chapters 5 and 6: a table in, values out. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

/*
 * One option: --name VALUE, or its first letter alone, -n VALUE. Which of the
 * four pointers is set says what the value must be; a flag takes none.
 */
struct setting {
    const char *name, *value, *help;
    bool *flag;
    int *whole;      /* from min to max */
    double *decimal; /* from min to max */
    const char **text;
    double min, max;
};

/*
 * Reads the options into a table that ends with {0}, and adds --help, -h, to
 * it. `operands` says what may follow them, "[SECONDS...]"; NULL is nothing.
 * Returns the place of the first operand in argv, argc if there is none. Does
 * not return from --help (status 0) or from a wrong argument (one line on
 * stderr, status 2).
 */
int parse_options(int argc, char **argv, const struct setting *table,
                  const char *operands);

/* A number from min to max, or the same end as that of a wrong argument. */
double parse_number(const char *name, const char *text, double min, double max);

#endif
