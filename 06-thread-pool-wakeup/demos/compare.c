/*
 * compare.c - one after another, stackless, stackful, threads: what each costs.
 *
 * First work that waits, then work that computes, in the four ways of ways.c;
 * then what one waiting task costs in each model (costs.c). Every figure is
 * measured in this run, the sentences at the end included.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "costs.h"
#include "options.h"
#include "report.h"
#include "timer.h"
#include "ways.h"

enum { SECONDS_MAX = 1000, WORKERS_MAX = 1000, DOUGHS = 8 };

/* What one way took. */
struct usage {
    int threads;
    double wall, cpu; /* seconds */
    long waits;       /* voluntary context switches, of all its threads */
};

static struct {
    int workers;
    int ovens;
    struct piece *pieces; /* to bake */
    double longest;       /* of the ovens, in seconds */
} options = {.workers = 4};

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static struct usage used(void) {
    struct rusage so_far;

    getrusage(RUSAGE_SELF, &so_far);
    return (struct usage){
        .wall = (double)now() / (double)SECOND,
        .cpu = seconds_of(so_far.ru_utime) + seconds_of(so_far.ru_stime),
        .waits = so_far.ru_nvcsw,
    };
}

static struct usage measure(int (*work)(struct piece *, int, int),
                            struct piece *pieces, int count) {
    struct usage before = used();
    int threads = work(pieces, count, options.workers);
    struct usage after = used();

    return (struct usage){threads, after.wall - before.wall,
                          after.cpu - before.cpu, after.waits - before.waits};
}

static void print_usage(const struct way *way, const struct usage *usage,
                        const struct usage *in_turn) {
    printf("%-22s | %7d | %6.2f s | %12.1f | %8.1f ms | %18ld\n", way->name,
           usage->threads, usage->wall, in_turn->wall / usage->wall,
           usage->cpu * 1e3, usage->waits);
}

static void print_heading(const char *work) {
    printf("%-22s | %7s | %8s | %12s | %11s | %18s\n", work, "threads", "wall",
           "times faster", "CPU time", "voluntary switches");
}

static void compare_baking(struct usage usages[WAYS]) {
    print_heading("waiting: ovens");
    for (int i = 0; i < WAYS; i++) {
        usages[i] = measure(ways[i].bake, options.pieces, options.ovens);
        print_usage(&ways[i], &usages[i], &usages[0]);
    }
}

/* All ways must knead alike, or their times would not compare. */
static void compare_kneading(struct usage usages[WAYS]) {
    uint64_t kneaded[WAYS] = {0};

    print_heading("computing: doughs");
    for (int i = 0; i < WAYS; i++) {
        struct piece pieces[DOUGHS];
        for (int j = 0; j < DOUGHS; j++)
            pieces[j] = (struct piece){.dough = (uint64_t)j + 1};
        usages[i] = measure(ways[i].knead, pieces, DOUGHS);
        print_usage(&ways[i], &usages[i], &usages[0]);
        for (int j = 0; j < DOUGHS; j++)
            kneaded[i] += pieces[j].dough;
        if (kneaded[i] != kneaded[0])
            errx(EXIT_FAILURE, "%s: another dough came out", ways[i].name);
    }
}

static void compare_costs(const struct cost costs[MODELS]) {
    printf("%-22s | %7s | %15s | %17s | %9s\n", "one that waits", "of",
           "resident memory", "create and finish", "switch");
    for (int i = 0; i < MODELS; i++)
        printf("%-22s | %7d | %13.0f B | %14.1f ns | %6.1f ns\n",
               costs[i].model, costs[i].tasks, costs[i].bytes, costs[i].life_ns,
               costs[i].switch_ns);
}

static void explain_baking(const struct usage usages[WAYS]) {
    printf("Waiting: %d oven%s, the longest of %g s. One after another they "
           "took %.2f s.\n"
           "One thread with stackless tasks took %.2f s, with stackful tasks "
           "%.2f s; the\n"
           "pool took %.2f s and %d threads. Who waits needs no processor, "
           "only a place to\n"
           "come back to.\n",
           options.ovens, options.ovens == 1 ? "" : "s", options.longest,
           usages[0].wall, usages[1].wall, usages[2].wall, usages[3].wall,
           usages[3].threads);
}

/* How many processors this process may use: taskset(1) changes it. */
static int count_cores(void) {
    cpu_set_t allowed;

    return sched_getaffinity(0, sizeof allowed, &allowed) == 0
               ? CPU_COUNT(&allowed)
               : 1;
}

static void explain_kneading(const struct usage usages[WAYS]) {
    const struct usage *pool = &usages[WAYS - 1];
    int cores = count_cores();

    printf("Computing: coroutines were %.1f and %.1f times as fast as one "
           "after another,\n"
           "as they share one thread. ",
           usages[0].wall / usages[1].wall, usages[0].wall / usages[2].wall);
    if (cores == 1)
        printf("This process has one core, so the pool was\n"
               "%.1f times as fast: more threads do not make more cores.\n",
               usages[0].wall / pool->wall);
    else
        printf("The pool was %.1f times as fast; its\n"
               "%d worker%s kept %.1f of %d cores busy.\n",
               usages[0].wall / pool->wall, options.workers,
               options.workers == 1 ? "" : "s", pool->cpu / pool->wall, cores);
}

static void explain_costs(const struct cost costs[MODELS]) {
    const struct cost *step = &costs[0], *task = &costs[1], *thread = &costs[2];

    printf("One that waits: a stackful task takes %.0f times the memory of a "
           "stackless one,\n"
           "a thread %.1f times that of a stackful one, and the kernel's own "
           "stack for it\n"
           "is not even in the figure. A switch of threads costs as much as "
           "%.0f of tasks,\n"
           "a thread's life as much as the lives of %.0f.\n",
           task->bytes / step->bytes, thread->bytes / task->bytes,
           thread->switch_ns / task->switch_ns,
           thread->life_ns / task->life_ns);
}

static void read_ovens(int count, char *const *seconds) {
    options.ovens = count;
    options.pieces = calloc((size_t)count, sizeof *options.pieces);
    if (options.pieces == NULL)
        err(EXIT_FAILURE, "calloc");
    for (int i = 0; i < count; i++) {
        double time = parse_number("SECONDS", seconds[i], 0, SECONDS_MAX);
        options.pieces[i].seconds = time;
        options.longest = time > options.longest ? time : options.longest;
    }
}

int main(int argc, char **argv) {
    static char *const defaults[] = {"3", "2", "1"};
    static const struct setting table[] = {
        {"workers", "N", "how many threads the pool has (default 4)",
         .whole = &options.workers, .min = 1, .max = WORKERS_MAX},
        {0},
    };
    struct usage baking[WAYS], kneading[WAYS];
    struct cost costs[MODELS];
    int operands = parse_options(argc, argv, table, "[SECONDS...]");

    if (operands < argc)
        read_ovens(argc - operands, argv + operands);
    else
        read_ovens(3, defaults);
    report_open();
    measure_costs(costs); /* before any task has left a stack to the next */
    compare_baking(baking);
    putchar('\n');
    compare_kneading(kneading);
    putchar('\n');
    compare_costs(costs);
    putchar('\n');
    explain_baking(baking);
    explain_kneading(kneading);
    explain_costs(costs);
    free(options.pieces);
    return report_close();
}
