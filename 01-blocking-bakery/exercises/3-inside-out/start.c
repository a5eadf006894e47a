/*
 * start.c - the chapter's bakery: first all of the baking, then all of the
 * serving.
 */
#include "options.h"
#include "report.h"

struct bakery {
    int minute;          /* since opening */
    int first_served_at; /* minute; 0 while nobody has been served */
};

static void bake_batch(struct bakery *bakery, int minutes, int waiting) {
    int remaining = minutes;

    while (remaining > 0) {
        bakery->minute++;
        remaining--;
        report_minute(bakery->minute, "oven", "batch baking",
                      "%d min remaining; %d waiting", remaining, waiting);
    }
}

static void serve_customers(struct bakery *bakery, int customers) {
    int served = 0;

    while (served < customers) {
        bakery->minute++;
        served++;
        if (bakery->first_served_at == 0)
            bakery->first_served_at = bakery->minute;
        report_minute(bakery->minute, "cashier", "serve customer",
                      "#%02d served", served);
    }
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

    report_open(options.quiet);
    bake_batch(&bakery, options.bake, options.customers);
    serve_customers(&bakery, options.customers);
    report_day(&bakery);
    return report_close();
}
