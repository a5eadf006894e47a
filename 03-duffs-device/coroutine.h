/*
 * coroutine.h - straight-line step functions, by Duff's device.
 *
 * The body of the function becomes the body of a switch. CO_YIELD notes its own
 * line and returns; the next call switches to a case label with that line, in
 * the middle of whatever loop it stands in.
 *
 *     struct count { struct coroutine co; int i; };
 *
 *     static enum step count_step(void *state) {
 *         struct count *count = state;
 *
 *         CO_BEGIN(&count->co);
 *         for (count->i = 0; count->i < 3; count->i++)
 *             CO_YIELD(&count->co);
 *         CO_END(&count->co);
 *     }
 *
 * Ground rules:
 *   - A local variable does not survive a yield. What must, is in the struct.
 *   - One CO_YIELD or CO_AWAIT per line (two do not compile).
 *   - None inside a switch of your own: the label would belong to that one.
 *     The next call stops the program and says so.
 *   - CO_BEGIN once and CO_END once in a function (two do not compile), with no
 *     `break` between them but out of a loop (it stops the program as well).
 *   - `goto co_end` ends it early. A `return` of your own does not: the next
 *     call goes on after the last yield.
 *   - They yield from the function that they stand in, not from one it calls.
 *
 * The idea is Simon Tatham's, "Coroutines in C" (2000); Adam Dunkels built
 * protothreads on it.
 */
#ifndef COROUTINE_H
#define COROUTINE_H

#include <err.h>
#include <stdlib.h>

#include "scheduler.h"

/* Where to go on: zeroed, {0}, at the start. A finished one stays finished. */
struct coroutine {
    int line;
};

enum { CO_FINISHED = -1 };

/* The brace that CO_BEGIN opens is closed by CO_END. */
/* clang-format off */
#define CO_BEGIN(co)                   \
    switch ((co)->line) {              \
    case CO_FINISHED:                  \
        goto co_end;                   \
    case 0:;

/* Answers STEP_YIELD and goes on here in the next call. */
#define CO_YIELD(co)                   \
    do {                               \
        (co)->line = __LINE__;         \
        return STEP_YIELD;             \
    case __LINE__:;                    \
    } while (0)

/* Yields for as long as the condition is false; looks once per call. */
#define CO_AWAIT(co, condition)        \
    while (!(condition))               \
        CO_YIELD(co)

/* Answers STEP_DONE, in this call and in every later one. */
#define CO_END(co)                     \
        goto co_end;                   \
    default:                           \
        break;                         \
    }                                  \
    co_lost(__func__, (co)->line);     \
co_end:                                \
    (co)->line = CO_FINISHED;          \
    return STEP_DONE

/* clang-format on */

_Noreturn static inline void co_lost(const char *function, int line) {
    errx(EXIT_FAILURE,
         "%s: lost its way behind line %d: a yield inside a switch of its own, "
         "or a break outside of a loop",
         function, line);
}

#endif
