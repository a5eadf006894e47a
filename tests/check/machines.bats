#!/usr/bin/env bats
# Part of make check: other processors, and another libc.
# shellcheck disable=SC2086 # $emulator is one word or none

load helper

everywhere=(-static -O2 -fstack-clash-protection)

# The programs that chapters 4 to 6 are tried with; what they print is checked
# by themselves.
run_programs() {
    local folder=$1 emulator=$2
    shift 2
    compile tests/check/tasks.c "$folder" "$scratch/tasks" "$@"
    from_seed 100 $emulator "$scratch/tasks" "$SEED" 1
    compile tests/check/workday.c "$folder" "$scratch/workday" "$@"
    within 100 $emulator "$scratch/workday" >"$scratch/out"
    [[ ! -s $scratch/out ]] || fail "workday: $(cat "$scratch/out")"
    compile tests/check/signals.c "$folder" "$scratch/signals" "$@"
    from_seed 100 $emulator "$scratch/signals" "$SEED" 2000
    [[ $folder == 0[56]* ]] || return 0
    compile tests/check/events.c "$folder" "$scratch/events" "$@"
    from_seed 100 $emulator "$scratch/events" "$SEED" 1
    [[ $folder == 06* ]] || return 0
    compile tests/check/pools.c "$folder" "$scratch/pools" "$@"
    from_seed 100 $emulator "$scratch/pools" "$SEED" 50
}

# The test programs that need nothing of this machine, with their arguments.
run_tests_of() {
    local folder=$1 emulator=$2 name names=()
    shift 2
    case $folder in
    02-*) names=(again capacity started-meanwhile turns) ;;
    03-*) names=(await finished in-an-if instances nested-loops one-awaits-another) ;;
    04-*) names=("flat chain" "many 1000" recursion) ;;
    esac
    for name in "${names[@]}"; do
        compile "tests/programs/$folder/${name% *}.c" "$folder" "$scratch/program" "$@"
        within 100 $emulator "$scratch/program" ${name#"${name% *}"}
    done
}

# The frame of 100 KiB in overflow.c must not step over the guard.
runs_off() {
    local folder=$1 emulator=$2 status=0
    shift 2
    compile tests/programs/04-ucontext-coroutines/overflow.c "$folder" "$scratch/overflow" "$@"
    within 100 $emulator "$scratch/overflow" leap 2>"$scratch/said" || status=$?
    [[ $status == 1 && $(<"$scratch/said") == "overflow: stack overflow in task 'glutton' (64 KiB)" ]] ||
        fail "overflow leap: status $status, $(<"$scratch/said")"
}

# Chapter $1 under emulator $2 (which may be empty), built by what follows: the
# bakery prints the same, the programs run, and nothing in demos and exercises
# is worth a warning.
works() {
    local folder=$1 emulator=$2
    shift 2
    echo "$folder"
    compile "$folder/bakery.c" "$folder" "$scratch/bakery" "$@"
    same_bread "$folder" "$scratch/bakery" $emulator
    find "$folder" -mindepth 2 -name '*.c' \
        -exec "$@" "${warnings[@]}" -fsyntax-only -I"$folder" {} +
    run_tests_of "$folder" "$emulator" "$@"
    [[ $folder == 0[123]* ]] || run_programs "$folder" "$emulator" "$@"
    [[ $folder != 04* ]] || runs_off "$folder" "$emulator" "$@"
}

@test "aarch64 under qemu-user" {
    needs aarch64-linux-gnu-gcc qemu-aarch64
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 0[36]* ]] || continue
        works "$folder" qemu-aarch64 aarch64-linux-gnu-gcc "${everywhere[@]}"
    done
}

probe_i686() {
    "${compiler[@]}" -static -x c - -o "$scratch/probe" <<<"
        #include <stdio.h>
        int main(void) { return fflush(stdout); }" 2>/dev/null
}

# By gcc -m32 where it has a libc, or by the cross compiler; on a kernel that
# runs 32-bit programs, or on qemu.
@test "32-bit x86" {
    local compiler=(gcc -m32) emulator=""
    if ! probe_i686; then
        compiler=(i686-linux-gnu-gcc)
        probe_i686 || skip "gcc -m32 has no libc here, and i686-linux-gnu-gcc is missing"
    fi
    if ! "$scratch/probe"; then
        needs qemu-i386
        emulator=qemu-i386
    fi
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 06* ]] || continue
        works "$folder" "$emulator" "${compiler[@]}" "${everywhere[@]}"
    done
}

@test "musl" {
    needs musl-gcc
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 0[36]* ]] || continue
        works "$folder" "" musl-gcc "${everywhere[@]}"
    done
}

@test "musl: the tests of all chapters pass" {
    takes_long
    for number in 1 2 3 4 5 6; do
        passes musl-gcc "-O2 -g" "$number"
    done
}
