/* guards.c - status 0 where the kernel has MADV_GUARD_INSTALL (Linux 6.13). */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

int main(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *area = mmap(NULL, page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return area == MAP_FAILED || madvise(area, page, MADV_GUARD_INSTALL) == -1;
}
