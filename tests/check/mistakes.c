/*
 * mistakes.c - in chapters 1 to 3, for valgrind, the sanitizers and hardened
 * builds to find.
 *
 *   ./mistakes uninitialised   reports minutes that nobody counted
 *   ./mistakes freed           reports minutes that were given back
 *   ./mistakes overflow        adds one to INT_MAX
 *   ./mistakes strcpy          copies a name to where it has no room
 *   ./mistakes loop            does so byte by byte
 */
#include <limits.h>
#include <string.h>

#include "check.h"
#include "report.h"

static void copy(const char *how) {
    static const char *volatile long_name = "farmhouse loaf with walnuts";
    const char *from = long_name;
    char name[4];
    volatile char *to = name;

    if (strcmp(how, "strcpy") == 0)
        strcpy(name, from);
    if (strcmp(how, "loop") == 0)
        while ((*to++ = *from++) != '\0')
            continue;
}

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
    copy(argv[1]);
    report_summary("%d minutes", *minutes);
    return report_close();
}
