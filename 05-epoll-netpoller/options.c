/* options.c - getopt_long(3) splits the arguments, the messages are ours. */
#include "options.h"

#include <assert.h>
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { SETTINGS_MAX = 8, USAGE_ERROR = 2 };

double parse_number(const char *name, const char *text, double min,
                    double max) {
    char *end = NULL;
    bool plain = strspn(text, "0123456789.") == strlen(text);
    double number = plain ? strtod(text, &end) : 0;

    if (!plain || end == text || *end != '\0' || number < min || number > max)
        errx(USAGE_ERROR, "%s: '%s' is not a number from %g to %g", name, text,
             min, max);
    return number;
}

static int parse_whole(const char *name, const char *text, double min,
                       double max) {
    if (strspn(text, "0123456789") != strlen(text))
        errx(USAGE_ERROR, "%s: '%s' is not a whole number from %g to %g", name,
             text, min, max);
    return (int)parse_number(name, text, min, max);
}

static void store(const struct setting *setting, const char *text) {
    char name[64];

    snprintf(name, sizeof name, "--%s", setting->name);
    if (setting->flag != NULL)
        *setting->flag = true;
    if (setting->whole != NULL)
        *setting->whole = parse_whole(name, text, setting->min, setting->max);
    if (setting->decimal != NULL)
        *setting->decimal =
            parse_number(name, text, setting->min, setting->max);
    if (setting->text != NULL)
        *setting->text = text;
}

_Noreturn static void help(const char *program, const struct setting *table,
                           const char *operands) {
    report_open();
    printf("usage: %s [OPTIONS]%s%s\n\n", program, operands ? " " : "",
           operands ? operands : "");
    for (; table->name != NULL; table++)
        printf("  -%c, --%s%s%-*s %s\n", table->name[0], table->name,
               table->value ? " " : "",
               18 - (int)strlen(table->name) - (table->value ? 1 : 0),
               table->value ? table->value : "", table->help);
    printf("  -h, --%-18s print this\n", "help");
    exit(report_close());
}

/*
 * What getopt_long() could not use: a letter, or else the word before optind. A
 * letter that it knows is there for a flag that was given a value.
 */
_Noreturn static void unknown_option(char **argv, const char *letters) {
    const char letter[] = {'-', (char)optopt, '\0'};
    bool word = optopt == 0 || strchr(letters, optopt) != NULL;

    errx(USAGE_ERROR, "%s: not an option here; --help lists them",
         word ? argv[optind - 1] : letter);
}

/* Writes the table in the two forms that getopt_long() reads. */
static void translate(const struct setting *table, struct option *words,
                      char *letters) {
    const struct option *end = words + SETTINGS_MAX;

    *letters++ = ':';
    for (; table->name != NULL; table++) {
        assert(words < end);
        *words++ = (struct option){
            table->name, table->value ? required_argument : no_argument, NULL,
            table->name[0]};
        *letters++ = table->name[0];
        if (table->value != NULL)
            *letters++ = ':';
    }
    *words = (struct option){"help", no_argument, NULL, 'h'};
    *letters = 'h';
}

int parse_options(int argc, char **argv, const struct setting *table,
                  const char *operands) {
    struct option words[SETTINGS_MAX + 2] = {0};
    char letters[2 * SETTINGS_MAX + 3] = {0};
    int letter;

    translate(table, words, letters);
    opterr = 0;
    while ((letter = getopt_long(argc, argv, letters, words, NULL)) != -1) {
        if (letter == 'h')
            help(argv[0], table, operands);
        if (letter == ':')
            errx(USAGE_ERROR, "%s: needs a value; --help says which",
                 argv[argc - 1]);
        if (letter == '?')
            unknown_option(argv, letters);
        for (const struct setting *setting = table; setting->name; setting++)
            if (setting->name[0] == letter)
                store(setting, optarg);
    }
    if (operands == NULL && optind < argc)
        errx(USAGE_ERROR, "%s: nothing goes here but options; see --help",
             argv[optind]);
    return optind;
}
