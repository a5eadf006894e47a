/*
 * solution.c - names are looked up by workers, and the loop ticks on.
 *
 * getaddrinfo(3) sends, waits and times out on sockets that it does not show,
 * so no netpoller can wait in its place. A worker calls it. Question and answer
 * are in a struct in the frame of the task that waits: it stays there until the
 * worker is done with it, and no lock is needed as only one of them runs on it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "options.h"
#include "pool.h"
#include "report.h"
#include "scheduler.h"
#include "timer.h"

enum { NAMES_MAX = 100, WORKERS = 4, TICK = SECOND / 100 };

static struct {
    int milliseconds; /* to the name server, and back */
    int pending;      /* names that have no answer yet */
    int failed;
} day = {.milliseconds = 300};

/* A library as we find it: it blocks, and returns 0 or an EAI_ code. */
static int resolve(const char *name, struct in_addr *address) {
    struct timespec far = {.tv_sec = day.milliseconds / 1000,
                           .tv_nsec = day.milliseconds % 1000 * 1000000L};
    struct addrinfo hints = {.ai_family = AF_INET}, *found;

    nanosleep(&far, NULL);
    int error = getaddrinfo(name, NULL, &hints, &found);
    if (error != 0)
        return error;
    *address = ((struct sockaddr_in *)(void *)found->ai_addr)->sin_addr;
    freeaddrinfo(found);
    return 0;
}

struct lookup {
    const char *name;
    struct in_addr address;
    int result; /* of resolve() */
    int error;  /* errno is one per thread: the worker's is carried over */
};

/* Runs on a worker. */
static void resolve_there(void *arg) {
    struct lookup *lookup = arg;

    lookup->result = resolve(lookup->name, &lookup->address);
    lookup->error = errno;
}

/* resolve(), for tasks. */
static int look_up(const char *name, struct in_addr *address) {
    struct lookup lookup = {.name = name};

    if (offload(resolve_there, &lookup) == -1)
        return EAI_SYSTEM; /* errno says which */
    if (lookup.result == 0)
        *address = lookup.address;
    errno = lookup.error;
    return lookup.result;
}

static void ask(void *arg) {
    const char *name = arg;
    char text[INET_ADDRSTRLEN];
    struct in_addr address;

    printf("%s | asks\n", name);
    int error = look_up(name, &address);
    day.pending--;
    if (error == 0) {
        printf("%s | %s\n", name,
               inet_ntop(AF_INET, &address, text, sizeof text));
        return;
    }
    printf("%s | not found: %s\n", name,
           error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
    day.failed++;
}

static void tick_on(void *unused) {
    (void)unused;
    while (day.pending > 0) {
        printf("tick\n");
        if (sleep_until(now() + TICK) == -1)
            err(EXIT_FAILURE, "sleep_until");
    }
}

int main(int argc, char **argv) {
    static const struct setting table[] = {
        {"milliseconds", "N", "to the name server, and back (default 300)",
         .whole = &day.milliseconds, .min = 0, .max = 10000},
        {0},
    };
    int operands = parse_options(argc, argv, table, "NAME...");

    if (operands == argc || argc - operands > NAMES_MAX)
        errx(2, "NAME...: from 1 to %d names", NAMES_MAX);
    day.pending = argc - operands;
    report_open();
    if (pool_start(WORKERS) == -1)
        err(EXIT_FAILURE, "pool_start");
    if (go("ticks", tick_on, NULL) == -1)
        err(EXIT_FAILURE, "go");
    for (int i = operands; i < argc; i++)
        if (go(argv[i], ask, argv[i]) == -1)
            err(EXIT_FAILURE, "go");
    schedule();
    pool_stop();
    int status = report_close();
    return day.failed > 0 ? EXIT_FAILURE : status;
}
