/* report.h - what the programs of chapters 5 and 6 print on stdout. */
#ifndef REPORT_H
#define REPORT_H

/*
 * Comes first: the clock starts. SIGPIPE is ignored from here on, and stdin,
 * stdout and stderr are open, if only to fail: no other descriptor takes their
 * numbers.
 */
void report_open(void);

/* "+1.001 s | oven 3 | cookies    | ..." */
void report(const char *who, const char *what, const char *format, ...);

/* Seconds since report_open(). */
double report_elapsed(void);

/* "summary | ..." */
void report_summary(const char *format, ...);

/*
 * Comes last. The status for main() to return: 0, or 1 when stdout could not
 * be written (one line on stderr says why).
 */
int report_close(void);

#endif
