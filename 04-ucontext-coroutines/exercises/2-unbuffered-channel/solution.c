/*
 * solution.c - a channel without a buffer: a send and a receive meet.
 *
 * Whoever comes first parks in the channel, with all that the meeting needs in
 * its own frame. Whoever comes second finds it there, hands the batch over from
 * frame to frame and readies it. So one of the two queues is always empty, and
 * first in, first out holds on either side. Go's channels work like this.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scheduler.h"

/* A task that came first. Lives in the frame of its send or receive. */
struct waiter {
    struct task *task;
    const char *batch; /* that it brings, or has been given */
    bool met;
    struct waiter *next;
};

struct queue {
    struct waiter *first, *last;
};

struct channel {
    struct queue senders, receivers;
};

static void wait_in(struct queue *queue, struct waiter *waiter) {
    if (queue->first == NULL)
        queue->first = waiter;
    else
        queue->last->next = waiter;
    queue->last = waiter;
    while (!waiter->met) /* others may call ready() for reasons of their own */
        park();
}

/* Whoever has waited longest, and waits no more; NULL if nobody is there. */
static struct waiter *meet(struct queue *queue) {
    struct waiter *waiter = queue->first;

    if (waiter == NULL)
        return NULL;
    queue->first = waiter->next;
    waiter->met = true;
    ready(waiter->task);
    return waiter;
}

/* Returns when somebody has received the batch. */
static void channel_send(struct channel *channel, const char *batch) {
    struct waiter sender = {.task = self(), .batch = batch};
    struct waiter *receiver = meet(&channel->receivers);

    if (receiver != NULL)
        receiver->batch = batch;
    else
        wait_in(&channel->senders, &sender);
}

/* Waits until somebody sends a batch, and returns it. */
static const char *channel_receive(struct channel *channel) {
    struct waiter receiver = {.task = self()};
    struct waiter *sender = meet(&channel->senders);

    if (sender != NULL)
        return sender->batch;
    wait_in(&channel->receivers, &receiver);
    return receiver.batch;
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
