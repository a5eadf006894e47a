/*
 * bakery.c - one thread, two coroutines that take turns.
 *
 * The loops are back, in the order in which one thinks them. What must outlive
 * a yield is in a struct as before: a step function still returns each time.
 */
#include <err.h>
#include <stdlib.h>

#include "coroutine.h"
#include "options.h"
#include "report.h"
#include "scheduler.h"

struct oven {
    struct coroutine co;
    int remaining;
    int finished_at; /* tick; 0 when it never started */
};

struct cashier {
    struct coroutine co;
    int served;
    int customers;
    int finished_at;
};

static enum step bake_batch(void *state) {
    struct oven *oven = state;

    CO_BEGIN(&oven->co);
    while (oven->remaining > 0) {
        oven->remaining--;
        report_turn(tick(), "oven", "batch baking", "%d min remaining",
                    oven->remaining);
        if (oven->remaining > 0)
            CO_YIELD(&oven->co);
    }
    oven->finished_at = tick();
    CO_END(&oven->co);
}

static enum step serve_customers(void *state) {
    struct cashier *cashier = state;

    CO_BEGIN(&cashier->co);
    while (cashier->served < cashier->customers) {
        cashier->served++;
        report_turn(tick(), "cash", "serve customer", "#%02d served",
                    cashier->served);
        if (cashier->served < cashier->customers)
            CO_YIELD(&cashier->co);
    }
    cashier->finished_at = tick();
    CO_END(&cashier->co);
}

static void report_day(const struct oven *oven, const struct cashier *cashier,
                       int blocking) {
    report_summary("cashier finished at tick %d (bakery minute %d), "
                   "rather than minute %d",
                   cashier->finished_at, cashier->finished_at, blocking);
    report_summary("oven finished at tick %d (bakery minute %d)",
                   oven->finished_at, oven->finished_at);
}

int main(int argc, char **argv) {
    struct options options = parse_options(argc, argv);
    struct oven oven = {.remaining = options.bake};
    struct cashier cashier = {.customers = options.customers};

    report_open(options.quiet);
    if (options.bake > 0 && go("oven", bake_batch, &oven) == -1)
        err(EXIT_FAILURE, "go");
    if (options.customers > 0 && go("cashier", serve_customers, &cashier) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    report_day(&oven, &cashier, options.bake + options.customers);
    return report_close();
}
