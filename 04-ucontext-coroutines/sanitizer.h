/*
 * sanitizer.h - AddressSanitizer and ThreadSanitizer are told of each switch.
 *
 * They keep books on the running stack, and lose count when it changes under
 * them. FIBER_LEAVE() stands right before a jump and FIBER_ARRIVE() right after
 * the arrival. In an ordinary build both are nothing.
 *
 * Source: sanitizer/common_interface_defs.h, sanitizer/tsan_interface.h.
 */
#ifndef SANITIZER_H
#define SANITIZER_H

#include <stddef.h>

struct fiber {
    const void *stack; /* its lowest address and its size in bytes */
    size_t size;
    void *books;        /* what the sanitizer keeps for it while it is left */
    struct fiber *left; /* whose stack was left for this one */
};

#ifdef __has_feature /* clang */
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)

#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>

/*
 * What only a task that sleeps still points to, from its frames or from its
 * record above them in the same page, is no leak.
 */
#define FIBER_CREATE(fiber)                     \
    __lsan_register_root_region((fiber)->stack, \
                                ((fiber)->size + 4095) & ~(size_t)4095)
/* Where the first stack lies is found out by leaving it. */
#define FIBER_LEAVE(from, to) \
    ((to)->left = (from),     \
     __sanitizer_start_switch_fiber(&(from)->books, (to)->stack, (to)->size))
#define FIBER_ARRIVE(fiber)                                                \
    __sanitizer_finish_switch_fiber((fiber)->books, &(fiber)->left->stack, \
                                    &(fiber)->left->size)

#elif defined(__SANITIZE_THREAD__)

#include <sanitizer/tsan_interface.h>

#define FIBER_CREATE(fiber) ((void)(fiber))
#define FIBER_LEAVE(from, to)                                          \
    ((from)->books = __tsan_get_current_fiber(),                       \
     (to)->books = (to)->books ? (to)->books : __tsan_create_fiber(0), \
     __tsan_switch_to_fiber((to)->books, 0))
#define FIBER_ARRIVE(fiber) ((void)(fiber))

#else

#define FIBER_CREATE(fiber)   ((void)(fiber))
#define FIBER_LEAVE(from, to) ((void)(from), (void)(to))
#define FIBER_ARRIVE(fiber)   ((void)(fiber))

#endif
#endif
