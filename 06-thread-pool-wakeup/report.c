/* report.c - the log and the summary. No chapter teaches this. */
#include "report.h"

#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "timer.h"

static int64_t opened;

void report_open(void) {
    int fd;

    do
        fd = open("/dev/null", O_RDONLY); /* the lowest number that is free */
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0); /* lines come out as they happen */
    opened = now();
}

double report_elapsed(void) {
    return (double)(now() - opened) / (double)SECOND;
}

void report(const char *who, const char *what, const char *format, ...) {
    va_list details;

    va_start(details, format);
    printf("+%.3f s | %-6s | %-10s | ", report_elapsed(), who, what);
    vprintf(format, details);
    putchar('\n');
    va_end(details);
}

void report_summary(const char *format, ...) {
    va_list details;

    va_start(details, format);
    printf("summary | ");
    vprintf(format, details);
    putchar('\n');
    va_end(details);
}

int report_close(void) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_SUCCESS;
    /* errno may be from another call by now. What comes of one more line? */
    clearerr(stdout);
    putchar('\n');
    if (fflush(stdout) == 0 && !ferror(stdout))
        warnx("cannot write to standard output: a part of it is lost");
    else
        warn("cannot write to standard output");
    return EXIT_FAILURE;
}
