/*
 * tasks.c - tasks start, finish, yield, park and ready each other at random.
 *
 *   ./tasks SEED ROUNDS
 *
 * It builds with chapters 4, 5 and 6. Each task must end, with its variables,
 * and nobody may go on who was not told to.
 */
#include <stdbool.h>

#include "check.h"
#include "random.h"
#include "scheduler.h"

enum { TASKS = 400, ACTIONS = 200, LOCALS = 16 };

static struct {
    struct task *parked[TASKS]; /* NULL: does not wait to be told */
    bool told[TASKS];
    int unfinished, children;
} world;

static void wait_to_be_told(int id) {
    world.told[id] = false;
    world.parked[id] = self();
    while (!world.told[id])
        park();
    world.parked[id] = NULL;
}

/* Readies one that waits to be told, and may be runnable already. */
static void tell_somebody(void) {
    int id = random_below(TASKS);

    if (world.parked[id] == NULL)
        return;
    world.told[id] = random_below(4) > 0; /* if not, it must park again */
    ready(world.parked[id]);
    ready(world.parked[id]);
}

static void child(void *arg) {
    int *turns = arg;

    for (; *turns > 0; --*turns)
        yield();
    free(turns);
    world.children--;
}

static void have_a_child(void) {
    int *turns = malloc(sizeof *turns);

    CHECK(turns != NULL);
    *turns = random_below(5);
    CHECK(go("child", child, turns) == 0);
    world.children++;
}

static void act(int id) {
    switch (random_below(6)) {
    case 0:
        wait_to_be_told(id);
        break;
    case 1:
    case 2:
        tell_somebody();
        break;
    case 3:
        have_a_child();
        break;
    case 4:
        ready(self()); /* may end while it is runnable */
        break;
    default:
        yield();
    }
}

static void live(void *arg) {
    const int *number = arg;
    int id = *number, locals[LOCALS];
    double sum = id;

    for (int i = 0; i < LOCALS; i++)
        locals[i] = id * i;
    for (int i = 0; i < ACTIONS; i++) {
        sum += 0.5;
        act(id);
        for (int k = 0; k < LOCALS; k++)
            CHECK(locals[k] == id * k);
    }
    CHECK(sum > id + ACTIONS / 2 - 0.1 && sum < id + ACTIONS / 2 + 0.1);
    world.unfinished--;
}

/* Sees to it that nobody waits in vain. */
static void tell_all(void *unused) {
    (void)unused;
    while (world.unfinished > 0) {
        for (int id = 0; id < TASKS; id++) {
            world.told[id] = true;
            ready(world.parked[id]);
        }
        yield();
    }
}

int main(int argc, char **argv) {
    static int numbers[TASKS];

    CHECK(argc == 3);
    random_seed(argc, argv);
    for (int round = atoi(argv[2]); round > 0; round--) {
        for (int id = 0; id < TASKS; id++) {
            numbers[id] = id;
            CHECK(go("live", live, &numbers[id]) == 0);
        }
        world.unfinished = TASKS;
        CHECK(go("tell", tell_all, NULL) == 0);
        schedule();
        CHECK(world.unfinished == 0 && world.children == 0);
    }
    return 0;
}
