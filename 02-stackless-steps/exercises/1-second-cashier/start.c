/*
 * start.c - the chapter's bakery, with Anna at the counter.
 *
 * Bert is not here yet: he should serve from the same queue.
 */
#include <err.h>
#include <stdlib.h>

#include "options.h"
#include "report.h"
#include "scheduler.h"

struct oven {
    int remaining;
    int finished_at; /* tick; 0 when it never started */
};

struct cashier {
    int served;
    int customers;
    int finished_at;
};

static enum step bake_batch(void *state) {
    struct oven *oven = state;

    oven->remaining--;
    report_turn(tick(), "oven", "batch baking", "%d min remaining",
                oven->remaining);
    if (oven->remaining > 0)
        return STEP_YIELD;
    oven->finished_at = tick();
    return STEP_DONE;
}

static enum step serve_customers(void *state) {
    struct cashier *cashier = state;

    cashier->served++;
    report_turn(tick(), "anna", "serve customer", "#%02d served",
                cashier->served);
    if (cashier->served < cashier->customers)
        return STEP_YIELD;
    cashier->finished_at = tick();
    return STEP_DONE;
}

static void report_day(const struct oven *oven, const struct cashier *anna) {
    report_summary("anna served %d, bert served %d; "
                   "the last customer left at tick %d",
                   anna->served, 0, anna->finished_at);
    report_summary("oven finished at tick %d (bakery minute %d)",
                   oven->finished_at, oven->finished_at);
}

int main(int argc, char **argv) {
    struct options options = parse_options(argc, argv);
    struct oven oven = {.remaining = options.bake};
    struct cashier anna = {.customers = options.customers};

    report_open(options.quiet);
    if (options.bake > 0 && go("oven", bake_batch, &oven) == -1)
        err(EXIT_FAILURE, "go");
    if (options.customers > 0 && go("anna", serve_customers, &anna) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    report_day(&oven, &anna);
    return report_close();
}
