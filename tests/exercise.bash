# Loaded by the check.bats of every exercise.
# shellcheck shell=bash
#
# From the environment (.make/exercise sets it):
#   answer   the program under test
#   source   the C file that it was built from
#   modules  the archive of the chapter's modules
#   chapter  the chapter's folder
# With one_failure, what comes after the first test that fails is skipped.
#
# A check calls run_answer or feed_answer, looks at $output, and says in
# missing() or in the last argument of expect_line() where to look.

: "${answer:?run this through make exercise, as in make exercise N=2 E=1}"
: "${source:?}" "${modules:?}" "${chapter:?}"

: "${time_limit:=10}" # seconds for one run of the answer
output_limit=1024     # KiB that it may print

# The test fails; each argument is for the reader, if it is not empty.
missing() {
    local text
    for text in "$@"; do
        [[ -z $text ]] || printf '%s\n' "$text"
    done | sed -E -e 's/[[:cntrl:]]/?/g' -e 's/^(.{200}).+/\1.../' >&2
    return 1
}

# Starts the program "$@" with our stdin, in a session of its own, bounded in
# time and output; end_answer() waits for it. The time limit lives in that
# session too: it holds even if the check is interrupted.
start_program() {
    command="./answer ${*:2}"
    [[ ! -e $BATS_FILE_TMPDIR/endless ]] || missing "not tried, since $(cat "$BATS_FILE_TMPDIR/endless") did not end"
    (
        ulimit -f "$output_limit" -c 0
        exec setsid timeout --foreground -s KILL "$time_limit" "$@"
    ) <&0 >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
    answer_pid=$!
}

start_answer() { start_program "$answer" "$@"; }

# Ends whatever is left of the answer; succeeds if that was more than zombies,
# which wait for init.
kill_answer() {
    [[ -n ${answer_pid:-} ]] && kill -STOP -- "-$answer_pid" 2>/dev/null || return
    local alive=1
    ! sed 's/.*)//' /proc/[0-9]*/stat 2>/dev/null |
        grep -qE "^ [^ZX] [0-9]+ $answer_pid " || alive=0
    kill -KILL -- "-$answer_pid" 2>/dev/null || true
    return "$alive"
}

setup() {
    [[ -z ${one_failure:-} || ! -e $BATS_FILE_TMPDIR/failed ]] || skip "another has failed"
}

teardown() {
    kill_answer || true
    wait "${answer_pid:-}" 2>/dev/null || true
    [[ -n ${BATS_TEST_COMPLETED:-} ]] || touch "$BATS_FILE_TMPDIR/failed"
}

# Waits until the answer is done and sets status, output and errors. Fails if it
# did not come to an end of its own, or left somebody behind.
end_answer() {
    status=0
    wait "$answer_pid" 2>/dev/null || status=$?
    local left=no
    ! kill_answer || left=yes
    # Without a process for each, and without zero bytes.
    { output=$(<"$BATS_TEST_TMPDIR/stdout"); } 2>/dev/null
    IFS= read -r -N 2000 errors <"$BATS_TEST_TMPDIR/stderr" || true
    errors=${errors%$'\n'}
    case $status in
    137)
        echo "$command" >"$BATS_FILE_TMPDIR/endless"
        missing "$command was still running after $time_limit s and was stopped: which loop never ends?"
        ;;
    153) missing "$command printed more than $output_limit KiB and was stopped: which loop never ends?" ;;
    129 | 1[3-9]?) missing "$command crashed: signal $((status - 128)), $(kill -l "$status")" "${errors:+it said: $errors}" ;;
    *) [[ $left == no ]] || missing "$command ended, but left a process running (it was killed): who forks here, and who waits?" ;;
    esac
}

# Runs the answer with stdin from the text $1 and the arguments behind it. Its
# status may be anything.
try_answer() {
    printf '%s' "$1" >"$BATS_TEST_TMPDIR/stdin"
    start_answer "${@:2}" <"$BATS_TEST_TMPDIR/stdin"
    end_answer
}

# The same; it must succeed, and print something.
feed_answer() {
    try_answer "$@"
    [[ $status == 0 ]] || missing "$command ended with status $status" "${errors:+it said: $errors}"
    [[ -n $output ]] || missing "$command printed nothing: is stdout closed?"
}

# The same, with nothing on stdin.
run_answer() { feed_answer "" "$@"; }

# The first lines of the output, indented.
shown() {
    local lines
    mapfile -t lines <<<"$output"
    printf '    %s\n' "${lines[@]:0:12}"
    ((${#lines[@]} <= 12)) || printf '    ... (%d lines)\n' "${#lines[@]}"
}

# The last run printed the line $1; if not, $2 is where to look.
expect_line() {
    [[ $'\n'$output$'\n' == *$'\n'"$1"$'\n'* ]] || missing "$command does not print the line" "    $1" \
        "but" "$(shown)" "${@:2}"
}

# The last run printed $1 and nothing else; if not, $2 is where to look.
expect_output() {
    [[ $output == "$1" ]] || missing "$command does not print what it should; that is < below, yours is >" \
        "$(diff <(printf '%s\n' "$1") <(printf '%s\n' "$output") | head -n 20)" "${@:2}"
}

# The lines of the last output that match the regular expression $1.
matching() { grep -E -e "$1" <<<"$output" || true; }

# Builds a program from C text on stdin that may use all of the answer's own
# functions (its main is called answer_main there; the usual headers are
# included), and runs it like the answer.
# $1 says which functions the task asks for.
run_with_answer() {
    local program=$BATS_TEST_TMPDIR/with-answer
    {
        printf '#define main answer_main\n#include "%s"\n#undef main\n' "$source"
        printf '#include <%s.h>\n' err errno stdio stdlib string sys/socket unistd
        cat
    } >"$program.c"
    # shellcheck disable=SC2086 # CFLAGS are several words
    ${CC:-cc} -w -pthread ${CFLAGS:-} -I"$chapter" "$program.c" "$modules" -o "$program" \
        2>"$program.errors" || missing "the check cannot be built with it: $1" "$(head -n 5 "$program.errors")"
    start_program "$program" </dev/null
    command="the check's own program"
    end_answer
    [[ $status == 0 ]] || missing "${errors#with-answer: }" "(status $status)"
}
