/* park.c - park(), ready() and self(). The argument picks the case. */
#include <string.h>

#include "check.h"
#include "scheduler.h"

static struct {
    struct task *sleeper;
    int turns;     /* that the sleeper has had */
    int turned[8]; /* in which ticks */
} seen;

static void note_turn(void) {
    CHECK(seen.turns < 8);
    seen.turned[seen.turns++] = tick();
}

/* Parks as often as the argument says. */
static void sleep_times(void *arg) {
    seen.sleeper = self();
    note_turn();
    for (int left = *(const int *)arg; left > 0; left--) {
        park();
        note_turn();
    }
}

static void wake_three_times(void *unused) {
    (void)unused;
    ready(seen.sleeper); /* tick 1: runs in tick 2 */
    yield();
    yield();
    yield();
    ready(seen.sleeper); /* tick 4 */
    ready(self());       /* stands behind it in the run queue */
    ready(seen.sleeper); /* is runnable already: nothing */
    ready(seen.sleeper);
    park();
    yield();
    CHECK(tick() == 6 && seen.turns == 3);
    ready(seen.sleeper); /* tick 6 */
}

static void wakes_in_the_next_tick(void) {
    int times = 3;

    CHECK(go("sleeper", sleep_times, &times) == 0);
    CHECK(go("waker", wake_three_times, NULL) == 0);
    CHECK(schedule() == 7);
    CHECK(seen.turns == 4);
    CHECK(seen.turned[1] == 2 && seen.turned[2] == 5 && seen.turned[3] == 7);
}

/* The sleeper stands in the run queue when it is told, and parks after that. */
static void tell_runnable(void *unused) {
    (void)unused;
    yield(); /* tick 2: the sleeper has had its turn, and yielded */
    ready(self());
    ready(seen.sleeper);
    park();
    yield();
    yield();
    CHECK(tick() == 5 && seen.turns == 1); /* it sleeps: nothing was kept */
    ready(seen.sleeper);
}

static void yield_and_sleep(void *unused) {
    (void)unused;
    seen.sleeper = self();
    yield();
    yield();
    note_turn();
    park();
    note_turn();
}

static void ready_of_a_runnable(void) {
    CHECK(go("sleeper", yield_and_sleep, NULL) == 0);
    CHECK(go("teller", tell_runnable, NULL) == 0);
    CHECK(schedule() == 6);
    CHECK(seen.turned[0] == 3 && seen.turned[1] == 6);
}

static void ready_then_park(void *unused) {
    (void)unused;
    note_turn();
    ready(self());
    ready(self());
    park();
    note_turn();
    ready(self());
    park();
    note_turn();
}

static void yield_by_hand(void) {
    CHECK(go("yielder", ready_then_park, NULL) == 0);
    CHECK(schedule() == 3);
    CHECK(seen.turned[0] == 1 && seen.turned[1] == 2 && seen.turned[2] == 3);
}

/* Whoever runs and is told by another, through a call, has one more turn. */
static void told_before_it_parks(void *unused) {
    (void)unused;
    seen.sleeper = self();
    ready(seen.sleeper);
    note_turn();
    park();
    note_turn();
    park();
    note_turn();
}

static void tell_in_tick_4(void *unused) {
    (void)unused;
    yield();
    yield();
    yield();
    CHECK(seen.turns == 2);
    ready(seen.sleeper);
}

static void ready_before_park(void) {
    CHECK(go("sleeper", told_before_it_parks, NULL) == 0);
    CHECK(go("teller", tell_in_tick_4, NULL) == 0);
    CHECK(schedule() == 5);
    CHECK(seen.turns == 3 && seen.turned[1] == 2 && seen.turned[2] == 5);
}

static void tell_finished(void *unused) {
    (void)unused;
    yield();
    ready(seen.sleeper);
    yield();
    ready(seen.sleeper);
}

static void ready_of_a_finished(void) {
    int never = 0;

    CHECK(go("short", sleep_times, &never) == 0);
    CHECK(go("teller", tell_finished, NULL) == 0);
    CHECK(schedule() == 3);
    ready(seen.sleeper);
    CHECK(schedule() == 0);
    CHECK(seen.turns == 1);
}

static void know_yourself(void *arg) {
    struct task **me = arg;

    *me = self();
    CHECK(self() != NULL);
    yield();
    CHECK(self() == *me);
    yield();
    CHECK(self() == *me);
}

static void self_is_who_runs(void) {
    struct task *one, *other;

    CHECK(self() == NULL);
    CHECK(go("one", know_yourself, &one) == 0);
    CHECK(go("other", know_yourself, &other) == 0);
    CHECK(self() == NULL);
    CHECK(schedule() == 3);
    CHECK(self() == NULL);
    CHECK(one != other);
}

/* It runs to its end with a ready() of itself pending. */
static void ready_and_end(void *unused) {
    (void)unused;
    note_turn();
    ready(self());
}

static void ends_runnable(void) {
    int never = 0;

    CHECK(go("eager", ready_and_end, NULL) == 0);
    CHECK(go("short", sleep_times, &never) == 0);
    CHECK(schedule() >= 1);
    CHECK(seen.turns == 2);
    CHECK(go("after", sleep_times, &never) == 0);
    CHECK(schedule() == 1);
    CHECK(seen.turns == 3);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"next-tick", wakes_in_the_next_tick},
    {"runnable", ready_of_a_runnable},
    {"by-hand", yield_by_hand},
    {"before-park", ready_before_park},
    {"finished", ready_of_a_finished},
    {"self", self_is_who_runs},
    {"ends-runnable", ends_runnable},
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
