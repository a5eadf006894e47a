/*
 * lost-local.c - a coroutine that counts in a local variable, and one that
 * counts in its struct.
 *
 * Each step is a new call, with new local variables. The first cashier's count
 * starts from zero in every one of them; nothing warns of it.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "coroutine.h"
#include "report.h"

enum { CUSTOMERS = 3 };

struct cashier {
    struct coroutine co;
    int waiting;
    int served;
};

static enum step count_in_local(void *state) {
    struct cashier *cashier = state;
    int served = 0; /* again in each step, wherever CO_BEGIN goes from here */

    CO_BEGIN(&cashier->co);
    while (cashier->waiting-- > 0) {
        printf("local  | #%02d served\n", ++served);
        CO_YIELD(&cashier->co);
    }
    CO_END(&cashier->co);
}

static enum step count_in_struct(void *state) {
    struct cashier *cashier = state;

    CO_BEGIN(&cashier->co);
    while (cashier->waiting-- > 0) {
        printf("struct | #%02d served\n", ++cashier->served);
        CO_YIELD(&cashier->co);
    }
    CO_END(&cashier->co);
}

int main(void) {
    struct cashier forgetful = {.waiting = CUSTOMERS};
    struct cashier careful = {.waiting = CUSTOMERS};

    report_open(false);
    if (go("forgetful", count_in_local, &forgetful) == -1 ||
        go("careful", count_in_struct, &careful) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    return report_close();
}
