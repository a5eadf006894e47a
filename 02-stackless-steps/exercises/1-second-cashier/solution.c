/*
 * solution.c - two cashiers, one step function, one queue.
 *
 * What both need is in the queue, and each holds a pointer to it. That needs no
 * lock: a step runs to its return before anybody else's begins, so nobody sees
 * the queue between "is there a customer?" and "this one is mine".
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

struct queue {
    int served;
    int customers;
    int empty_at; /* tick; 0 when nobody came */
};

struct cashier {
    const char *name;
    int served; /* by this one */
    struct queue *queue;
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
    struct queue *queue = cashier->queue;

    /* The last customer may have gone to the other one since my last turn. */
    if (queue->served == queue->customers)
        return STEP_DONE;
    queue->served++;
    cashier->served++;
    report_turn(tick(), cashier->name, "serve customer", "#%02d served",
                queue->served);
    if (queue->served < queue->customers)
        return STEP_YIELD;
    queue->empty_at = tick();
    return STEP_DONE;
}

static void report_day(const struct oven *oven, const struct cashier *anna,
                       const struct cashier *bert) {
    report_summary("anna served %d, bert served %d; "
                   "the last customer left at tick %d",
                   anna->served, bert->served, anna->queue->empty_at);
    report_summary("oven finished at tick %d (bakery minute %d)",
                   oven->finished_at, oven->finished_at);
}

int main(int argc, char **argv) {
    struct options options = parse_options(argc, argv);
    struct oven oven = {.remaining = options.bake};
    struct queue queue = {.customers = options.customers};
    struct cashier anna = {.name = "anna", .queue = &queue};
    struct cashier bert = {.name = "bert", .queue = &queue};

    report_open(options.quiet);
    if (options.bake > 0 && go("oven", bake_batch, &oven) == -1)
        err(EXIT_FAILURE, "go");
    if (options.customers > 0 && go(anna.name, serve_customers, &anna) == -1)
        err(EXIT_FAILURE, "go");
    if (options.customers > 1 && go(bert.name, serve_customers, &bert) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    report_day(&oven, &anna, &bert);
    return report_close();
}
