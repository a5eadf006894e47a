/*
 * foreign-frame.c - a task can be left in the middle of anything.
 *
 * The baker yields three calls deep, and then from inside qsort(3), a function
 * of libc that knows nothing of tasks: from the comparator that it calls. A
 * step function could do neither, as the frames between it and the scheduler
 * would have to return.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"
#include "scheduler.h"

static int comparisons;

static void knead_loaf(int loaf) {
    printf("tick %02d | baker   | kneads loaf %d, three calls deep\n", tick(),
           loaf);
    yield();
}

static void knead_batch(void) {
    for (int loaf = 1; loaf <= 3; loaf++)
        knead_loaf(loaf);
}

/* The frames of qsort() lie between this one and the task's first. */
static int by_weight(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;

    comparisons++;
    yield();
    return (left > right) - (left < right);
}

static void bake(void *unused) {
    int grams[] = {750, 500, 1000, 250, 2000, 1500};
    size_t count = sizeof grams / sizeof grams[0];

    (void)unused;
    knead_batch();
    int before = tick();
    qsort(grams, count, sizeof grams[0], by_weight);
    printf("tick %02d | baker   | qsort() was left and re-entered %d times, in "
           "%d ticks\n",
           tick(), comparisons, tick() - before);
    printf("tick %02d | baker   | and the loaves are sorted:", tick());
    for (size_t i = 0; i < count; i++)
        printf(" %d", grams[i]);
    putchar('\n');
}

static void serve(void *unused) {
    (void)unused;
    for (int customer = 1; customer <= 5; customer++) {
        printf("tick %02d | cashier | serves customer %d\n", tick(), customer);
        yield();
    }
}

int main(void) {
    report_open(false);
    if (go("baker", bake, NULL) == -1 || go("cashier", serve, NULL) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    return report_close();
}
