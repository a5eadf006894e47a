# Part of make check: every compiler and every way to harden what it makes.
# shellcheck shell=bash

hardened="-D_FORTIFY_SOURCE=3 -fstack-protector-strong"
case $(uname -m) in
x86_64 | i?86) hardened+=" -fcf-protection" ;;
aarch64) hardened+=" -mbranch-protection=standard" ;;
esac

# The bakeries in folder $1 must print what those of this machine's cc do.
same_bread() {
    local folder
    for folder in 0[1-6]-*; do
        bake "${folder:1:1}" "$1/$folder/bakery" >"$scratch/out"
        diff "$reference/$folder" "$scratch/out"
    done
}

# Once, for those parts that need it.
make_reference() {
    local folder scratch=$work
    reference=$work/reference
    [[ ! -d $reference ]] || return 0
    mkdir "$reference"
    for folder in 0[1-6]-*; do
        compile "$folder/bakery.c" "$folder" "$work/bakery" "${cc[@]}" -O1
        bake "${folder:1:1}" "$work/bakery" >"$reference/$folder" ||
            fail "$folder: the bakery fails: $(cat "$reference/$folder")"
        grep -q '^summary | ' "$reference/$folder" || fail "$folder: the bakery has no summary"
    done
}

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
    local compiler=$1 flags=$2
    needs "$compiler"
    cp -r 0[1-6]-* Makefile .make "$scratch"
    make -s -C "$scratch" clean
    make -s -C "$scratch" CC="$compiler" CFLAGS="$flags -Werror"
    same_bread "$scratch"
    [[ $flags != *"$hardened" ]] || catches "$compiler" "$flags"
}

# The tests of chapter $3 pass, built by compiler $1 with flags $2; only what
# fails is shown.
passes() {
    local compiler=$1 flags=$2 file
    needs "$compiler" bats
    for file in tests/"$3"*.bats; do
        CC=$compiler CFLAGS=$flags bats --tap "$file" 2>&1 |
            awk '/^(ok|1\.\.)/ { quiet = 1 } /^not ok/ { quiet = 0 } !quiet'
    done
}

compilers() {
    local compiler flags number
    make_reference
    for compiler in gcc clang; do
        for flags in -O0 -O2 -O3 "-O2 $hardened"; do
            [[ -n $LONG || $compiler$flags =~ ^(clang-O3|gcc-O2\ ) ]] || continue
            check "$compiler $flags: builds without a warning, and bakes" \
                builds "$compiler" "$flags"
        done
    done
    [[ -n $LONG ]] || return 0
    for compiler in gcc clang; do
        for flags in -O0 -O2 -O3 "-O2 $hardened"; do
            for number in 01 02 03 04 05 06; do
                check "$compiler $flags: the tests of chapter ${number#0}" \
                    passes "$compiler" "$flags" "$number"
            done
        done
    done
}
