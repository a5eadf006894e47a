/*
 * stack.h - stacks for tasks, each above a guard.
 *
 *     higher addresses  +------------------+
 *                       |  the task's own  |  the owner may keep a record here
 *                       |  record          |
 *                       +------------------+
 *                       |  frames, growing |  STACK_SIZE
 *                       |        |         |
 *                       |        v         |
 *     stack_new()  -->  +------------------+
 *                       |  guard: any      |  GUARD_SIZE
 *                       |  access faults   |
 *     lower addresses   +------------------+
 *
 * Pages may be of 4 or 16 KiB. They are not executable, so a nested function of
 * GNU C whose address is taken cannot run on them. The size is fixed. Go may
 * move a stack to a larger place because its compiler can find every pointer
 * into it; a C compiler cannot.
 */
#ifndef STACK_H
#define STACK_H

#include <stdbool.h>

#ifdef __aarch64__ /* where compilers rely on a guard of 64 KiB */
enum { GUARD_SIZE = 64 * 1024 };
#else
enum { GUARD_SIZE = 16 * 1024 };
#endif

enum { STACK_SIZE = 64 * 1024 };

/*
 * Returns a new stack, or NULL with errno ENOMEM; or with EAGAIN where each
 * guard costs the kernel a mapping of its own (before Linux 6.13) and it has no
 * more of them: vm.max_map_count, 65530 by default, allows some 32,000 stacks.
 * Memory is taken page by page as the stack grows. There is no stack_free():
 * the owner of a stack that is not needed any more keeps it for the next task.
 */
void *stack_new(void);

/* Whether `address` lies in the guard of the stack that ends at `top`. */
bool stack_guards(const void *top, const void *address);

#endif
