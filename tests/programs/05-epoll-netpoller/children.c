/*
 * children.c - whatever a child of fork() does, its parent goes on.
 *
 * In each case a task waits for a pipe, another one starts a child, waits for
 * its end, and then writes to the pipe.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io.h"
#include "scheduler.h"
#include "support.h"
#include "timer.h"

static struct {
    void (*child)(void); /* what it does */
    int ends[2], status, done;
    pid_t parent;
    int *strangers; /* turns of the other tasks in a child; shared with it */
} test;

static void wait_for_pipe(void *unused) {
    char byte;

    (void)unused;
    CHECK(io_read(test.ends[0], &byte, 1, NEVER) == 1);
    test.done++;
}

static void start_child(void *unused) {
    (void)unused;
    yield(); /* the others wait by now, or stand behind us */
    pid_t pid = fork();
    CHECK(pid != -1);
    if (pid == 0) {
        test.child();
        return;
    }
    CHECK(waitpid(pid, &test.status, 0) == pid);
    poke(test.ends[1]);
    test.done++;
}

static void run_on(void *unused) {
    (void)unused;
    for (int i = 0; i < 5; i++) {
        if (getpid() != test.parent)
            ++*test.strangers;
        yield();
    }
    test.done++;
}

static void run(void (*child)(void)) {
    test.child = child;
    test.parent = getpid();
    test.strangers = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(test.strangers != MAP_FAILED);
    make_pipe(test.ends);
    start("reader", wait_for_pipe, NULL);
    start("parent", start_child, NULL);
    start("other", run_on, NULL);
    schedule();
    CHECK(test.done == 3);
    CHECK(*test.strangers == 0);
}

/* The child ended with status 1, after one line on stderr. */
static void refused(void) {
    CHECK(WIFEXITED(test.status) && WEXITSTATUS(test.status) == 1);
}

static void sleep_a_little(void) { sleep_until(in_ms(10)); }

static void sleeps(void) {
    run(sleep_a_little);
    refused();
}

static void yields(void) {
    run(yield);
    refused();
}

static void do_nothing(void) {}

static void returns(void) {
    run(do_nothing);
    refused();
}

static void close_and_exit(void) {
    CHECK(io_close(test.ends[0]) == 0);
    _exit(0);
}

static void closes(void) {
    run(close_and_exit);
    CHECK(test.status == 0);
}

static void execute(void) { execlp("true", "true", (char *)NULL); }

static void executes(void) {
    run(execute);
    CHECK(test.status == 0);
}

/* Before the first wait a child is on its own, and may do everything. */
static void comes_first(void) {
    make_pipe(test.ends);
    start("reader", wait_for_pipe, NULL);
    pid_t pid = fork();
    CHECK(pid != -1);
    poke(test.ends[1]);
    schedule();
    CHECK(test.done == 1);
    if (pid != 0)
        CHECK(waitpid(pid, &test.status, 0) == pid && test.status == 0);
}

int main(int argc, char **argv) {
    static const struct test_case cases[] = {
        {"sleeps", sleeps},
        {"yields", yields},
        {"returns", returns},
        {"closes", closes},
        {"executes", executes},
        {"comes-first", comes_first},
        {0},
    };
    return run_case(cases, argc, argv);
}
