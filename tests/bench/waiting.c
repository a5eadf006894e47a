/* waiting.c - chapter 5: many sleepers, and a byte to and fro through pipes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "bench.h"
#include "io.h"
#include "scheduler.h"
#include "timer.h"

enum { ROUND_TRIPS = 5 * 1000, TURN = 100 };

static struct {
    int64_t deadline;
    int sleepers;
    int to_other[2], to_first[2];
} bench;

static void sleep_long(void *unused) {
    (void)unused;
    check(sleep_until(bench.deadline), "sleep_until");
}

/* There are 20 us for each of them to be created in. */
static void measure_sleepers(int n) {
    bench.deadline = now() + n * INT64_C(20000);
    for (int i = 0; i < n; i++)
        check(go("sleeper", sleep_long, NULL), "go");
    schedule();
    bench_row("many sleepers: past their deadline", n, "ms",
              (double)(now() - bench.deadline) / 1e6);
    bench_row("many sleepers: CPU time", n, "ms", bench_cpu() / 1e6);
}

static void nap(void *unused) {
    (void)unused;
    check(sleep_until(now() + bench.sleepers * INT64_C(2000)), "sleep_until");
}

/* Go takes the processor away from a goroutine that starts others for long. */
static void start_naps(void *unused) {
    (void)unused;
    for (int i = 0; i < bench.sleepers; i++) {
        check(go("sleeper", nap, NULL), "go");
        if (i % TURN == TURN - 1)
            yield();
    }
}

/* 2 us times their number is 2 s for a million. */
static void measure_naps(int n) {
    bench.sleepers = n;
    double start = nanoseconds();
    check(go("starter", start_naps, NULL), "go");
    schedule();
    bench_row("many sleepers, each from its start: wall time", n, "ms",
              (nanoseconds() - start) / 1e6);
    bench_row("many sleepers, each from its start: CPU time", n, "ms",
              bench_cpu() / 1e6);
}

static void bounce(int in, int out) {
    char byte;

    if (io_read(in, &byte, 1, NEVER) != 1 || io_write(out, "", 1, NEVER) != 1)
        check(-1, "pipe");
}

static void answer(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUND_TRIPS; i++)
        bounce(bench.to_other[0], bench.to_first[1]);
}

static void ask(void *unused) {
    (void)unused;
    double start = nanoseconds();
    check((int)io_write(bench.to_other[1], "", 1, NEVER), "pipe");
    for (int i = 0; i < ROUND_TRIPS - 1; i++)
        bounce(bench.to_first[0], bench.to_other[1]);
    char byte;
    check((int)io_read(bench.to_first[0], &byte, 1, NEVER), "pipe");
    bench_row("round trip through two pipes", 2, "ns",
              (nanoseconds() - start) / (double)ROUND_TRIPS);
}

static void measure_pipe(int n) {
    (void)n;
    check(pipe2(bench.to_other, O_NONBLOCK | O_CLOEXEC), "pipe2");
    check(pipe2(bench.to_first, O_NONBLOCK | O_CLOEXEC), "pipe2");
    check(go("answer", answer, NULL), "go");
    check(go("ask", ask, NULL), "go");
    schedule();
}

int main(int argc, char **argv) {
    static const struct measure table[] = {{"sleepers", measure_sleepers},
                                           {"naps", measure_naps},
                                           {"pipe", measure_pipe},
                                           {0}};

    return bench_main(argc, argv, table);
}
