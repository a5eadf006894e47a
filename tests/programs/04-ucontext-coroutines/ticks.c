/*
 * ticks.c - who has a turn in which tick. The argument picks the case.
 *
 * Every turn leaves a letter in the log, and every tick a blank before it.
 */
#include <string.h>

#include "check.h"
#include "scheduler.h"

static struct {
    char log[1000];
    size_t length;
    int tick;
} trace;

static void turn(char who) {
    CHECK(trace.length + 3 < sizeof trace.log);
    if (trace.tick != tick() && trace.length > 0)
        trace.log[trace.length++] = ' ';
    trace.tick = tick();
    trace.log[trace.length++] = who;
}

/* "A3": has three turns. */
static void take_turns(void *arg) {
    const char *plan = arg;

    for (int left = plan[1] - '0'; left > 0; left--) {
        turn(plan[0]);
        if (left > 1)
            yield();
    }
}

static void start(const char *plan) {
    CHECK(go("taker", take_turns, (void *)(size_t)plan) == 0);
}

static void everybody_in_every_tick(void) {
    start("A3");
    start("B3");
    start("C3");
    CHECK(schedule() == 3);
    CHECK(strcmp(trace.log, "ABC ABC ABC") == 0);
}

static void nobody_after_the_end(void) {
    start("A1");
    start("B3");
    start("C2");
    start("D1");
    start("E2");
    CHECK(schedule() == 3);
    CHECK(strcmp(trace.log, "ABCDE BCE B") == 0);
}

static struct task *sleeper;

static void sleep_once(void *unused) {
    (void)unused;
    sleeper = self();
    turn('S');
    park();
    turn('S');
}

static void wake_and_yield(void *unused) {
    (void)unused;
    turn('W');
    ready(sleeper);
    yield();
    turn('W');
}

/* B yields before W wakes S, so S comes between them. */
static void first_runnable_first(void) {
    CHECK(go("sleeper", sleep_once, NULL) == 0);
    start("B2");
    CHECK(go("waker", wake_and_yield, NULL) == 0);
    CHECK(schedule() == 2);
    CHECK(strcmp(trace.log, "SBW BSW") == 0);
}

static void start_two(void *unused) {
    (void)unused;
    turn('A');
    start("X2");
    start("Y1");
    yield();
    turn('A');
}

static void started_meanwhile(void) {
    CHECK(go("starter", start_two, NULL) == 0);
    start("B2");
    CHECK(schedule() == 3);
    CHECK(strcmp(trace.log, "AB XYAB X") == 0);
}

/* Its record is used again by the task that it starts last. */
static void start_and_end(void *arg) {
    int *left = arg;

    turn('A');
    if (--*left > 0)
        CHECK(go("next", start_and_end, left) == 0);
}

static void started_by_one_that_ends(void) {
    int left = 4;

    CHECK(go("first", start_and_end, &left) == 0);
    start("B2");
    CHECK(schedule() == 4);
    CHECK(strcmp(trace.log, "AB AB A A") == 0);
}

static void count_from_one_each_time(void) {
    CHECK(tick() == 0);
    start("A2");
    CHECK(schedule() == 2);
    trace.tick = 0;
    start("B1");
    start("C3");
    CHECK(schedule() == 3);
    CHECK(strcmp(trace.log, "A A BC C C") == 0);
}

static void nothing_to_run(void) {
    CHECK(schedule() == 0);
    CHECK(tick() == 0);
    start("A1");
    CHECK(schedule() == 1);
    CHECK(schedule() == 0);
    CHECK(strcmp(trace.log, "A") == 0);
}

static void expect_tick(void *arg) {
    for (int wanted = 1; wanted <= *(const int *)arg; wanted++) {
        CHECK(tick() == wanted);
        yield();
    }
}

static void tick_tells_the_tick(void) {
    int ticks = 1000;

    CHECK(go("reader", expect_tick, &ticks) == 0);
    CHECK(schedule() == ticks + 1);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"everybody", everybody_in_every_tick},
    {"ended", nobody_after_the_end},
    {"first-runnable", first_runnable_first},
    {"started", started_meanwhile},
    {"start-and-end", started_by_one_that_ends},
    {"twice", count_from_one_each_time},
    {"nothing", nothing_to_run},
    {"tick", tick_tells_the_tick},
};

int main(int argc, char **argv) {
    CHECK(argc == 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            return 0;
        }
    fprintf(stderr, "%s: no such case\n", argv[1]);
    return 2;
}
