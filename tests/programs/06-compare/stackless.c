/* stackless.c - the loop of demos/stackless.c steps who is ready, and no more.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "demos/stackless.h"

static char trace[64];

struct reader {
    struct stackless task;
    struct coroutine co;
    const char *name;
    int pipe[2], steps;
};

static enum step read_step(void *state) {
    struct reader *reader = state;

    reader->steps++;
    CO_BEGIN(&reader->co);
    CHECK(stackless_wait(&reader->task, reader->pipe[0]) == 0);
    CO_AWAIT(&reader->co, reader->task.ready);
    strcat(trace, reader->name);
    close(reader->pipe[0]);
    close(reader->pipe[1]);
    CO_END(&reader->co);
}

struct writer {
    struct stackless task;
    struct coroutine co;
    struct reader *readers;
    int turns;
};

/* Yields often, so that a reader that is stepped in vain would show. */
static enum step write_step(void *state) {
    struct writer *writer = state;

    CO_BEGIN(&writer->co);
    for (; writer->turns > 0; writer->turns--) {
        if (writer->turns == 50)
            CHECK(write(writer->readers[1].pipe[1], "", 1) == 1);
        if (writer->turns == 25)
            CHECK(write(writer->readers[0].pipe[1], "", 1) == 1);
        CO_YIELD(&writer->co);
    }
    strcat(trace, "w");
    CHECK(write(writer->readers[2].pipe[1], "", 1) == 1);
    CO_END(&writer->co);
}

/* A task that nobody will wake. */
static enum step sleep_step(void *state) {
    struct reader *sleeper = state;

    CO_BEGIN(&sleeper->co);
    sleeper->task.ready = false;
    CO_AWAIT(&sleeper->co, sleeper->task.ready);
    CO_END(&sleeper->co);
}

int main(void) {
    struct reader readers[3] = {{.name = "0"}, {.name = "1"}, {.name = "2"}};
    struct writer writer = {.readers = readers, .turns = 100};
    struct stackless regular;
    struct reader sleeper = {0};

    CHECK(stackless_run() == 0); /* of no tasks at all */
    for (int i = 0; i < 3; i++) {
        CHECK(pipe(readers[i].pipe) == 0);
        stackless_go(&readers[i].task, read_step, &readers[i]);
    }
    stackless_go(&writer.task, write_step, &writer);
    CHECK(stackless_run() == 0);
    CHECK(strcmp(trace, "10w2") == 0);
    for (int i = 0; i < 3; i++)
        CHECK(readers[i].steps == 2);

    regular.ready = true;
    CHECK(stackless_wait(&regular, -1) == -1);
    CHECK(regular.ready);

    stackless_go(&sleeper.task, sleep_step, &sleeper);
    CHECK(stackless_run() == -1 && errno == EDEADLK);
    return 0;
}
