/*
 * limits.c - go() where there is no more to be had.
 *
 *   ./limits memory    of 64 MiB of address space
 *   ./limits inside    the same, when it is a task that calls go()
 *   ./limits mappings  of mappings, on a kernel without MADV_GUARD_INSTALL
 *
 * Prints what go() failed with. Whoever was not started leaves nothing behind,
 * all others finish, and their stacks can be used again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "old-kernel.h"
#include "scheduler.h"
#include "stack.h"

enum { ROOM = 64 * 1024 * 1024, SPARE = 1000 };

static struct { int started, ended, error; } limits;

static void work(void *unused) {
    (void)unused;
    yield();
    limits.ended++;
}

static void never(void *unused) {
    (void)unused;
    CHECK(limits.started == -1);
}

static void start_until_it_fails(void *unused) {
    (void)unused;
    while (go("worker", work, NULL) == 0)
        limits.started++;
    limits.error = errno;
    for (int i = 0; i < 10; i++) {
        CHECK(go("never", never, NULL) == -1);
        CHECK(errno == limits.error);
    }
}

static void limit_memory(void) {
    rlim_t most = (rlim_t)(address_space() + ROOM);

    CHECK(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}) == 0);
}

/* Takes all mappings that the kernel allows, and gives a few back. */
static void limit_mappings(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 4 * 1000 * 1000, i;
    char *area = mmap(NULL, pages * page, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(area != MAP_FAILED);
    for (i = 1; i < pages; i += 2)
        if (mprotect(area + i * page, page, PROT_READ) == -1)
            break;
    CHECK(i < pages && errno == ENOMEM);
    for (int given = 0; given < SPARE; given += 2) {
        i -= 2;
        CHECK(mprotect(area + i * page, page, PROT_NONE) == 0);
    }
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    int inside = strcmp(argv[1], "inside") == 0;
    int room = (ROOM / (STACK_SIZE + GUARD_SIZE)) / 2;

    if (strcmp(argv[1], "mappings") == 0) {
        old_kernel = EINVAL;
        limit_mappings();
        room = SPARE / 2 / 2;
    } else {
        limit_memory();
    }
    if (inside)
        CHECK(go("starter", start_until_it_fails, NULL) == 0);
    else
        start_until_it_fails(NULL);
    CHECK(schedule() == 2 + inside);
    printf("%s\n", strerror(limits.error));
    CHECK(limits.started >= room); /* it used what there was */
    CHECK(limits.ended == limits.started);

    for (int i = 0; i < limits.started; i++)
        CHECK(go("again", work, NULL) == 0);
    CHECK(schedule() == 2);
    CHECK(limits.ended == 2 * limits.started);
    return 0;
}
