/*
 * pools.c - a pool is started and stopped, again and again, at any moment.
 *
 *   ./pools SEED TIMES
 *
 * Every job that offload() took must run once and wake its task once, wherever
 * the stop came between. At the end as many descriptors are open as before.
 */
#define _GNU_SOURCE
#include "pool.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "check.h"
#include "random.h"
#include "scheduler.h"
#include "timer.h"

enum { CUSTOMERS = 5 };

static struct {
    atomic_int runs;
    int resumed;
    bool closed;
} test;

static int open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    CHECK(folder != NULL);
    while (readdir(folder) != NULL)
        count++;
    CHECK(closedir(folder) == 0);
    return count;
}

static void job(void *unused) {
    (void)unused;
    test.runs++;
}

static void order(void *unused) {
    (void)unused;
    while (!test.closed) {
        if (offload(job, NULL) == 0)
            test.resumed++;
        else
            CHECK(errno == ESRCH);
        if (random_below(3) == 0)
            yield();
    }
}

static void start_and_stop(void *arg) {
    const int *times = arg;

    for (int i = 0; i < *times; i++) {
        CHECK(pool_start(1 + random_below(4)) == 0);
        for (int turns = random_below(3); turns > 0; turns--)
            yield();
        if (random_below(50) == 0)
            CHECK(sleep_until(now() + random_below(300000)) == 0);
        pool_stop();
        if (random_below(3) == 0)
            yield();
    }
    test.closed = true;
}

int main(int argc, char **argv) {
    int times, before = open_descriptors();

    CHECK(argc == 3);
    random_seed(argc, argv);
    times = atoi(argv[2]);
    for (int i = 0; i < CUSTOMERS; i++)
        CHECK(go("order", order, NULL) == 0);
    CHECK(go("pool", start_and_stop, &times) == 0);
    schedule();
    CHECK(test.runs == test.resumed && test.runs > 0);
    CHECK(open_descriptors() <= before + 1); /* epoll's */
    return 0;
}
