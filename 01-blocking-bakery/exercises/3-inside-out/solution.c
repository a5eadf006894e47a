/*
 * solution.c - the loops turned inside out, by hand.
 *
 * Each function does one minute's work and returns. What its loop used to
 * remember has moved into a struct, and the conditions of both loops have moved
 * into the one that is left, in main(): it decides whose turn it is.
 */
#include <stdbool.h>

#include "options.h"
#include "report.h"

struct bakery {
    int minute;          /* since opening */
    int first_served_at; /* minute; 0 while nobody has been served */
};

struct oven {
    int remaining;
};

struct cashier {
    int served;
    int customers;
};

static bool baking(const struct oven *oven) { return oven->remaining > 0; }

static bool serving(const struct cashier *cashier) {
    return cashier->served < cashier->customers;
}

static void look_into_oven(struct oven *oven, int minute, int waiting) {
    oven->remaining--;
    report_minute(minute, "oven", "batch baking",
                  "%d min remaining; %d waiting", oven->remaining, waiting);
}

static void serve_customer(struct cashier *cashier, struct bakery *bakery) {
    cashier->served++;
    if (bakery->first_served_at == 0)
        bakery->first_served_at = bakery->minute;
    report_minute(bakery->minute, "cashier", "serve customer", "#%02d served",
                  cashier->served);
}

static void report_day(const struct bakery *bakery) {
    const char *plural = bakery->minute == 1 ? "" : "s";

    if (bakery->first_served_at > 0)
        report_summary("%d minute%s; first customer served at minute %d",
                       bakery->minute, plural, bakery->first_served_at);
    else
        report_summary("%d minute%s; no customer came", bakery->minute, plural);
}

int main(int argc, char **argv) {
    struct options options = parse_options(argc, argv);
    struct bakery bakery = {0};
    struct oven oven = {.remaining = options.bake};
    struct cashier cashier = {.customers = options.customers};

    report_open(options.quiet);
    while (baking(&oven) || serving(&cashier)) {
        bakery.minute++;
        if (baking(&oven))
            look_into_oven(&oven, bakery.minute,
                           cashier.customers - cashier.served);
        if (serving(&cashier))
            serve_customer(&cashier, &bakery);
    }
    report_day(&bakery);
    return report_close();
}
