# Part of make check: the sanitizers find nothing, and what is planted.
# shellcheck shell=bash

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
    bake "${folder:1:1}" "$scratch/bakery" 2>"$scratch/said" >"$scratch/out" ||
        fail "bakery: $(cat "$scratch/out" "$scratch/said")"
    diff "$reference/$folder" "$scratch/out"
    [[ ! -s $scratch/said ]] || fail "bakery: $(cat "$scratch/said")"
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
    needs valgrind
    local valgrind=(valgrind -q --error-exitcode=99 --leak-check=full)
    compile "$folder/bakery.c" "$folder" "$scratch/bakery" gcc -g -O1
    is_clean "${valgrind[@]}" "$scratch/bakery" --bake 12 --customers 7
    compile tests/check/mistakes.c "$folder" "$scratch/mistakes" gcc -g -O1 -w
    finds uninitialised "${valgrind[@]}" "$scratch/mistakes" uninitialised
}

# The tests of chapter $1 pass, built with the other flags.
passes_under() {
    local number=$1
    shift
    can "$@"
    passes "$1" "-O1 -g ${*:2}" "$number"
}

sanitizers() {
    local folder compiler
    make_reference
    for folder in 0[1-6]-*; do
        for compiler in gcc clang; do
            [[ -n $LONG || $folder$compiler == 06*clang ]] || continue
            check "Address- and UndefinedBehaviorSanitizer, $compiler: $folder, and what is planted" \
                address_and_undefined "$folder" "$compiler"
        done
    done
    for folder in 0[456]-*; do
        for compiler in gcc clang; do
            [[ -n $LONG || $folder$compiler == 06*clang ]] || continue
            check "ThreadSanitizer, $compiler: $folder, and a planted race" \
                threads "$folder" "$compiler"
        done
    done
    for folder in 0[123]-*; do
        [[ -n $LONG || $folder == 03* ]] || continue
        check "valgrind: $folder, and a planted read of what was never written" \
            under_valgrind "$folder"
    done
    [[ -n $LONG ]] || return 0
    for folder in 0[1-6]-*; do
        for compiler in gcc clang; do
            check "Address- and UndefinedBehaviorSanitizer, $compiler: the tests of $folder" \
                passes_under "${folder%%-*}" "$compiler" -fsanitize=address,undefined
        done
    done
    check "ThreadSanitizer: the tests of chapter 6" passes_under 06 clang -fsanitize=thread
}
