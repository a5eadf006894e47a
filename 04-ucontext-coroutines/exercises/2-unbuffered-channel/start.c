/*
 * start.c - a channel that is only a box: nobody waits at it.
 *
 * A batch that nobody fetched is overwritten, one that was fetched stays, and
 * who comes too early gets nothing.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scheduler.h"

struct channel {
    const char *batch;
};

/* Should return when somebody has received the batch. */
static void channel_send(struct channel *channel, const char *batch) {
    channel->batch = batch;
}

/* Should wait until somebody sends a batch, and return it. */
static const char *channel_receive(struct channel *channel) {
    return channel->batch != NULL ? channel->batch : "nothing";
}

static struct channel counter; /* all zero: nobody waits there */

struct person {
    const char *name;
    char *batches; /* to send, "bread,rolls" */
    int wanted;    /* to receive, if there are none to send */
};

static void send_batches(void *arg) {
    struct person *oven = arg;
    char *rest, *batch = strtok_r(oven->batches, ",", &rest);

    for (; batch != NULL; batch = strtok_r(NULL, ",", &rest)) {
        printf("%s | offers %s\n", oven->name, batch);
        channel_send(&counter, batch);
        printf("%s | is rid of %s\n", oven->name, batch);
    }
}

static void receive_batches(void *arg) {
    struct person *cashier = arg;

    for (int i = 0; i < cashier->wanted; i++) {
        printf("%s | asks\n", cashier->name);
        const char *batch = channel_receive(&counter);
        printf("%s | got %s\n", cashier->name, batch);
    }
}

/* "oven:bread,rolls" sends two batches, "cashier:2" receives two. */
static void start_person(struct person *person, char *text) {
    char *colon = strchr(text, ':');

    if (colon == NULL)
        errx(2, "'%s': a name, a colon, and batches or a number", text);
    *colon = '\0';
    person->name = text;
    person->batches = colon + 1;
    bool receives = isdigit((unsigned char)*person->batches);
    if (receives)
        person->wanted = atoi(person->batches);
    if (go(person->name, receives ? receive_batches : send_batches, person) ==
        -1)
        err(EXIT_FAILURE, "go");
}

int main(int argc, char **argv) {
    struct person *people = calloc((size_t)argc, sizeof *people);

    if (people == NULL)
        err(EXIT_FAILURE, "calloc");
    for (int i = 1; i < argc; i++)
        start_person(&people[i], argv[i]);
    schedule();
    free(people);
    return EXIT_SUCCESS;
}
