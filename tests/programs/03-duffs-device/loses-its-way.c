/*
 * loses-its-way.c - faults that compile: each must stop the program loudly.
 *
 * The argument picks one: a yield or an await inside a switch of one's own, a
 * break outside of a loop in the first call or behind a yield.
 */
#include <string.h>

#include "check.h"
#include "coroutine.h"

static enum step yield_in_switch(void *state) {
    struct coroutine *co = state;

    CO_BEGIN(co);
    switch (co->line + 1) {
    case 0:
        break;
    default:
        CO_YIELD(co);
    }
    CO_END(co);
}

static enum step await_in_switch(void *state) {
    struct coroutine *co = state;
    static int looks;

    CO_BEGIN(co);
    switch (co->line + 1) {
    case 0:
        break;
    default:
        CO_AWAIT(co, ++looks > 1);
    }
    CO_END(co);
}

static enum step break_at_once(void *state) {
    struct coroutine *co = state;

    CO_BEGIN(co);
    if (co->line == 0)
        break;
    CO_YIELD(co);
    CO_END(co);
}

static enum step break_later(void *state) {
    struct coroutine *co = state;

    CO_BEGIN(co);
    CO_YIELD(co);
    if (co->line != 0)
        break;
    CO_END(co);
}

static const struct {
    const char *name;
    enum step (*step)(void *state);
} faults[] = {
    {"yield_in_switch", yield_in_switch},
    {"await_in_switch", await_in_switch},
    {"break_at_once", break_at_once},
    {"break_later", break_later},
};

int main(int argc, char **argv) {
    struct coroutine co = {0};

    CHECK(argc == 2);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (strcmp(argv[1], faults[i].name) == 0) {
            faults[i].step(&co);
            faults[i].step(&co);
            CHECK(0 && "it went on quietly");
        }
    CHECK(0 && "no such fault");
    return 0;
}
