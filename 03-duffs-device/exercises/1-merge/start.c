/*
 * start.c - two generators, one after the other.
 *
 * Nobody needs a scheduler here: who wants the next value steps the generator.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "coroutine.h"
#include "report.h"

struct multiples {
    struct coroutine co;
    int of;
    int limit;
    int value; /* the latest */
};

static enum step multiples(void *state) {
    struct multiples *self = state;

    CO_BEGIN(&self->co);
    while (self->value <= self->limit - self->of) {
        self->value += self->of;
        CO_YIELD(&self->co);
    }
    CO_END(&self->co);
}

static int number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 1 || value > 1000000000)
        errx(2, "%s: not a whole number from 1 to 1000000000", text);
    return (int)value;
}

int main(int argc, char **argv) {
    if (argc != 4)
        errx(2, "three numbers go here: A B LIMIT");

    int limit = number(argv[3]);
    struct multiples a = {.of = number(argv[1]), .limit = limit};
    struct multiples b = {.of = number(argv[2]), .limit = limit};
    const char *separator = "";

    report_open(false);
    while (multiples(&a) == STEP_YIELD) {
        printf("%s%d", separator, a.value);
        separator = " ";
    }
    while (multiples(&b) == STEP_YIELD) {
        printf("%s%d", separator, b.value);
        separator = " ";
    }
    putchar('\n');
    return report_close();
}
