/*
 * compare.c - stackless tasks, stackful tasks, threads: what each costs.
 *
 * First work that waits, then work that computes, in the four ways of ways.c.
 * Then what one task costs in the three models of models.c. Every figure is
 * measured in this run. A sentence that explains figures is printed only if
 * they are as it says: on a busy machine they need not be.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "costs.h"
#include "options.h"
#include "pool.h"
#include "report.h"
#include "ways.h"

enum {
    SECONDS_MAX = 1000,
    WORKERS_MAX = 1000,
    DOUGHS = 8,
    DESCRIPTORS = 16, /* beside the ovens': stdin to stderr, epoll, eventfd */
    MODELS = 3,
    SAMPLES = 5, /* of each time, of which the shortest counts */
    LIVES = 100,
    SWITCHES = 20 * 1000
};

/* What one way took. */
struct usage {
    int threads;
    double wall, cpu; /* seconds */
    long waits;       /* voluntary context switches, of all its threads */
};

struct cost {
    const struct model *model;
    int tasks;   /* that wait at once */
    int at_once; /* that live at once */
    double bytes, life_ns, switch_ns;
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

/* How many threads this process has, as the kernel counts them. */
static int count_threads(void) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    int threads = 0;

    if (status == NULL)
        err(EXIT_FAILURE, "/proc/self/status");
    while (fgets(line, sizeof line, status) != NULL)
        sscanf(line, "Threads: %d", &threads);
    fclose(status);
    return threads;
}

static struct usage used(void) {
    struct rusage so_far;

    getrusage(RUSAGE_SELF, &so_far);
    return (struct usage){
        .wall = nanoseconds() / 1e9,
        .cpu = seconds_of(so_far.ru_utime) + seconds_of(so_far.ru_stime),
        .waits = so_far.ru_nvcsw,
    };
}

static struct usage measure(const struct way *way,
                            void (*work)(struct piece *, int),
                            struct piece *pieces, int count) {
    struct usage before = used();

    if (way->pool)
        check(pool_start(options.workers), "pool_start");
    work(pieces, count);
    int threads = count_threads();
    pool_stop(); /* does nothing if there is none */
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
        usages[i] =
            measure(&ways[i], ways[i].bake, options.pieces, options.ovens);
        print_usage(&ways[i], &usages[i], &usages[0]);
    }
    putchar('\n');
}

/* All ways must knead alike, or their times would not compare. */
static void compare_kneading(struct usage usages[WAYS]) {
    uint64_t kneaded[WAYS] = {0};

    print_heading("computing: doughs");
    for (int i = 0; i < WAYS; i++) {
        struct piece pieces[DOUGHS];
        for (int j = 0; j < DOUGHS; j++)
            pieces[j] = (struct piece){.dough = (uint64_t)j + 1};
        usages[i] = measure(&ways[i], ways[i].knead, pieces, DOUGHS);
        print_usage(&ways[i], &usages[i], &usages[0]);
        for (int j = 0; j < DOUGHS; j++)
            kneaded[i] += pieces[j].dough;
        if (kneaded[i] != kneaded[0])
            errx(EXIT_FAILURE, "%s: another dough came out", ways[i].name);
    }
    putchar('\n');
}

/* Whatever else the machine does can only make a time longer. */
static double shortest(double (*cost)(const struct model *, int, int),
                       const struct model *model, int tasks, int times) {
    double best = cost(model, tasks, times);

    for (int i = 1; i < SAMPLES; i++) {
        double again = cost(model, tasks, times);
        best = again < best ? again : best;
    }
    return best;
}

/* Comes first: memory that was used before would be used again. */
static void measure_costs(struct cost costs[MODELS]) {
    for (struct cost *cost = costs; cost < costs + MODELS; cost++) {
        struct waiting waiting = cost_of_waiting(cost->model, cost->tasks);
        cost->tasks = waiting.tasks;
        cost->bytes = waiting.bytes;
        cost->life_ns = shortest(cost_of_life, cost->model, cost->at_once,
                                 LIVES / cost->at_once);
        cost->switch_ns = shortest(cost_of_turn, cost->model, 2, SWITCHES / 2);
    }
}

static void compare_costs(const struct cost costs[MODELS]) {
    printf("%-22s | %7s | %15s | %17s | %9s\n", "a task that waits", "at once",
           "resident memory", "create and finish", "switch");
    for (int i = 0; i < MODELS; i++)
        printf("%-22s | %7d | %13.0f B | %14.1f ns | %6.1f ns\n",
               costs[i].model->name, costs[i].tasks, costs[i].bytes,
               costs[i].life_ns, costs[i].switch_ns);
    putchar('\n');
}

static bool alike(const struct usage *a, const struct usage *b) {
    return a->wall < 1.1 * b->wall && b->wall < 1.1 * a->wall;
}

static void explain_baking(const struct usage usages[WAYS]) {
    bool idle = true;

    printf("Waiting: %d oven%s, the longest of %g s. One after another they "
           "took %.2f s.\n"
           "One thread took %.2f s with stackless tasks, %.2f s with stackful "
           "tasks.\n"
           "The pool took %.2f s, with %d threads.\n",
           options.ovens, options.ovens == 1 ? "" : "s", options.longest,
           usages[0].wall, usages[1].wall, usages[2].wall, usages[3].wall,
           usages[3].threads);
    for (int i = 0; i < WAYS; i++)
        idle = idle && usages[i].cpu < usages[i].wall / 10;
    if (idle)
        printf("A task that waits needs hardly any processor time.\n");
}

/* How many processors this process may use: taskset(1) changes it. */
static int count_cores(void) {
    cpu_set_t allowed;

    return sched_getaffinity(0, sizeof allowed, &allowed) == 0
               ? CPU_COUNT(&allowed)
               : 1;
}

static void explain_kneading(const struct usage usages[WAYS]) {
    const struct usage *in_turn = &usages[0], *pool = &usages[WAYS - 1];
    int cores = count_cores();

    printf("Computing: coroutines were %.1f and %.1f times as fast as one "
           "after another.\n",
           in_turn->wall / usages[1].wall, in_turn->wall / usages[2].wall);
    if (alike(in_turn, &usages[1]) && alike(in_turn, &usages[2]))
        printf("They share one thread, which computes all the time.\n");
    printf("The pool was %.1f times as fast: %d worker%s kept %.1f of %d "
           "core%s busy.\n",
           in_turn->wall / pool->wall, options.workers,
           options.workers == 1 ? "" : "s", pool->cpu / pool->wall, cores,
           cores == 1 ? "" : "s");
    if (cores == 1 && alike(in_turn, pool))
        printf("More threads do not make more cores.\n");
}

static void explain_costs(const struct cost costs[MODELS]) {
    const struct cost *step = &costs[0], *task = &costs[1], *thread = &costs[2];

    if (0 < step->bytes && step->bytes < task->bytes &&
        task->bytes < thread->bytes)
        printf("Memory: a stackful task takes %.0f times as much as a "
               "stackless one, a thread\n"
               "%.1f times as much as a stackful task. A thread has a stack in "
               "the kernel as well,\n"
               "which is not in the figure.\n",
               task->bytes / step->bytes, thread->bytes / task->bytes);
    if (task->switch_ns < thread->switch_ns && task->life_ns < thread->life_ns)
        printf("Time: one switch of threads takes as long as %.0f switches of "
               "stackful tasks,\n"
               "the life of one thread as long as %.0f of their lives.\n",
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

/* Tasks on epoll have a timerfd for each oven, all of them at once. */
static void allow_descriptors(void) {
    rlim_t needed = (rlim_t)options.ovens + DESCRIPTORS;
    struct rlimit limit;

    check(getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
    if (limit.rlim_max < needed)
        errx(EXIT_FAILURE,
             "%d ovens need %ju descriptors, and ulimit -H -n is %ju",
             options.ovens, (uintmax_t)needed, (uintmax_t)limit.rlim_max);
    limit.rlim_cur = limit.rlim_max;
    check(setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
}

int main(int argc, char **argv) {
    static char *const defaults[] = {"3", "2", "1"};
    static const struct setting table[] = {
        {"workers", "N", "how many threads the pool has (default 4)",
         .whole = &options.workers, .min = 1, .max = WORKERS_MAX},
        {0},
    };
    struct usage baking[WAYS], kneading[WAYS];
    struct cost costs[MODELS] = {
        {.model = &stackless_model, .tasks = 100 * 1000, .at_once = 100},
        {.model = &stackful_model, .tasks = 2000, .at_once = 100},
        {.model = &thread_model, .tasks = 500, .at_once = 1},
    };
    int operands = parse_options(argc, argv, table, "[SECONDS...]");

    if (operands < argc)
        read_ovens(argc - operands, argv + operands);
    else
        read_ovens(3, defaults);
    allow_descriptors();
    report_open();
    measure_costs(costs);
    compare_baking(baking);
    compare_kneading(kneading);
    compare_costs(costs);
    explain_baking(baking);
    explain_kneading(kneading);
    explain_costs(costs);
    free(options.pieces);
    return report_close();
}
