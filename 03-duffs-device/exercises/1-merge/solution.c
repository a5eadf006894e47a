/*
 * solution.c - two generators merged by a third.
 *
 * The merge holds the next value of either side in its hand, gives the smaller
 * one away and asks that side for another. It stops in the middle of its loop
 * for each value, and its caller cannot tell it from a generator that knows
 * everything by itself.
 */
#include <err.h>
#include <stdbool.h>
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

struct merge {
    struct coroutine co;
    struct multiples a, b;
    bool a_more, b_more; /* whether a.value and b.value are still to come */
    int value;           /* the latest */
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

/* A helper may decide, though it may not yield. */
static bool a_is_next(const struct merge *merge) {
    if (merge->a_more && merge->b_more)
        return merge->a.value <= merge->b.value;
    return merge->a_more;
}

static enum step merged(void *state) {
    struct merge *merge = state;

    CO_BEGIN(&merge->co);
    merge->a_more = multiples(&merge->a) == STEP_YIELD;
    merge->b_more = multiples(&merge->b) == STEP_YIELD;
    while (merge->a_more || merge->b_more) {
        if (a_is_next(merge)) {
            merge->value = merge->a.value;
            merge->a_more = multiples(&merge->a) == STEP_YIELD;
        } else {
            merge->value = merge->b.value;
            merge->b_more = multiples(&merge->b) == STEP_YIELD;
        }
        CO_YIELD(&merge->co);
    }
    CO_END(&merge->co);
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
    struct merge merge = {
        .a = {.of = number(argv[1]), .limit = limit},
        .b = {.of = number(argv[2]), .limit = limit},
    };
    const char *separator = "";

    report_open(false);
    while (merged(&merge) == STEP_YIELD) {
        printf("%s%d", separator, merge.value);
        separator = " ";
    }
    putchar('\n');
    return report_close();
}
