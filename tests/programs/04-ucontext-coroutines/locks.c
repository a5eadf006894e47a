/*
 * locks.c - a yield inside printf(3) leaves the lock of stdout as it was.
 *
 * The conversion %B is the program's own, and it yields while printf() holds
 * that lock. Meanwhile another thread must find stdout locked. (A switch by
 * longjmp(3) would run the cleanup of printf(), which unlocks it.)
 */
#define _GNU_SOURCE
#include <printf.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "scheduler.h"

static bool inside, seen_locked;

static int convert(FILE *out, const struct printf_info *info,
                   const void *const *arguments) {
    (void)info, (void)arguments;
    inside = true;
    yield();
    inside = false;
    return fputs("bread", out);
}

static int no_arguments(const struct printf_info *info, size_t count,
                        int *types, int *sizes) {
    (void)info, (void)count, (void)types, (void)sizes;
    return 0;
}

static void *try_lock(void *unused) {
    if (ftrylockfile(stdout) == 0)
        funlockfile(stdout);
    else
        seen_locked = true;
    return unused;
}

static void print(void *format) { CHECK(printf(format) > 0); }

static void look(void *unused) {
    pthread_t thread;

    (void)unused;
    CHECK(inside);
    CHECK(pthread_create(&thread, NULL, try_lock, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(void) {
    static char format[] = "%B\n";

    CHECK(register_printf_specifier('B', convert, no_arguments) == 0);
    CHECK(go("printer", print, format) == 0);
    CHECK(go("looker", look, NULL) == 0);
    schedule();
    CHECK(!inside && seen_locked);
    return 0;
}
