/*
 * bakery.c - one thread, two coroutines with a stack each.
 *
 * What a loop must remember is in its local variables again, as in chapter 1.
 * The one thing that tells these functions from those is yield().
 */
#include <err.h>
#include <stdlib.h>

#include "options.h"
#include "report.h"
#include "scheduler.h"

struct oven {
    int minutes;
    int finished_at; /* tick; 0 when it never started */
};

struct cashier {
    int customers;
    int finished_at;
};

static void bake_batch(void *arg) {
    struct oven *oven = arg;
    int remaining = oven->minutes;

    while (remaining > 0) {
        remaining--;
        report_turn(tick(), "oven", "batch baking", "%d min remaining",
                    remaining);
        if (remaining > 0)
            yield();
    }
    oven->finished_at = tick();
}

static void serve_customers(void *arg) {
    struct cashier *cashier = arg;
    int served = 0;

    while (served < cashier->customers) {
        served++;
        report_turn(tick(), "cash", "serve customer", "#%02d served", served);
        if (served < cashier->customers)
            yield();
    }
    cashier->finished_at = tick();
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
    struct oven oven = {.minutes = options.bake};
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
