/* race.c - a worker and the loop share a counter, for ThreadSanitizer to find.
 */
#include "check.h"
#include "pool.h"
#include "scheduler.h"

static int counter;

static void count(void *unused) {
    (void)unused;
    counter++;
}

static void order(void *unused) { CHECK(offload(count, unused) == 0); }

static void count_too(void *unused) {
    for (int i = 0; i < 100; i++) {
        count(unused);
        yield();
    }
}

int main(void) {
    CHECK(pool_start(1) == 0);
    CHECK(go("order", order, NULL) == 0);
    CHECK(go("count", count_too, NULL) == 0);
    schedule();
    pool_stop();
    return 0;
}
