#!/usr/bin/env bats
# Part of make check: every compiler and every way to harden what it makes.

load helper

hardened="-D_FORTIFY_SOURCE=3 -fstack-protector-strong"
case $(uname -m) in
x86_64 | i?86) hardened+=" -fcf-protection" ;;
aarch64) hardened+=" -mbranch-protection=standard" ;;
esac
levels=(-O0 -O2 -O3 "-O2 $hardened")

# What the hardening flags are for, by compiler $1 with flags $2, in glibc's
# words.
# shellcheck disable=SC2086
catches() {
    getconf GNU_LIBC_VERSION >/dev/null 2>&1 || return 0
    compile tests/check/mistakes.c 01-blocking-bakery "$scratch/mistakes" "$1" $2 -w
    finds "buffer overflow detected" "$scratch/mistakes" strcpy
    finds "stack smashing detected" "$scratch/mistakes" loop
}

# Everything that the Makefiles build, without a warning; then it bakes.
builds() {
    local compiler=$1 flags=$2 copy=$scratch/course folder
    echo "$compiler $flags"
    needs "$compiler"
    rm -rf "$copy"
    mkdir "$copy"
    cp -r 0[1-6]-* Makefile .make "$copy"
    make -s -C "$copy" clean
    make -s -C "$copy" CC="$compiler" CFLAGS="$flags -Werror"
    for folder in 0[1-6]-*; do
        same_bread "$folder" "$copy/$folder/bakery"
    done
    [[ $flags != *"$hardened" ]] || catches "$compiler" "$flags"
}

# What follows, by compiler $1 with each level of flags.
at_every_level() {
    local flags
    for flags in "${levels[@]}"; do
        "$2" "$1" "$flags"
    done
}

@test "gcc builds all without a warning, and it bakes (-O0 -O2 -O3 hardened)" {
    [[ -n $LONG ]] || levels=("-O2 $hardened")
    at_every_level gcc builds
}

@test "clang builds all without a warning, and it bakes (-O0 -O2 -O3 hardened)" {
    [[ -n $LONG ]] || levels=(-O3)
    at_every_level clang builds
}

all_pass() {
    local number
    for number in 1 2 3 4 5 6; do
        passes "$1" "$2" "$number"
    done
}

@test "the tests of all chapters pass, built by gcc (-O0 -O2 -O3 hardened)" {
    takes_long
    at_every_level gcc all_pass
}

@test "the tests of all chapters pass, built by clang (-O0 -O2 -O3 hardened)" {
    takes_long
    at_every_level clang all_pass
}
