/* memory.h - what the kernel says of the memory of this program. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdio.h>
#include <unistd.h>

#include "check.h"

/* Field `number` of /proc/self/statm, in bytes: 0 all of it, 1 resident. */
static inline long statm(int number) {
    FILE *file = fopen("/proc/self/statm", "r");
    long field[2];

    CHECK(file != NULL);
    CHECK(fscanf(file, "%ld %ld", &field[0], &field[1]) == 2);
    fclose(file);
    return field[number] * sysconf(_SC_PAGESIZE);
}

static inline long address_space(void) { return statm(0); }

static inline long resident(void) { return statm(1); }

static inline long mappings(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    long lines = 0;

    CHECK(file != NULL);
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

#endif
