/*
 * solution.c - two tills that keep what they take.
 *
 * A yield returns, and a return ends every local variable; the next call begins
 * with new ones. So the total lives in the struct, and each till has its own. A
 * static variable would outlive the yield as well, but there is only one of it
 * for all tills.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "coroutine.h"
#include "report.h"

enum { TILLS = 2 };

struct till {
    struct coroutine co;
    int number;
    char **next; /* what the next customer pays; NULL behind the last */
    int total;   /* local once, and lost at each yield */
};

static int amount(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 0 || value > 1000)
        errx(2, "%s: not an amount from 0 to 1000", text);
    return (int)value;
}

/* Every other argument is for this till. */
static char **after(char **next) {
    for (int i = 0; i < TILLS && *next != NULL; i++)
        next++;
    return next;
}

static enum step take_money(void *state) {
    struct till *till = state;

    CO_BEGIN(&till->co);
    while (*till->next != NULL) {
        till->total += amount(*till->next);
        printf("tick %02d | till %d | %d paid, %d in all\n", tick(),
               till->number, amount(*till->next), till->total);
        till->next = after(till->next);
        if (*till->next != NULL)
            CO_YIELD(&till->co);
    }
    CO_END(&till->co);
}

int main(int argc, char **argv) {
    struct till first = {.number = 1, .next = argv + 1};
    struct till second = {.number = 2, .next = argv + 1};

    if (argc < 3)
        errx(2, "amounts go here, two or more: 5 20 7 1");
    second.next++;
    report_open(false);
    if (go("till 1", take_money, &first) == -1 ||
        go("till 2", take_money, &second) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    report_summary("till 1 took %d, till 2 took %d", first.total, second.total);
    return report_close();
}
