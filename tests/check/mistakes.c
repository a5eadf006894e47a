/*
 * mistakes.c - in chapters 1 to 3, for valgrind and the sanitizers to find.
 *
 *   ./mistakes uninitialised   reports minutes that nobody counted
 *   ./mistakes freed           reports minutes that were given back
 *   ./mistakes overflow        adds one to INT_MAX
 */
#include <limits.h>
#include <string.h>

#include "check.h"
#include "report.h"

int main(int argc, char **argv) {
    int *volatile minutes = malloc(sizeof *minutes);
    volatile int most = INT_MAX;

    CHECK(argc == 2 && minutes != NULL);
    report_open(false);
    if (strcmp(argv[1], "uninitialised") != 0)
        *minutes = argc;
    if (strcmp(argv[1], "freed") == 0)
        free(minutes);
    if (strcmp(argv[1], "overflow") == 0)
        most += argc;
    report_summary("%d minutes", *minutes);
    return report_close();
}
