# Part of make check: other processors, and another libc.
#
# shellcheck shell=bash disable=SC2086 # $emulator is one word or none

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
    compile "$folder/bakery.c" "$folder" "$scratch/bakery" "$@"
    bake "${folder:1:1}" "$scratch/bakery" $emulator >"$scratch/out"
    diff "$reference/$folder" "$scratch/out"
    find "$folder" -mindepth 2 -name '*.c' \
        -exec "$@" "${warnings[@]}" -fsyntax-only -I"$folder" {} +
    run_tests_of "$folder" "$emulator" "$@"
    [[ $folder == 0[123]* ]] || run_programs "$folder" "$emulator" "$@"
    [[ $folder != 04* ]] || runs_off "$folder" "$emulator" "$@"
}

on_aarch64() {
    needs aarch64-linux-gnu-gcc qemu-aarch64
    works "$1" qemu-aarch64 aarch64-linux-gnu-gcc "${everywhere[@]}"
}

# By gcc -m32 where it has a libc, or by the cross compiler; on a kernel that
# runs 32-bit programs, or on qemu.
on_i686() {
    local compiler=(gcc -m32) emulator=""
    if ! probe_i686; then
        compiler=(i686-linux-gnu-gcc)
        probe_i686 || skip "gcc -m32 has no libc here, and i686-linux-gnu-gcc is missing"
    fi
    if ! "$scratch/probe"; then
        needs qemu-i386
        emulator=qemu-i386
    fi
    works "$1" "$emulator" "${compiler[@]}" "${everywhere[@]}"
}

probe_i686() {
    "${compiler[@]}" -static -x c - -o "$scratch/probe" <<<"
        #include <stdio.h>
        int main(void) { return fflush(stdout); }" 2>/dev/null
}

on_musl() {
    needs musl-gcc
    works "$1" "" musl-gcc "${everywhere[@]}"
}

machines() {
    local folder
    make_reference
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 0[36]* ]] || continue
        check "aarch64 under qemu-user: $folder" on_aarch64 "$folder"
    done
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 06* ]] || continue
        check "32-bit x86: $folder" on_i686 "$folder"
    done
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 0[36]* ]] || continue
        check "musl: $folder" on_musl "$folder"
        [[ -n $LONG ]] || continue
        check "musl: the tests of $folder" passes musl-gcc "-O2 -g" "${folder%%-*}"
    done
}
