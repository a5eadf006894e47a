/*
 * deadlock.c - one task for each argument, and nobody wakes them.
 *
 * A name in capitals ends in tick 1; "again:NAME" is started in tick 2, by a
 * task called "starter", and so in the record of one that has ended.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "scheduler.h"

static const char again[] = "again:";

/* Later ones fall asleep earlier: the order of the line is not that one. */
static void sleep_for_good(void *arg) {
    for (int turns = *(const int *)arg; turns > 0; turns--)
        yield();
    park();
}

static void end(void *unused) { (void)unused; }

static void start_again(void *arg) {
    static int at_once = 0;
    char **names = arg;

    yield();
    for (; *names != NULL; names++)
        if (strncmp(*names, again, strlen(again)) == 0)
            CHECK(go(*names + strlen(again), sleep_for_good, &at_once) == 0);
}

int main(int argc, char **argv) {
    static int turns[100];
    bool ends = false;

    CHECK(argc < 100);
    for (int i = 1; i < argc; i++) {
        turns[i] = argc - i;
        if (strncmp(argv[i], again, strlen(again)) == 0) {
            ends = true;
            continue;
        }
        CHECK(go(argv[i],
                 isupper((unsigned char)*argv[i]) ? end : sleep_for_good,
                 &turns[i]) == 0);
    }
    if (ends)
        CHECK(go("starter", start_again, argv + 1) == 0);
    printf("this was printed first\n");
    schedule();
    return 0;
}
