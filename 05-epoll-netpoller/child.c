/* child.c - libc tells us of each fork(2), by pthread_atfork(3). */
#define _GNU_SOURCE
#include "child.h"

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    int closes; /* the descriptor */
    bool here;  /* this is a child */
} child;

static void begin(void) {
    close(child.closes);
    child.here = true;
}

int child_closes(int fd) {
    int error = fd == -1 ? errno : pthread_atfork(NULL, NULL, begin);

    if (error == 0) {
        child.closes = fd;
        return fd;
    }
    if (fd != -1)
        close(fd);
    errno = error;
    return -1;
}

bool child_of_fork(void) { return child.here; }

void child_refuse(const char *call) {
    if (child.here)
        errx(EXIT_FAILURE, "%s in a child of fork()", call);
}
