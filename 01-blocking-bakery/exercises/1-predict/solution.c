/*
 * solution.c - four bakeries, and what becomes of them.
 *
 * The loops run one after the other on one thread, so their minutes add up, and
 * the first customer waits for the whole batch.
 */
#include <stdio.h>

#include "report.h"

struct day {
    int minutes;
    int first_served_at; /* minute; 0 when nobody came */
};

struct bakery {
    int bake;
    int customers;
    struct day predicted;
};

static const struct bakery bakeries[] = {
    {.bake = 10, .customers = 10, .predicted = {20, 11}},
    {.bake = 12, .customers = 3, .predicted = {15, 13}},
    {.bake = 0, .customers = 5, .predicted = {5, 1}},
    {.bake = 7, .customers = 0, .predicted = {7, 0}},
};

enum { BAKERIES = sizeof bakeries / sizeof bakeries[0] };

/* The chapter's bakery without its log. */
static struct day run_bakery(int bake, int customers) {
    struct day day = {0};

    for (int remaining = bake; remaining > 0; remaining--)
        day.minutes++;
    for (int served = 0; served < customers; served++) {
        day.minutes++;
        if (day.first_served_at == 0)
            day.first_served_at = day.minutes;
    }
    return day;
}

static const char *verdict(struct day predicted, struct day seen) {
    if (predicted.minutes != seen.minutes)
        return "the minutes are wrong";
    if (predicted.first_served_at != seen.first_served_at)
        return "the first customer is wrong";
    return "right";
}

int main(void) {
    int right = 0;

    report_open(false);
    for (int i = 0; i < BAKERIES; i++) {
        const struct bakery *bakery = &bakeries[i];
        struct day seen = run_bakery(bakery->bake, bakery->customers);

        printf("bakery %d | bake %2d, customers %2d | %s\n", i + 1,
               bakery->bake, bakery->customers,
               verdict(bakery->predicted, seen));
        right += bakery->predicted.minutes == seen.minutes &&
                 bakery->predicted.first_served_at == seen.first_served_at;
    }
    report_summary("%d of %d predicted", right, BAKERIES);
    return report_close();
}
