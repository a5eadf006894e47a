/* one-buffer.c - with -Wl,--wrap=malloc: of big blocks there is one alone. */
#include <errno.h>
#include <stddef.h>

enum { BIG = 16384 };

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size) {
    static int given;

    if (size >= BIG && given++ > 0) {
        errno = ENOMEM;
        return NULL;
    }
    return __real_malloc(size);
}
