/* report.h - what the bakery prints in chapters 1 to 4, all of it on stdout. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

/* Comes first. When quiet, report_summary() alone prints anything. */
void report_open(bool quiet);

/* Chapter 1: "minute 01 | oven    | batch baking   | ..." */
void report_minute(int minute, const char *who, const char *what,
                   const char *format, ...);

/* Chapter 1: the minutes as a picture, first the baking, then the serving. */
void report_timeline(int baking, int serving);

/*
 * Chapters 2 to 4: "  oven | batch baking   | ..." The first turn in a tick is
 * headed "tick 01 (bakery minute 01)".
 */
void report_turn(int tick, const char *who, const char *what,
                 const char *format, ...);

/* "summary | ..." */
void report_summary(const char *format, ...);

/*
 * Comes last. The status for main() to return: 0, or 1 when stdout could not
 * be written (one line on stderr says why).
 */
int report_close(void);

#endif
