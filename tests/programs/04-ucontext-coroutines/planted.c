/*
 * planted.c - mistakes in tasks, for the sanitizers to find.
 *
 *   ./planted return    a task uses what another task's function left behind
 *   ./planted bounds    writes past an array on its own stack
 *   ./planted heap      reads what was freed, by another task
 *   ./planted undefined adds one to INT_MAX
 *   ./planted race      shares a counter with a thread, without a lock
 */
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "scheduler.h"

static int *volatile shared;
static volatile int one = 1, past_the_end = 8;
static int counter;

static void leave_local(void) {
    int local = one;

    shared = &local;
    yield();
}

/* Not a part of the frame of its caller, whose life is longer. */
static void (*volatile leave)(void) = leave_local;

static void use_after_return(void *unused) {
    (void)unused;
    leave();
    yield();
    printf("%d\n", *shared);
}

static void out_of_bounds(void *unused) {
    volatile int array[8] = {0}, *volatile first = array;

    (void)unused;
    yield();
    first[past_the_end] = one;
    CHECK(array[one] == 0);
}

static void release(void *unused) {
    (void)unused;
    free(shared);
}

static void use_after_free(void *unused) {
    (void)unused;
    shared = malloc(sizeof *shared);
    CHECK(shared != NULL && go("releaser", release, NULL) == 0);
    *shared = one;
    yield();
    yield();
    printf("%d\n", *shared);
}

static void overflow_int(void *unused) {
    volatile int most = INT_MAX;

    (void)unused;
    yield();
    most = most + one;
}

static void *count(void *unused) {
    counter++;
    return unused;
}

static void race(void *unused) {
    pthread_t thread;

    yield();
    CHECK(pthread_create(&thread, NULL, count, NULL) == 0);
    count(unused);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void bystand(void *unused) {
    (void)unused;
    for (int i = 0; i < 5; i++)
        yield();
}

static const struct {
    const char *name;
    void (*make)(void *unused);
} mistakes[] = {
    {"return", use_after_return},
    {"bounds", out_of_bounds},
    {"heap", use_after_free},
    {"undefined", overflow_int},
    {"race", race},
};

int main(int argc, char **argv) {
    CHECK(argc == 2);
    CHECK(go("bystander", bystand, NULL) == 0);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        if (strcmp(argv[1], mistakes[i].name) == 0)
            CHECK(go("culprit", mistakes[i].make, NULL) == 0);
    schedule();
    printf("nothing was found\n");
    return 0;
}
