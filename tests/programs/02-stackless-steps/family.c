/*
 * family.c - a thousand tasks of random lengths that start each other.
 *
 * A member that was started in tick s has had n - s turns when tick n is over,
 * until it is done; and the turns come in the order in which the members became
 * runnable. So each turn that is missing, extra or out of order shows. The
 * trace on stdout is the same in every run.
 */
#include "check.h"
#include "scheduler.h"

enum { FOUNDERS = 40, EVERYBODY = 1000, LENGTH_MAX = 12 };

static struct member {
    int started_in; /* tick */
    int turns;
    int length; /* turns until it is done */
} members[EVERYBODY];

static struct {
    int members;
    int finished;
    int tick;
    int runq[EVERYBODY * LENGTH_MAX]; /* who became runnable, one by one */
    int runnable, turns;              /* how many did; how many had a turn */
    unsigned random;
} family = {.random = 1};

static int random_below(unsigned limit) {
    family.random = family.random * 1103515245u + 12345u;
    return (int)(family.random >> 16 & 0x7fff) % (int)limit;
}

static enum step live(void *state);

static void start_another(void) {
    if (family.members == EVERYBODY)
        return;
    family.runq[family.runnable++] = family.members;
    struct member *member = &members[family.members++];
    member->started_in = tick();
    member->length = 1 + random_below(LENGTH_MAX);
    CHECK(go("member", live, member) == 0);
}

static enum step live(void *state) {
    struct member *member = state;
    int who = (int)(member - members);

    if (tick() != family.tick) {
        CHECK(tick() == family.tick + 1);
        family.tick++;
    }
    CHECK(who == family.runq[family.turns++]);

    member->turns++;
    printf("%d: %d\n", tick(), who);
    CHECK(member->turns == tick() - member->started_in);
    CHECK(member->turns <= member->length);
    if (random_below(3) == 0)
        start_another();
    if (member->turns < member->length) {
        family.runq[family.runnable++] = who;
        return STEP_YIELD;
    }
    family.finished++;
    return STEP_DONE;
}

int main(void) {
    for (int i = 0; i < FOUNDERS; i++)
        start_another();
    int ticks = schedule();
    CHECK(ticks == family.tick);
    CHECK(family.members == EVERYBODY);
    CHECK(family.finished == EVERYBODY);
    for (int i = 0; i < EVERYBODY; i++)
        CHECK(members[i].turns == members[i].length);
    return 0;
}
