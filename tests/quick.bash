#!/usr/bin/env bash
# Runs the tests in a file of bats, up to the first that fails, in one process:
# for files of which it only matters whether any test fails. bats takes a few
# times as long to begin.
set -uo pipefail

BATS_TEST_FILENAME=$1
BATS_TEST_DIRNAME=$(cd "$(dirname "$1")" && pwd)
BATS_FILE_TMPDIR=$(mktemp -d)
trap 'rm -rf "$BATS_FILE_TMPDIR"' EXIT
export BATS_TEST_FILENAME BATS_TEST_DIRNAME BATS_FILE_TMPDIR

# What the tests expect of bats.
load() {
    # shellcheck disable=SC1090 # which one, the test file says
    source "$BATS_TEST_DIRNAME/${1%.bash}.bash"
}
# shellcheck disable=SC2034 # they are for the tests
run() {
    status=0
    output=$("$@" 2>&1) || status=$?
    mapfile -t lines <<<"$output"
}
skip() { exit 0; }
setup() { :; }
teardown() { :; }

# Each test becomes a function; `names` are their names.
names=()
set -e
eval "$(awk '/^@test / { sub(/^@test /, ""); sub(/ \{$/, ""); print "names+=(" $0 ")"
                         print "test_" ++n "() {"; next }
             { print }' "$1")"
set +e

exec 3>&1
for ((n = 1; n <= ${#names[@]}; n++)); do
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR/$n
    export BATS_TEST_TMPDIR
    mkdir "$BATS_TEST_TMPDIR"
    # Not in a condition, or -e would not hold in there.
    (
        set -eE
        trap teardown EXIT
        setup
        "test_$n"
    ) >"$BATS_TEST_TMPDIR/log" 2>&1
    result=$?
    if [[ $result != 0 ]]; then
        echo "not ok $n ${names[n - 1]}"
        sed 's/^/# /' "$BATS_TEST_TMPDIR/log"
        exit 1
    fi
    echo "ok $n ${names[n - 1]}"
done
