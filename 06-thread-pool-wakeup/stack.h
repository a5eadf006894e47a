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
 * Pages may be of 4 or 16 KiB. The size is fixed. Go may move a stack to a
 * larger place because its compiler can find every pointer into it; a C
 * compiler cannot.
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
 * A fresh stack, or NULL with errno ENOMEM, or EAGAIN where each guard costs
 * the kernel a mapping of its own (before Linux 6.13) and it has no more of
 * them: vm.max_map_count, 65530 by default, allows some 32,000 stacks. Memory
 * is taken page by page as the stack grows. There is no stack_free(): whoever
 * is done with one keeps it for the next task.
 */
void *stack_new(void);

/* Whether `address` lies in the guard of the stack that ends at `top`. */
bool stack_guards(const void *top, const void *address);

/*
 * From now on an overflow ends the program: "bakery: stack overflow in task
 * 'oven' (64 KiB)" on stderr, and status 1. When the thread that calls this
 * touches an address that it may not, owner(address) names the task in whose
 * guard that is. If it returns NULL, the fault takes its usual course, as if
 * this had not been called; if another handler then mends it, nobody watches
 * from then on. Returns 0, or -1 and errno. A second call changes nothing.
 */
int stack_watch(const char *(*owner)(const void *address));

#endif
