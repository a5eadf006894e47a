/*
 * locals.c - what lives in registers and on the stack survives a switch.
 *
 * The same sums, in twelve integers and twelve doubles that are all in use at
 * once, are made twice: in one go, and in many tasks with a yield() in each
 * round. Not a bit may differ.
 */
#include <string.h>

#include "check.h"
#include "scheduler.h"

enum { TASKS = 50, ROUNDS = 40 };

struct sums {
    unsigned long whole[12];
    double real[12];
};

struct job {
    unsigned seed;
    struct sums sums;
};

static void no_yield(void) {}

/* Unrolled, so that the compiler has a reason to keep them in registers. */
static struct sums add_up(unsigned seed, void (*pause)(void)) {
    unsigned long a = seed, b = a + 1, c = a + 2, d = a + 3, e = a + 4,
                  f = a + 5, g = a + 6, h = a + 7, i = a + 8, j = a + 9,
                  k = a + 10, l = a + 11;
    double m = seed, n = m / 3, o = n / 3, p = o / 3, q = p / 3, r = q / 3,
           s = r / 3, t = s / 3, u = t / 3, v = u / 3, w = v / 3, x = w / 3;

    for (int round = 0; round < ROUNDS; round++) {
        pause();
        a += b * 3, b += c * 5, c += d * 7, d += e * 3, e += f * 5, f += g * 7;
        g += h * 3, h += i * 5, i += j * 7, j += k * 3, k += l * 5, l += a * 7;
        pause();
        m += n / 3, n += o / 5, o += p / 7, p += q / 3, q += r / 5, r += s / 7;
        s += t / 3, t += u / 5, u += v / 7, v += w / 3, w += x / 5, x += m / 7;
    }
    return (struct sums){{a, b, c, d, e, f, g, h, i, j, k, l},
                         {m, n, o, p, q, r, s, t, u, v, w, x}};
}

static void add_up_in_turns(void *arg) {
    struct job *job = arg;

    job->sums = add_up(job->seed, yield);
}

int main(void) {
    static struct job jobs[TASKS];

    for (unsigned i = 0; i < TASKS; i++) {
        jobs[i].seed = i * i + 1;
        CHECK(go("adder", add_up_in_turns, &jobs[i]) == 0);
    }
    CHECK(schedule() == 2 * ROUNDS + 1);
    for (unsigned i = 0; i < TASKS; i++) {
        struct sums wanted = add_up(jobs[i].seed, no_yield);
        CHECK(memcmp(&jobs[i].sums, &wanted, sizeof wanted) == 0);
    }
    return 0;
}
