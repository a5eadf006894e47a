/*
 * context.c - the switch, for x86-64 and aarch64, and for all others.
 *
 * A function must preserve a few registers for its caller. jump(from, to)
 * pushes these, exchanges the stack pointers, pops the same registers from the
 * other stack, and returns: to the caller that pushed them there. What all
 * other registers hold is not needed any more, as for any function call.
 *
 * On a new stack nobody has called jump(). So context_create() lays out by hand
 * what jump() would have pushed, with trampoline() as the place to return to.
 * The arguments of jump() are then in the registers in which trampoline()
 * expects its own, so it learns who it is without a static variable.
 */
#define _GNU_SOURCE
#include "context.h"

#include <stdint.h>
#include <string.h>

/* The first function on a new stack: `self` was the `to` of the first jump().
 */
_Noreturn static void trampoline(struct context *from, struct context *self) {
    (void)from;
    fiber_arrive(&self->fiber);
    for (;;)
        self->entry(self->arg);
}

#if defined(__x86_64__)

/* System V ABI for x86-64, 3.2.1 to 3.2.3: `from` is in rdi and `to` in rsi. */
__asm__(".text; .globl context_jump; .hidden context_jump\n"
        "context_jump:\n"              /* the call has pushed the way back */
        "    pushq %rbp; pushq %rbx\n" /* the six registers that a function */
        "    pushq %r12; pushq %r13\n" /* must leave as it found them */
        "    pushq %r14; pushq %r15\n"
        "    movq %rsp, (%rdi)\n"    /* from->sp: the old stack is complete */
        "    movq (%rsi), %rsp\n"    /* to->sp: from here on the other stack */
        "    popq %r15; popq %r14\n" /* the six that were pushed there, */
        "    popq %r13; popq %r12\n" /* the last one first */
        "    popq %rbx; popq %rbp\n"
        "    ret\n"); /* by the way back that a call has pushed there */

/* On a new stack: six registers, where to return to, and a 0 that ends `bt`. */
enum { FRAME_WORDS = 8, RETURN_TO = 6 };

#elif defined(__aarch64__)

/* Procedure Call Standard for aarch64, 6.1: `from` is in x0 and `to` in x1. */
__asm__(".text; .globl context_jump; .hidden context_jump\n"
        "context_jump:\n" /* a function preserves x19 to x29 and d8 to d15 */
        "    stp x29, x30, [sp, -160]!;  stp x19, x20, [sp, 16]\n"
        "    stp x21, x22, [sp, 32];     stp x23, x24, [sp, 48]\n"
        "    stp x25, x26, [sp, 64];     stp x27, x28, [sp, 80]\n"
        "    stp d8, d9, [sp, 96];       stp d10, d11, [sp, 112]\n"
        "    stp d12, d13, [sp, 128];    stp d14, d15, [sp, 144]\n"
        "    mov x9, sp;                 str x9, [x0]\n" /* to from->sp */
        "    ldr x9, [x1];               mov sp, x9\n"   /* from to->sp */
        "    ldp d12, d13, [sp, 128];    ldp d14, d15, [sp, 144]\n"
        "    ldp d8, d9, [sp, 96];       ldp d10, d11, [sp, 112]\n"
        "    ldp x25, x26, [sp, 64];     ldp x27, x28, [sp, 80]\n"
        "    ldp x21, x22, [sp, 32];     ldp x23, x24, [sp, 48]\n"
        "    ldp x19, x20, [sp, 16];     ldp x29, x9, [sp], 160\n"
        "    mov x30, xzr\n" /* what begins here has no caller: it ends `bt` */
        "    ret x9\n");     /* to where that stack was left */

/* On a new stack: x29, where to return to, and 18 more registers. */
enum { FRAME_WORDS = 20, RETURN_TO = 1 };

#endif
#if defined(__x86_64__) || defined(__aarch64__)

/* The assembler above. Its own name is one that no other file has. */
void jump(struct context *from, struct context *to) __asm__("context_jump");

_Static_assert(offsetof(struct context, sp) == 0, "jump() looks for it there");

static void prepare(struct context *context, void *stack, size_t size) {
    uintptr_t top = ((uintptr_t)stack + size) & ~(uintptr_t)15;
    uintptr_t *frame = (uintptr_t *)top - FRAME_WORDS;

    memset(frame, 0, FRAME_WORDS * sizeof *frame);
    frame[RETURN_TO] = (uintptr_t)trampoline;
    context->sp = frame;
}

#else

static void jump(struct context *from, struct context *to) {
    swapcontext(&from->registers, &to->registers);
}

/* makecontext(3) passes arguments as wide as int: an address takes two. */
static void start(unsigned high, unsigned low) {
    uint64_t address = (uint64_t)high << 32 | low;

    trampoline(NULL, (struct context *)(uintptr_t)address);
}

static void prepare(struct context *context, void *stack, size_t size) {
    uint64_t address = (uintptr_t)context;

    getcontext(&context->registers); /* cannot fail */
    context->registers.uc_stack = (stack_t){.ss_sp = stack, .ss_size = size};
    makecontext(&context->registers, (void (*)(void))start, 2,
                (unsigned)(address >> 32), (unsigned)address);
}

#endif

void context_create(struct context *context, void *stack, size_t size,
                    void (*entry)(void *arg), void *arg) {
    context->entry = entry;
    context->arg = arg;
    fiber_create(&context->fiber, stack, size);
    prepare(context, stack, size);
}

void context_switch(struct context *from, struct context *to) {
    fiber_leave(&from->fiber, &to->fiber);
    jump(from, to);
    fiber_arrive(&from->fiber);
}
