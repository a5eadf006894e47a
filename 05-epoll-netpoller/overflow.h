/*
 * overflow.h - a stack overflow ends the program with a line that says whose.
 */
#ifndef OVERFLOW_H
#define OVERFLOW_H

/*
 * From now on, when the calling thread touches an address that it may not and
 * owner(address) returns the name of a task, the program ends: "bakery: stack
 * overflow in task 'oven' (64 KiB)" on stderr, and status 1. If owner() returns
 * NULL, the fault takes its usual course, as if this had not been called. Only
 * the first call of each thread changes anything.
 *
 * The handler runs on an alternate signal stack (sigaltstack(2)): the one that
 * the thread has already, which must have 4 KiB to spare, or else one of ours.
 * A handler for SIGSEGV that the program installs later comes first, and may
 * call ours. Where SIGSEGV is blocked there is no line: the kernel ends the
 * program.
 */
void overflow_watch(const char *(*owner)(const void *address));

#endif
