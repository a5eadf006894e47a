/*
 * solution.c - a bakery that knows how long its customers wait.
 *
 * A sum and a maximum are all that has to be remembered of the customers who
 * are gone. A wait ends in the minute that serves, so this is where it is
 * measured.
 */
#include "options.h"
#include "report.h"

struct bakery {
    int minute;          /* since opening */
    int first_served_at; /* minute; 0 while nobody has been served */
    int served;
    int waited; /* minutes, all customers together */
    int longest_wait;
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

/* Everybody came at opening, so the time of the day is the time waited. */
static void note_wait(struct bakery *bakery) {
    int wait = bakery->minute;

    bakery->waited += wait;
    if (wait > bakery->longest_wait)
        bakery->longest_wait = wait;
}

static void serve_customers(struct bakery *bakery, int customers) {
    while (bakery->served < customers) {
        bakery->minute++;
        bakery->served++;
        note_wait(bakery);
        if (bakery->first_served_at == 0)
            bakery->first_served_at = bakery->minute;
        report_minute(bakery->minute, "cashier", "serve customer",
                      "#%02d served", bakery->served);
    }
}

static void report_waits(const struct bakery *bakery) {
    if (bakery->served > 0) /* the mean of nothing is not a number */
        report_summary("customers waited %.1f minutes on average, %d at most",
                       (double)bakery->waited / bakery->served,
                       bakery->longest_wait);
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
    report_waits(&bakery);
    return report_close();
}
