/*
 * many.c - as many tasks at once as the argument says, all of them waiting.
 *
 * Prints the bytes of memory that one costs, and how many mappings there are
 * for all of their stacks.
 */
#include "check.h"
#include "memory.h"
#include "scheduler.h"

static struct {
    int tasks, arrived;
    struct task **waiting;
    long resident, mappings; /* before the first */
} many;

static void wait_for_all(void *unused) {
    (void)unused;
    many.waiting[many.arrived++] = self();
    park();
    many.arrived--;
}

static void wake_all(void *unused) {
    (void)unused;
    yield();
    CHECK(many.arrived == many.tasks);
    printf("%ld bytes each, %ld mappings\n",
           (resident() - many.resident) / many.tasks,
           mappings() - many.mappings);
    for (int i = 0; i < many.tasks; i++)
        ready(many.waiting[i]);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    many.tasks = atoi(argv[1]);
    many.waiting = calloc((size_t)many.tasks, sizeof *many.waiting);
    CHECK(many.waiting != NULL);
    many.mappings = mappings();
    many.resident = resident();
    for (int i = 0; i < many.tasks; i++)
        CHECK(go("waiter", wait_for_all, NULL) == 0);
    CHECK(go("waker", wake_all, NULL) == 0);
    CHECK(schedule() == 3);
    CHECK(many.arrived == 0);
    return 0;
}
