/* no-timer.c - with -Wl,--wrap=sleep_until: no memory for another deadline. */
#include <errno.h>

#include "timer.h"

int __wrap_sleep_until(int64_t deadline);

int __wrap_sleep_until(int64_t deadline) {
    (void)deadline;
    errno = ENOMEM;
    return -1;
}
