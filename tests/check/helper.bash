# Loaded by every part of make check. LONG=1 takes long and tries everything,
# SEED repeats a run of chance.
# shellcheck shell=bash

load ../helper

: "${LONG:=}" "${SEED:=$RANDOM$RANDOM}"

setup() {
    cd "$course" || exit
    scratch=$BATS_TEST_TMPDIR
}

# Skips the test unless LONG is set.
takes_long() {
    [[ -n $LONG ]] || skip "LONG=1 tries it"
}

# Skips the test unless these commands are there.
needs() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is missing"
    done
}

# The command must end within $1 seconds, whatever its status.
within() {
    local seconds=$1 status=0
    shift
    timeout -k 5 "$seconds" "$@" || status=$?
    ((status != 124 && status != 137)) || fail "still running after $seconds s: $*"
    return "$status"
}

# The same; it must succeed. It does things at random from $SEED, and says so.
from_seed() {
    run within "$@"
    [[ $status == 0 ]] || fail "$*: status $status: $output"
    [[ $'\n'$output == *$'\nseed '* ]] || fail "not a word of the seed: $*"
}

# The command that follows must fail, and say $1.
finds() {
    local report=$1
    shift
    run within 60 "$@"
    [[ $status != 0 ]] || fail "not found by $*: $report"
    grep -q "$report" <<<"$output" || fail "$* found: $output"
}

# Builds $1 with the modules of chapter $2 into $3, by the compiler and the
# flags that follow.
compile() {
    local source=$1 folder=$2 program=$3
    shift 3
    chapter=$course/$folder CC=$* CFLAGS="" build "$source" "$program"
}

# What the bakery $2 of chapter $1 prints, without what differs from run to run.
# What goes before the program (an emulator) follows.
bake() {
    local folder=$1 bakery=$2
    shift 2
    case $folder in
    0[1-4]*) within 60 "$@" "$bakery" --bake 12 --customers 7 ;;
    *) within 60 "$@" "$bakery" 0.2 0.1 0 >"$scratch/log" &&
        sed -E 's/[0-9]+\.[0-9]{2,3} s/T s/g' "$scratch/log" | sort ;;
    esac
}

# The same must be what the bakery prints when $CC has built it, and no more.
same_bread() {
    local wanted=$BATS_FILE_TMPDIR/$1.bread
    if [[ ! -e $wanted ]]; then
        # shellcheck disable=SC2086 # CC may be several words
        compile "$1/bakery.c" "$1" "$wanted.bakery" $CC -O1
        bake "$1" "$wanted.bakery" >"$wanted.new"
        grep -q '^summary | ' "$wanted.new"
        mv "$wanted.new" "$wanted"
    fi
    bake "$@" >"$scratch/out" 2>"$scratch/said" ||
        fail "$1: the bakery fails: $(cat "$scratch/out" "$scratch/said")"
    diff "$wanted" "$scratch/out"
    [[ ! -s $scratch/said ]] || fail "$1: the bakery says: $(cat "$scratch/said")"
}

# The tests of chapter $3 pass, built by compiler $1 with flags $2.
passes() {
    needs "$1"
    run env CC="$1" CFLAGS="$2" .make/test "$3"
    [[ $status == 0 ]] || fail "$(grep -vE '^(ok|1\.\.)' <<<"$output")"
}
