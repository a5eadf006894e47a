# Loaded by the test files of chapters 5 and 6, after helper: the C programs here
# are tables of cases (support.h).
# shellcheck shell=bash disable=SC2034,SC2154 # status, output, bakery: of others

programs=$tests/programs

# Builds the program $1 (chapter-folder/name) as $2; more sources and flags may
# follow. support.c goes between the runtime and these functions of libc.
build_cases() {
    local source=$programs/$1.c program=$2 between=-Wl name
    shift 2
    for name in epoll_wait epoll_ctl accept4 poll eventfd_write malloc calloc realloc \
        reallocarray mmap pthread_create; do
        between+=,--wrap=$name
    done
    build "$source" "$BATS_FILE_TMPDIR/$program" "$programs/05-epoll-netpoller/support.c" \
        -I"$programs/05-epoll-netpoller" "$between" "$@"
}

# Runs the case $2 of the program $1, for a minute at most.
try() {
    timeout 60 "$BATS_FILE_TMPDIR/$1" "$2"
}

# A sanitizer has its own idea of memory, and brings its own libraries.
skip_if_sanitized() {
    if [[ $CFLAGS == *-fsanitize* ]]; then
        skip "$1 says nothing under a sanitizer"
    fi
}

# Runs the bakery; what it printed is in the files out and err.
bake() {
    status=0
    "$bakery" "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
    output=$(cat "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err")
}

# Tries a command until it succeeds, for half a minute at least.
eventually() {
    local i
    for ((i = 0; i < 1500; i++)); do
        if "$@"; then return; fi
        sleep 0.02
    done
    fail "in vain: $*"
}

# Starts it in the background, as $pid, and returns when its first line is there.
bake_in_background() {
    : >"$BATS_TEST_TMPDIR/out"
    "$bakery" "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
    pid=$!
    eventually grep -q ' in, ' "$BATS_TEST_TMPDIR/out"
}

end_bakery() {
    kill "$pid"
    wait "$pid" 2>/dev/null || true
}

# Process $1 has so many threads.
has_threads() {
    [[ $(find "/proc/$1/task" -mindepth 1 -maxdepth 1 | wc -l) == "$2" ]]
}

# Whatever befell the test, nothing is left running.
teardown() {
    if [[ -n ${pid:-} ]]; then kill -KILL "$pid" 2>/dev/null || true; fi
}

is_stopped() {
    [[ $(sed 's/.*) //' "/proc/$1/stat") == T* ]]
}

# The seconds that the summary names must be $1 at least, and less than $2.
assert_took() {
    local took
    took=$(sed -nE 's/^summary \| [0-9]+ batch(es)? in ([0-9.]+) s on .*/\2/p' "$BATS_TEST_TMPDIR/out")
    awk -v took="$took" -v min="$1" -v max="$2" \
        'BEGIN { exit !(took != "" && took + 0 >= min && took + 0 < max) }' ||
        fail "took '$took' s, wanted $1 to $2; it printed: $output"
}

# Who goes in, or comes out: the numbers of the ovens in the order of the lines.
ovens() {
    sed -nE "s/^\+[0-9]+\.[0-9]{3} s \| oven ([0-9]+) *\| (bread|croissants|cookies) *\| $1\$/\1/p" \
        "$BATS_TEST_TMPDIR/out" | paste -sd' '
}

assert_equal() {
    [[ $1 == "$2" ]] || fail "it is '$1', wanted '$2'"
}

# Stops the bakery and lets it go on: system calls end with EINTR.
stop_and_continue() {
    kill -STOP "$1"
    eventually is_stopped "$1"
    kill -CONT "$1"
}
