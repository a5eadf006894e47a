#!/usr/bin/env bats
# Part of make check: the sanitizers find nothing, and what is planted.

load helper

export ASAN_OPTIONS=detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=atexit_sleep_ms=0

planted=tests/programs/04-ucontext-coroutines/planted.c

# Skipped unless compiler $1 can build and run with the flags that follow.
can() {
    needs "$1"
    if ! "$@" -x c - -o "$scratch/probe" <<<"int main(void) { return 0; }" ||
        ! "$scratch/probe"; then
        skip "$* does not work here"
    fi
}

# The command that follows must succeed, without a word on stderr.
is_clean() {
    within 240 "$@" 2>"$scratch/said" || fail "$*: $(cat "$scratch/said")"
    [[ ! -s $scratch/said ]] || fail "$*: $(cat "$scratch/said")"
}

# Chapter $1 at work, built by the compiler and the flags that follow: the bakery,
# then tasks, descriptors, timers and jobs at random.
work_hard() {
    local folder=$1
    shift
    compile "$folder/bakery.c" "$folder" "$scratch/bakery" "$@"
    same_bread "$folder" "$scratch/bakery"
    [[ $folder == 0[456]* ]] || return 0
    compile tests/check/tasks.c "$folder" "$scratch/tasks" "$@"
    is_clean "$scratch/tasks" "$SEED" 1
    [[ $folder == 0[56]* ]] || return 0
    compile tests/check/events.c "$folder" "$scratch/events" "$@"
    is_clean "$scratch/events" "$SEED" 1
    [[ $folder == 06* ]] || return 0
    compile tests/check/pools.c "$folder" "$scratch/pools" "$@"
    is_clean "$scratch/pools" "$SEED" 100
}

address_and_undefined() {
    local folder=$1 flags=(-g -O1 "-fsanitize=address,undefined" -fno-sanitize-recover=undefined)
    shift
    echo "$folder: $1 ${flags[*]}"
    can "$1" "${flags[@]}"
    work_hard "$folder" "$1" "${flags[@]}"
    if [[ $folder == 0[123]* ]]; then
        compile tests/check/mistakes.c "$folder" "$scratch/mistakes" "$1" "${flags[@]}" -w
        finds heap-use-after-free "$scratch/mistakes" freed
        finds "signed integer overflow" "$scratch/mistakes" overflow
    else
        compile tests/check/held.c "$folder" "$scratch/held" "$1" "${flags[@]}"
        is_clean "$scratch/held"
        compile "$planted" "$folder" "$scratch/planted" "$1" "${flags[@]}"
        finds stack-use-after-return "$scratch/planted" return
        finds stack-buffer-overflow "$scratch/planted" bounds
        finds heap-use-after-free "$scratch/planted" heap
        finds "signed integer overflow" "$scratch/planted" undefined
    fi
}

threads() {
    local folder=$1 flags=(-g -O1 -fsanitize=thread)
    shift
    echo "$folder: $1 ${flags[*]}"
    can "$1" "${flags[@]}"
    work_hard "$folder" "$1" "${flags[@]}"
    compile "$planted" "$folder" "$scratch/planted" "$1" "${flags[@]}"
    finds "data race" "$scratch/planted" race
    [[ $folder == 06* ]] || return 0
    compile tests/check/race.c "$folder" "$scratch/race" "$1" "${flags[@]}"
    finds "data race" "$scratch/race"
}

under_valgrind() {
    local folder=$1
    echo "$folder"
    needs valgrind
    local valgrind=(valgrind -q --error-exitcode=99 --leak-check=full)
    compile "$folder/bakery.c" "$folder" "$scratch/bakery" gcc -g -O1
    is_clean "${valgrind[@]}" "$scratch/bakery" --bake 12 --customers 7
    compile tests/check/mistakes.c "$folder" "$scratch/mistakes" gcc -g -O1 -w
    finds uninitialised "${valgrind[@]}" "$scratch/mistakes" uninitialised
}

@test "Address- and UndefinedBehaviorSanitizer find what is planted, and nothing else (gcc)" {
    takes_long
    for folder in 0[1-6]-*; do address_and_undefined "$folder" gcc; done
}

@test "Address- and UndefinedBehaviorSanitizer find what is planted, and nothing else (clang)" {
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 06* ]] || continue
        address_and_undefined "$folder" clang
    done
}

@test "ThreadSanitizer finds planted races, and nothing else (gcc)" {
    takes_long
    for folder in 0[456]-*; do threads "$folder" gcc; done
}

@test "ThreadSanitizer finds planted races, and nothing else (clang)" {
    for folder in 0[456]-*; do
        [[ -n $LONG || $folder == 06* ]] || continue
        threads "$folder" clang
    done
}

@test "valgrind finds a planted read of what was never written, and nothing else" {
    for folder in 0[123]-*; do
        [[ -n $LONG || $folder == 03* ]] || continue
        under_valgrind "$folder"
    done
}

# The tests of the chapters $1 pass, built with the other flags.
pass_under() {
    local numbers=$1 number
    shift
    takes_long
    can "$@"
    for number in $numbers; do
        passes "$1" "-O1 -g ${*:2}" "$number"
    done
}

@test "Address- and UndefinedBehaviorSanitizer: the tests of all chapters pass (gcc)" {
    pass_under "1 2 3 4 5 6" gcc -fsanitize=address,undefined
}

@test "Address- and UndefinedBehaviorSanitizer: the tests of all chapters pass (clang)" {
    pass_under "1 2 3 4 5 6" clang -fsanitize=address,undefined
}

@test "ThreadSanitizer: the tests of chapter 6 pass" {
    pass_under 6 clang -fsanitize=thread
}
