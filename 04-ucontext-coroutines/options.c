/* options.c - getopt_long(3) splits the arguments, the messages are ours. */
#include "options.h"

#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { DEFAULT = 10, MOST = 1000, USAGE_ERROR = 2 };

static const char usage[] =
    "usage: ./bakery [--bake MINUTES] [--customers N] [--quiet] [--help]\n"
    "\n"
    "  -b, --bake MINUTES   how long one batch bakes, 0 to 1000 (default 10)\n"
    "  -c, --customers N    how many customers come, 0 to 1000 (default 10)\n"
    "  -q, --quiet          print the summary alone\n"
    "  -h, --help           print this\n";

static const char letters[] = ":b:c:qh";

static const struct option words[] = {
    {"bake", required_argument, NULL, 'b'},
    {"customers", required_argument, NULL, 'c'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int whole_number(const char *option, const char *text) {
    bool digits = *text && strspn(text, "0123456789") == strlen(text);
    long number = digits ? strtol(text, NULL, 10) : -1;
    if (number < 0 || number > MOST)
        errx(USAGE_ERROR, "%s: '%s' is not a whole number from 0 to %d", option,
             text, MOST);
    return (int)number;
}

_Noreturn static void help(void) {
    report_open(false);
    fputs(usage, stdout);
    exit(report_close());
}

/*
 * What getopt_long() could not use: a letter, or else the word before optind. A
 * letter that it knows is there for a flag that was given a value.
 */
_Noreturn static void unknown_option(char **argv) {
    const char letter[] = {'-', (char)optopt, '\0'};
    bool word = optopt == 0 || strchr(letters, optopt) != NULL;
    errx(USAGE_ERROR,
         "%s: not an option here; --bake MINUTES, --customers N, --quiet and "
         "--help are",
         word ? argv[optind - 1] : letter);
}

struct options parse_options(int argc, char **argv) {
    struct options options = {.bake = DEFAULT, .customers = DEFAULT};
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, letters, words, NULL)) != -1) {
        switch (option) {
        case 'b':
            options.bake = whole_number("--bake", optarg);
            break;
        case 'c':
            options.customers = whole_number("--customers", optarg);
            break;
        case 'q':
            options.quiet = true;
            break;
        case 'h':
            help();
        case ':':
            errx(USAGE_ERROR, "%s: needs a whole number from 0 to %d",
                 argv[argc - 1], MOST);
        default:
            unknown_option(argv);
        }
    }
    if (optind < argc)
        errx(USAGE_ERROR,
             "%s: nothing goes here; the bakery takes options alone, see "
             "--help",
             argv[optind]);
    return options;
}
