/*
 * overflow.c - what happens to a task that needs more than its 64 KiB.
 *
 * The oven calls itself until its stack is full, and on. The stacks of two
 * neighbours lie next to it. The guard stops it before it reaches them, and the
 * program ends with one line that names the culprit.
 */
#define _GNU_SOURCE
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scheduler.h"

enum { DOUGH = 4096 };

static struct {
    const char *name;
    char *dough; /* on the stack of its task */
} neighbours[] = {{"rolls", NULL}, {"cakes", NULL}};

static struct sigaction runtime; /* the handler that prints the line */

/* Comes before it, and looks at the neighbours. */
static void look_at_neighbours(int signal, siginfo_t *info, void *context) {
    for (size_t i = 0; i < 2; i++) {
        int spoiled = 0;
        for (size_t j = 0; j < DOUGH; j++)
            spoiled += neighbours[i].dough[j] != *neighbours[i].name;
        printf("%s: %d of %d bytes spoiled\n", neighbours[i].name, spoiled,
               DOUGH);
    }
    if (fflush(stdout) == EOF) /* not safe in a handler, in general */
        warn("cannot write to standard output");
    runtime.sa_sigaction(signal, info, context);
}

static void wait_beside(void *arg) {
    char dough[DOUGH];
    size_t i = *(const size_t *)arg;

    memset(dough, *neighbours[i].name, sizeof dough);
    neighbours[i].dough = dough;
    park();
}

/* Each layer touches the one below, so none of their frames can go early. */
static int fold(int layers, volatile char *below) {
    volatile char layer[512];

    layer[0] = *below;
    return layers > 0 ? 1 + fold(layers - 1, layer) : 0;
}

static void overflow(void *unused) {
    volatile char table = 0;

    (void)unused;
    yield(); /* let both neighbours go first */
    printf("oven: folds a dough of a thousand layers\n");
    printf("oven: %d layers\n", fold(1000, &table));
}

int main(void) {
    static size_t first = 0, second = 1;
    struct sigaction look = {.sa_sigaction = look_at_neighbours,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK};

    if (go("rolls", wait_beside, &first) == -1 ||
        go("oven", overflow, NULL) == -1 ||
        go("cakes", wait_beside, &second) == -1)
        err(EXIT_FAILURE, "go");
    sigaction(SIGSEGV, &look, &runtime);
    schedule();
    return EXIT_SUCCESS;
}
