/*
 * old-kernel.h - makes this kernel one that has no MADV_GUARD_INSTALL, as
 * before Linux 6.13, or a filter of system calls that refuses all advice.
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

/*
 * Not 0: what madvise() fails with from now on. EINVAL is an old kernel, which
 * refuses the advice that it does not know; all else refuses any advice.
 */
static int old_kernel;

/* Linked in the place of libc's. */
int madvise(void *address, size_t length, int advice) {
    if (old_kernel != 0 &&
        (old_kernel != EINVAL || advice == MADV_GUARD_INSTALL)) {
        errno = old_kernel;
        return -1;
    }
    return (int)syscall(SYS_madvise, address, length, advice);
}

#endif
