/*
 * start.c - ovens that knead on their own stacks, and do not know how deep.
 *
 * bake() should have the unused part of its stack painted before it kneads, and
 * look afterwards how much of the paint is left.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scheduler.h"
#include "stack.h"

enum { GRAMS_MAX = 60000 };

struct oven {
    char name[24];
    size_t grams;
};

/* A gram of dough takes a byte of stack. Others have a turn in the middle. */
static void knead(size_t grams) {
    volatile unsigned char dough[grams + 1];

    for (size_t i = 0; i <= grams; i++)
        dough[i] = (unsigned char)i;
    yield();
    for (size_t i = 0; i <= grams; i++)
        if (dough[i] != (unsigned char)i)
            errx(EXIT_FAILURE, "somebody else wrote into the dough");
}

static void report(const struct oven *oven, size_t used) {
    printf("%s | %zu g | %.1f KiB of %d\n", oven->name, oven->grams,
           (double)used / 1024, STACK_SIZE / 1024);
}

static void bake(void *arg) {
    const struct oven *oven = arg;
    size_t used = 0;

    knead(oven->grams);
    report(oven, used);
}

static void start_oven(struct oven *oven, int number, const char *grams) {
    char *end;

    snprintf(oven->name, sizeof oven->name, "oven %d", number);
    oven->grams = strtoul(grams, &end, 10);
    if (end == grams || *end != '\0' || oven->grams > GRAMS_MAX)
        errx(2, "GRAMS: '%s': a number from 0 to %d", grams, GRAMS_MAX);
    if (go(oven->name, bake, oven) == -1)
        err(EXIT_FAILURE, "go");
}

/* Ovens work side by side; those behind "then" start when the others end. */
int main(int argc, char **argv) {
    struct oven *ovens = calloc((size_t)argc, sizeof *ovens);
    int count = 0;

    if (ovens == NULL)
        err(EXIT_FAILURE, "calloc");
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "then") == 0) {
            schedule();
        } else {
            start_oven(&ovens[count], count + 1, argv[i]);
            count++;
        }
    }
    schedule();
    free(ovens);
    return EXIT_SUCCESS;
}
