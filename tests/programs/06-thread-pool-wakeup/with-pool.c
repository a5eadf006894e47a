/*
 * with-pool.c - linked with a program of chapter 5: a pool is there, and idle.
 *
 * What chapter 5 promises must hold all the same.
 */
#include "pool.h"

#include "check.h"

__attribute__((constructor)) static void start_pool(void) {
    CHECK(pool_start(2) == 0);
}
