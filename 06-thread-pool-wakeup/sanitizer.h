/*
 * sanitizer.h - AddressSanitizer and ThreadSanitizer are told of each switch.
 *
 * Both keep records of the running stack, and these are wrong as soon as the
 * stack changes without a word. So fiber_leave() stands right before a jump
 * and fiber_arrive() right after the arrival, inlined, since a call that
 * begins on one stack may not end on another. In an ordinary build all three
 * functions are empty.
 *
 * Source: sanitizer/common_interface_defs.h, sanitizer/tsan_interface.h.
 */
#ifndef SANITIZER_H
#define SANITIZER_H

#include <stddef.h>

struct fiber {
    const void *stack;  /* its lowest address */
    size_t size;        /* in bytes */
    void *records;      /* what the sanitizer keeps while the stack is left */
    struct fiber *left; /* the fiber that was left for this one */
};

#ifdef __has_feature /* clang */
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#if __has_feature(safe_stack)
#error "-fsanitize=safe-stack: all tasks would share one unsafe stack"
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#define INLINE __attribute__((always_inline)) static inline

INLINE void fiber_create(struct fiber *fiber, const void *stack, size_t size) {
    *fiber = (struct fiber){.stack = stack, .size = size};
#if defined(__SANITIZE_ADDRESS__)
    /*
     * What only a parked task points to, from its frames or from its record
     * above them in the same page, is no leak.
     */
    __lsan_register_root_region(stack, (size + 4095) & ~(size_t)4095);
#endif
}

INLINE void fiber_leave(struct fiber *from, struct fiber *to) {
#if defined(__SANITIZE_ADDRESS__)
    to->left = from;
    __sanitizer_start_switch_fiber(&from->records, to->stack, to->size);
#elif defined(__SANITIZE_THREAD__)
    from->records = __tsan_get_current_fiber();
    if (to->records == NULL)
        to->records = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(to->records, 0);
#else
    (void)from, (void)to;
#endif
}

INLINE void fiber_arrive(struct fiber *fiber) {
#if defined(__SANITIZE_ADDRESS__)
    struct fiber *left = fiber->left;
    int first = left->stack == NULL; /* the place of main()'s is told here */
    __sanitizer_finish_switch_fiber(fiber->records, &left->stack, &left->size);
    if (first)
        __lsan_register_root_region(left->stack, left->size);
#else
    (void)fiber;
#endif
}

#undef INLINE

#endif
