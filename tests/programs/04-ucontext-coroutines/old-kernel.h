/*
 * old-kernel.h - makes this kernel one that has no MADV_GUARD_INSTALL, as
 * before Linux 6.13. It refuses an advice that it does not know with EINVAL.
 */
#ifndef OLD_KERNEL_H
#define OLD_KERNEL_H

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

static int old_kernel; /* 1: from now on */

/* Linked in the place of libc's. */
int madvise(void *address, size_t length, int advice) {
    if (old_kernel && advice == MADV_GUARD_INSTALL) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_madvise, address, length, advice);
}

#endif
