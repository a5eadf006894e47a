/*
 * solution.c - how deep did each stack go? Paint it, run, look at the paint.
 *
 * What lies below the frames of a task belongs to nobody, but only as long as
 * it does not run: its next call writes there. So another task does both, from
 * a stack of its own, while the one that is measured is parked.
 *
 * It costs what the guard was made to save: a painted page is a used page.
 * This is for a test, which tells how large stacks must be.
 */
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scheduler.h"
#include "stack.h"

enum { GRAMS_MAX = 60000 };

enum {
    PAINT = 0xa5,  /* any value that a frame seldom holds */
    MARGIN = 2048, /* left alone: the frames in which the task is parked */
    ALIGNMENT = 4096
};

struct gauge {
    struct task *task;    /* whose stack it is */
    unsigned char *stack; /* the lowest byte of it */
    size_t painted;       /* bytes, from there up */
    size_t used;
    bool done;
};

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

/*
 * The record of a task is the last thing on its stack (scheduler.c), it is much
 * smaller than a page, and a stack ends where a page ends (stack.c).
 */
static unsigned char *stack_of(const struct task *task) {
    uintptr_t end = ((uintptr_t)task / ALIGNMENT + 1) * ALIGNMENT;

    return (unsigned char *)(end - STACK_SIZE);
}

static void paint(void *arg) {
    struct gauge *gauge = arg;

    memset(gauge->stack, PAINT, gauge->painted);
    gauge->done = true;
    ready(gauge->task);
}

/* Stacks grow down: the first byte that is not paint is the deepest written. */
static void look(void *arg) {
    struct gauge *gauge = arg;
    size_t clean = 0;

    while (clean < gauge->painted && gauge->stack[clean] == PAINT)
        clean++;
    gauge->used = STACK_SIZE - clean;
    gauge->done = true;
    ready(gauge->task);
}

/* Parks the calling task until another has painted, or looked. */
static void elsewhere(void (*fn)(void *arg), struct gauge *gauge) {
    gauge->done = false;
    if (go("gauge", fn, gauge) == -1)
        err(EXIT_FAILURE, "go");
    while (!gauge->done)
        park();
}

/* The next task on this stack finds old paint and old dough: it paints, too. */
static void bake(void *arg) {
    const struct oven *oven = arg;
    struct gauge gauge = {.task = self(), .stack = stack_of(self())};
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

    gauge.painted = frame - MARGIN - (uintptr_t)gauge.stack;
    elsewhere(paint, &gauge);
    knead(oven->grams);
    elsewhere(look, &gauge);
    report(oven, gauge.used);
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
