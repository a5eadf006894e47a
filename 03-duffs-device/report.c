/* report.c - the log, the timeline and the summary. No chapter teaches this. */
#include "report.h"

#include <err.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 80, LABEL = 8 }; /* of the timeline */

static struct {
    bool quiet;
    int tick; /* the last one that has its heading */
} report;

void report_open(bool quiet) {
    report.quiet = quiet;
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN); /* so that report_close() can say it */
#endif
}

void report_minute(int minute, const char *who, const char *what,
                   const char *format, ...) {
    if (report.quiet)
        return;
    va_list details;
    va_start(details, format);
    printf("minute %02d | %-7s | %-14s | ", minute, who, what);
    vprintf(format, details);
    putchar('\n');
    va_end(details);
}

static int smaller(int a, int b) { return a < b ? a : b; }

/* Cells for the minutes from `first` on, with a bar in those after `idle`. */
static void print_bars(const char *who, int digits, int first, int idle,
                       int to) {
    printf("%-*s", LABEL, who);
    for (int minute = first; minute <= to; minute++)
        printf("%*s%s", digits, "", minute > idle ? "█" : " ");
    putchar('\n');
}

void report_timeline(int baking, int serving) {
    int end = baking + serving;
    int digits = end > 999 ? 4 : end > 99 ? 3 : 2;
    int minutes_per_row = (COLUMNS - LABEL) / (digits + 1);

    if (report.quiet)
        return;
    for (int first = 1; first <= end; first += minutes_per_row) {
        int last = smaller(first + minutes_per_row - 1, end);
        printf("\n%-*s", LABEL, "minute");
        for (int minute = first; minute <= last; minute++)
            printf(" %0*d", digits, minute);
        putchar('\n');
        print_bars("oven", digits, first, 0, smaller(baking, last));
        print_bars("cashier", digits, first, baking, last);
    }
    putchar('\n');
}

void report_turn(int tick, const char *who, const char *what,
                 const char *format, ...) {
    if (report.quiet)
        return;
    if (report.tick != tick)
        printf("tick %02d (bakery minute %02d)\n", tick, tick);
    report.tick = tick;

    va_list details;
    va_start(details, format);
    printf("  %-4s | %-14s | ", who, what);
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
