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
    if (fflush(stdout) != 0)
        warn("cannot write to standard output");
    else if (ferror(stdout)) /* earlier, and errno has changed since */
        warnx("cannot write to standard output: a part of it is lost");
    else
        return EXIT_SUCCESS;
    return EXIT_FAILURE;
}
