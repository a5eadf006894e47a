/*
 * solution.c - a baker and customers who wait for each other.
 *
 * Nobody can come between a condition that CO_AWAIT found true and the line
 * behind it: there is no yield between them. A condition that can never become
 * true again would keep its task forever, so a customer waits for a loaf or for
 * the end.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "coroutine.h"
#include "report.h"

enum { CUSTOMERS_MAX = 9 };

struct shelf {
    int room;   /* loaves that it holds */
    int wanted; /* today, in all */
    int put;    /* so far */
    int taken;
};

struct baker {
    struct coroutine co;
    struct shelf *shelf;
};

struct customer {
    struct coroutine co;
    int number;
    struct shelf *shelf;
};

static enum step bake_loaves(void *state) {
    struct baker *baker = state;
    struct shelf *shelf = baker->shelf;

    CO_BEGIN(&baker->co);
    while (shelf->put < shelf->wanted) {
        CO_AWAIT(&baker->co, shelf->put - shelf->taken < shelf->room);
        shelf->put++;
        printf("tick %02d | baker      | loaf %d put, %d on the shelf\n",
               tick(), shelf->put, shelf->put - shelf->taken);
    }
    CO_END(&baker->co);
}

static enum step take_loaves(void *state) {
    struct customer *customer = state;
    struct shelf *shelf = customer->shelf;

    CO_BEGIN(&customer->co);
    while (shelf->taken < shelf->wanted) {
        CO_AWAIT(&customer->co,
                 shelf->put > shelf->taken || shelf->taken == shelf->wanted);
        if (shelf->taken == shelf->wanted)
            break; /* somebody else took the last one */
        shelf->taken++;
        printf("tick %02d | customer %d | loaf %d taken, %d on the shelf\n",
               tick(), customer->number, shelf->taken,
               shelf->put - shelf->taken);
    }
    CO_END(&customer->co);
}

static int number(const char *text, int most) {
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 1 || value > most)
        errx(2, "%s: not a whole number from 1 to %d", text, most);
    return (int)value;
}

int main(int argc, char **argv) {
    if (argc != 4)
        errx(2, "three numbers go here: LOAVES SHELF CUSTOMERS");

    struct shelf shelf = {.wanted = number(argv[1], 1000),
                          .room = number(argv[2], 1000)};
    struct baker baker = {.shelf = &shelf};
    struct customer customers[CUSTOMERS_MAX] = {0};
    int count = number(argv[3], CUSTOMERS_MAX);

    report_open(false);
    if (go("baker", bake_loaves, &baker) == -1)
        err(EXIT_FAILURE, "go");
    for (int i = 0; i < count; i++) {
        customers[i] = (struct customer){.number = i + 1, .shelf = &shelf};
        if (go("customer", take_loaves, &customers[i]) == -1)
            err(EXIT_FAILURE, "go");
    }
    schedule();
    report_summary("%d loaves taken", shelf.taken);
    return report_close();
}
