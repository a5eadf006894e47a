/*
 * nested-loops.c - yields in the middle of three loops, of three kinds.
 *
 * The coroutine goes on exactly where it stopped: the trace of its turns is the
 * trace of the same loops run in one go.
 */
#include "check.h"
#include "coroutine.h"

struct loops {
    struct coroutine co;
    int i, j, k;
};

static enum step walk(void *state) {
    struct loops *l = state;

    CO_BEGIN(&l->co);
    for (l->i = 0; l->i < 3; l->i++) {
        l->j = 0;
        while (l->j < l->i) {
            l->k = 0;
            do {
                CO_YIELD(&l->co);
                l->k++;
            } while (l->k < 2);
            l->j++;
        }
        if (l->i == 1)
            continue;
        CO_YIELD(&l->co);
        if (l->i == 2)
            break;
    }
    CO_END(&l->co);
}

static void expect_turn(struct loops *l, int i, int j, int k) {
    CHECK(walk(l) == STEP_YIELD);
    CHECK(l->i == i && l->j == j && l->k == k);
}

int main(void) {
    struct loops l = {.k = -1};

    expect_turn(&l, 0, 0, -1);
    expect_turn(&l, 1, 0, 0);
    expect_turn(&l, 1, 0, 1);
    expect_turn(&l, 2, 0, 0);
    expect_turn(&l, 2, 0, 1);
    expect_turn(&l, 2, 1, 0);
    expect_turn(&l, 2, 1, 1);
    expect_turn(&l, 2, 2, 2);
    CHECK(walk(&l) == STEP_DONE);
    CHECK(l.i == 2);
    return 0;
}
