#!/usr/bin/env bats
# Chapter 3: step functions in straight lines, by Duff's device.

load helper
bats_require_minimum_version 1.5.0

# Three bakeries: this chapter's, and those of the chapters on either side.
setup_file() {
    build_chapter 03-duffs-device
    export others=$BATS_FILE_TMPDIR
    local other
    for other in 02-stackless-steps 04-ucontext-coroutines; do
        mkdir "$others/$other"
        # shellcheck disable=SC2086 # CFLAGS are several words
        $CC "${warnings[@]}" $CFLAGS "$course/$other"/*.c -o "$others/$other/bakery"
    done
}

# What the bakery in folder $1 answers to the other arguments: stdout, stderr
# and the status.
answer() {
    local folder=$1 status=0
    shift
    "$folder/bakery" "$@" 2>"$BATS_TEST_TMPDIR/stderr" || status=$?
    cat "$BATS_TEST_TMPDIR/stderr"
    echo "status $status"
}

# The three bakeries answer the same.
same_bytes() {
    local wanted other
    wanted=$(answer "$others" "$@")
    for other in 02-stackless-steps 04-ucontext-coroutines; do
        diff <(echo "$wanted") <(answer "$others/$other" "$@") ||
            fail "$*: chapter 3 (<) and $other (>) differ"
    done
}

# Compiles programs/03-duffs-device/$1.c for what the compiler says, and makes
# nothing of it; the other arguments are flags.
compiles() {
    local source=$tests/programs/03-duffs-device/$1.c
    shift
    ${compiler:-$CC} "${warnings[@]}" -I"$chapter" -I"$tests" -c -o /dev/null "$source" "$@"
}

# $1.c, which runs as it is, does not compile with fault $2; the compiler says $3.
does_not_compile() {
    run compiles "$1" "-DFAULT=$2"
    [[ $status != 0 ]] || fail "$1.c compiles with fault $2"
    grep -Eq "$3" <<<"$output" || fail "another message than '$3': $output"
}

# loses-its-way.c stops at fault $1: status 1 and one line that names the
# function.
stops_loudly() {
    run --separate-stderr check loses-its-way "$1"
    assert_status 1
    [[ -z $output ]] || fail "on stdout: $output"
    [[ $stderr == "loses-its-way: $1: lost its way behind line "* &&
        $stderr != *$'\n'* ]] || fail "said: $stderr"
}

@test "chapters 2, 3 and 4 print the same bytes, for any numbers" {
    local day bake customers
    for day in "0 0" "0 1" "1 0" "1 1" "12 10" "10 99" "1000 0" "3 1000" "1000 1000"; do
        read -r bake customers <<<"$day"
        same_bytes --bake "$bake" --customers "$customers"
    done
    same_bytes
    [[ $(answer "$others") == *"at tick 10 (bakery minute 10), rather than minute 20"* ]]
}

@test "a coroutine goes on in the middle of nested loops" {
    check nested-loops
}

@test "CO_AWAIT looks once per turn, and does not yield when the condition holds" {
    check await
}

@test "CO_YIELD and CO_AWAIT stand in an if without braces, and else is where it seems" {
    check in-an-if
}

@test "two coroutines of the same function share nothing" {
    check instances
}

@test "a coroutine awaits another, which awaits a third" {
    check one-awaits-another
}

@test "a finished coroutine stays finished until it is zeroed" {
    check finished
}

@test "a local variable is lost at a yield, what is in the struct is not" {
    check lost-local
}

@test "two yields on one line do not compile" {
    check two-on-one-line
    does_not_compile two-on-one-line 1 "duplicate case"
    does_not_compile two-on-one-line 2 "duplicate case"
}

@test "a second CO_BEGIN in a function does not compile, behind the first or inside it" {
    check two-begins
    does_not_compile two-begins 1 "duplicate label|redefinition of label"
    does_not_compile two-begins 2 "duplicate label|redefinition of label"
}

@test "a yield inside a switch of one's own stops the program and names the function" {
    stops_loudly yield_in_switch
    stops_loudly await_in_switch
}

@test "a break outside of a loop stops the program and names the function" {
    stops_loudly break_at_once
    stops_loudly break_later
}

@test "the macros bring no warning into user code, by gcc or clang" {
    local compiler language compilers=0
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        compilers=$((compilers + 1))
        for language in c11 gnu11 c17; do
            run compiles warnings -std=$language -pedantic-errors -Wextra \
                -Wimplicit-fallthrough -Wunused -Wcast-qual -Wstrict-prototypes -O2
            assert_status 0
            assert_output ""
        done
    done
    ((compilers > 0)) || skip "neither gcc nor clang here"
}

@test "a warning in user code itself is still seen" {
    run compiles warnings -DUNUSED_VARIABLE
    [[ $status != 0 && $output == *unused* ]] || fail "status $status: $output"
}

@test "coroutine.h stands alone, and in every file of a program" {
    cd "$BATS_TEST_TMPDIR"
    echo '#include "coroutine.h"
          struct coroutine unused_but_there = {0};' >one.c
    echo '#include "coroutine.h"
          #include "coroutine.h"
          int main(void) { return 0; }' >two.c
    $CC "${warnings[@]}" -I"$chapter" one.c two.c -o program
    ./program
}
