# Loaded by every test file.
# shellcheck shell=bash
#
# CC and CFLAGS choose how everything is built; DIR is the folder of the chapter
# under test, if it is not the one in this repository.

: "${CC:=cc}" "${CFLAGS:=-O2 -g}"
tests=${BATS_TEST_DIRNAME%/check}
course=$(dirname "$tests")

# What every compilation gets: warnings are errors, and time does not matter.
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -pthread)

# For setup_file(): builds the bakery of chapter $1, in folder $2 if it is given,
# and tells the tests where.
build_chapter() {
    chapter=$(cd "${DIR:-$course/$1}" && pwd)
    export chapter
    export bakery=${2:-$BATS_FILE_TMPDIR}/bakery
    # shellcheck disable=SC2086 # CFLAGS are several words
    $CC "${warnings[@]}" $CFLAGS "$chapter"/*.c -o "$bakery"
}

# The bakery runs with the arguments, and stderr stays empty.
bake() {
    run --separate-stderr "$bakery" "$@"
    assert_status 0
    [[ -z $stderr ]] || fail "on stderr: $stderr"
}

# Compiles the chapter's modules, once for each choice of chapter, CC, CFLAGS and
# the flags that are given; $objects is the folder then.
compile_modules() {
    objects=$BATS_FILE_TMPDIR/objects.$(cksum <<<"$chapter $CC $CFLAGS $*" | tr ' ' .)
    [[ ! -d $objects ]] || return 0
    rm -rf "$objects.new"
    mkdir "$objects.new"
    # shellcheck disable=SC2086
    (cd "$objects.new" && $CC "${warnings[@]}" $CFLAGS "$@" -c "$chapter"/*.c)
    rm "$objects.new/bakery.o"
    mv "$objects.new" "$objects"
}

# Builds the C program $1 with the chapter's modules into $2; more sources and
# flags may follow.
build() {
    local source=$1 program=$2 sources=() flags=() more objects
    shift 2
    for more in "$@"; do
        case $more in
        -Wl,*) sources+=("$more") ;; # for the linker alone
        -*) flags+=("$more") ;;
        *) sources+=("$more") ;;
        esac
    done
    compile_modules "${flags[@]}"
    # shellcheck disable=SC2086
    $CC "${warnings[@]}" $CFLAGS "${flags[@]}" -I"$chapter" -I"$tests" "$source" \
        "${sources[@]}" "$objects"/*.o -o "$program"
}

# Builds programs/<chapter>/$1.c and runs it, for a minute at most; the other
# arguments are the program's. It must succeed.
check() {
    local program=$BATS_TEST_TMPDIR/$1
    build "$tests/programs/$(basename "$BATS_TEST_FILENAME" .bats)/$1.c" "$program"
    shift
    timeout 60 "$program" "$@"
}

# Whether the libc in use has swapcontext(3), as glibc does.
has_swapcontext() {
    $CC -include stdlib.h -x c -E -dM /dev/null | grep __GLIBC__ >/dev/null
}

# What the libc in use says of the error $1, an E... of errno.h.
words_for() {
    local program=$BATS_TEST_TMPDIR/words
    $CC -x c - -o "$program" <<EOT
#include <errno.h>
#include <stdio.h>
#include <string.h>
int main(void) { return puts(strerror($1)) == EOF; }
EOT
    "$program"
}

# The test fails, with what there was and what was wanted.
fail() {
    printf '%s\n' "$*" >&2
    return 1
}

# $1 must be the output of the last `run`, to the byte.
assert_output() {
    [[ $output == "$1" ]] || {
        diff <(printf '%s\n' "$1") <(printf '%s\n' "$output") >&2
        fail "the output (>) is not what was wanted (<)"
    }
}

assert_status() {
    [[ $status == "$1" ]] || fail "status $status, wanted $1; it printed: $output"
}
