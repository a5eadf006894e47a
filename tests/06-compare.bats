#!/usr/bin/env bats
# Chapter 6: demos/compare, four ways beside each other; and make bench.
#
# No test looks at how long anything took, only at how one figure of a run
# compares with another of the same run where that is certain.

bats_require_minimum_version 1.5.0
load helper

setup_file() {
    export chapter=${DIR:-$course/06-thread-pool-wakeup}
    export compare=$BATS_FILE_TMPDIR/compare
    build_compare
    # Most tests read this one run.
    export run=$BATS_FILE_TMPDIR/run
    timeout 60 "$compare" --workers 3 0.3 0.2 0.3 >"$run"
}

build_compare() {
    local demos=$chapter/demos
    build "$demos/compare.c" "$compare" "$demos"/{costs,models,stackless,ways}.c
}

# Column $3 of the row that begins with $2 in table $1 (from 1) of file $4.
cell() {
    awk -v table="$1" -v row="$2" -v column="$3" -F ' *[|] *' '
        BEGIN { RS = ""; FS = "\n" }
        NR == table {
            for (i = 1; i <= NF; i++) {
                split($i, cells, / *[|] */)
                if (index(cells[1], row) == 1) print cells[column] + 0
            }
        }' "${4:-$run}"
}

# True if the arithmetic of awk says so.
is() {
    awk "BEGIN { exit !($1) }" || fail "not so: $1"
}

without_sanitizer() {
    [[ $CFLAGS != *-fsanitize* ]] || skip "the sanitizer's own memory and time are in the figures"
}

@test "coroutine.h is that of chapter 3, to the byte" {
    cmp "$course/03-duffs-device/coroutine.h" "$chapter/demos/coroutine.h"
}

@test "the three tables have these columns and rows, in this order" {
    run awk -F ' *[|] *' '/[|]/ { print NF, $1 } /times faster|create/ { $1 = $1; print }' OFS=, "$run"
    assert_output "$(
        cat <<'EOT'
6,waiting: ovens
waiting: ovens,threads,wall,times faster,CPU time,voluntary switches
6,one after another
6,stackless tasks, epoll
6,stackful tasks, epoll
6,thread pool, eventfd
6,computing: doughs
computing: doughs,threads,wall,times faster,CPU time,voluntary switches
6,one after another
6,stackless tasks, epoll
6,stackful tasks, epoll
6,thread pool, eventfd
5,a task that waits
a task that waits,at once,resident memory,create and finish,switch
5,stackless task
5,stackful task
5,thread
EOT
    )"
}

@test "only the pool has threads, as many as it was told and the loop's" {
    without_sanitizer # ThreadSanitizer has a thread of its own
    local table
    for table in 1 2; do
        [[ $(cell $table one 2) == 1 ]]
        [[ $(cell $table stackless 2) == 1 ]]
        [[ $(cell $table stackful 2) == 1 ]]
        [[ $(cell $table thread 2) == 4 ]]
    done
}

@test "one after another takes the sum; the other ways overlap" {
    local in_turn
    in_turn=$(cell 1 one 3)
    is "$in_turn >= 0.8"
    is "$(cell 1 stackless 3) < $in_turn"
    is "$(cell 1 stackful 3) < $in_turn"
    is "$(cell 1 thread 3) < $in_turn"
}

@test "no way is done before the longest oven is" {
    local way
    for way in one stackless stackful thread; do
        is "$(cell 1 $way 3) >= 0.3"
    done
}

@test "who waits uses next to no processor" {
    local way
    for way in one stackless stackful thread; do
        is "$(cell 1 $way 5) < 1000 * $(cell 1 $way 3) / 2"
    done
}

@test "a pool of one worker overlaps nothing" {
    timeout 60 "$compare" -w 1 0.2 0.2 >"$BATS_TEST_TMPDIR/run"
    is "$(cell 1 thread 3 "$BATS_TEST_TMPDIR/run") >= 0.4"
}

@test "computing: coroutines do all of the work on one thread" {
    local way
    for way in stackless stackful; do
        is "$(cell 2 $way 5) > $(cell 2 one 5) / 2"
        # Less than its CPU time is what one thread cannot take.
        is "1000 * $(cell 2 $way 3) >= 0.9 * $(cell 2 $way 5)"
    done
}

@test "computing: threads help no further than there are cores" {
    local at_once=3
    (($(nproc) >= 3)) || at_once=$(nproc)
    is "$(cell 2 thread 5) > $(cell 2 one 5) / 2"
    is "1000 * $(cell 2 thread 3) >= 0.9 * $(cell 2 thread 5) / $at_once"
}

@test "memory of one that waits: stackless < stackful < thread" {
    without_sanitizer
    is "$(cell 3 stackless 3) > 0"
    is "$(cell 3 stackless 3) < 64"
    is "$(cell 3 stackful 3) > 10 * $(cell 3 stackless 3)"
    is "$(cell 3 thread 3) > $(cell 3 stackful 3)"
}

@test "a stackful task takes its page, however many ovens came before" {
    without_sanitizer
    local ovens
    mapfile -t ovens < <(yes 0 | head -n 2000)
    timeout 60 "$compare" "${ovens[@]}" >"$BATS_TEST_TMPDIR/many"
    is "$(cell 3 stackful 3 "$BATS_TEST_TMPDIR/many") > 3000"
}

@test "a life and a switch: stackless < stackful < thread" {
    without_sanitizer
    local column
    for column in 4 5; do
        is "$(cell 3 stackless $column) < $(cell 3 stackful $column)"
        is "$(cell 3 stackful $column) < $(cell 3 thread $column)"
    done
}

@test "the sentences say what the tables say" {
    local text wall
    text=$(awk 'BEGIN { RS = "" } NR == 4' "$run" | tr '\n' ' ')
    for wall in one stackless stackful thread; do
        [[ $text == *"$(printf '%.2f s' "$(cell 1 $wall 3)")"* ]]
    done
    [[ $text == *"3 ovens, the longest of 0.3 s."* ]]
    [[ $text == *"coroutines were $(printf '%.1f and %.1f' "$(cell 2 stackless 4)" "$(cell 2 stackful 4)") times as fast"* ]]
    [[ $text == *"pool was $(printf %.1f "$(cell 2 thread 4)") times as fast"* ]]
}

@test "on one core it says that threads do not make a second one" {
    local core
    core=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    run timeout 60 taskset -c "$core" "$compare" 0
    assert_status 0
    [[ $output == *" of 1 core busy."* ]]
    [[ $output != *"cores busy"* ]]
}

@test "bad arguments get one line that names them, and status 2" {
    run "$compare" --workers 0
    assert_status 2
    assert_output "compare: --workers: '0' is not a number from 1 to 1000"
    run "$compare" 3 bread
    assert_status 2
    assert_output "compare: SECONDS: 'bread' is not a number from 0 to 1000"
}

@test "standard output that cannot be written is an error" {
    run bash -c '"$compare" 0 2>&1 >/dev/full'
    assert_status 1
    assert_output "compare: cannot write to standard output: No space left on device"
}

@test "the stackless loop steps a task when it is ready, once, and no other" {
    local program=$BATS_TEST_TMPDIR/stackless
    build "$tests/programs/06-compare/stackless.c" "$program" "$chapter/demos/stackless.c"
    timeout 60 "$program"
}

bench() {
    env -u DIR -u MAKEFLAGS -u MAKELEVEL CFLAGS=-O1 NO_COLOR=1 BENCH_N=100 BENCH_RUNS=1 "$@" \
        timeout 120 make -s -C "$course" bench
}

@test "make bench FORMAT=tsv: a line per measure, with median, min and max" {
    run --separate-stderr bench FORMAT=tsv GO=no-such-go
    assert_status 0
    [[ ${lines[0]} == $'measure\twho\tn\tunit\tmedian\tmin\tmax\truns' ]]
    ((${#lines[@]} > 25))
    awk -F '\t' 'NR > 1 && !(NF == 8 && $3 > 0 && $6 <= $5 && $5 <= $7 && $8 == 1) { print; bad = 1 }
                 END { exit bad }' <<<"$output"
    # Who must be there, and what is certain of them.
    awk -F '\t' '
        { median[$1, $2] = $5 }
        END {
            switched = "context switch"
            memory = "resident memory of one that waits"
            wakeups = "many jobs at once: wake-ups of the loop"
            naps = "many sleepers, each from its start: CPU time"
            exit !(median[switched, "4 context_switch()"] > 0 &&
                median["yield", "2 step function"] < median["yield", "threads, sched_yield()"] &&
                median["yield", "5 yield()"] < median["yield", "threads, sched_yield()"] &&
                median[memory, "3 coroutine"] < median[memory, "5 task"] &&
                median[naps, "5 sleep_until()"] > 0 &&
                median[wakeups, "6 offload()"] >= 1 &&
                median[wakeups, "6 offload()"] < 10000)
        }' <<<"$output"
    if has_swapcontext; then
        awk -F '\t' '{ median[$2] = $5 }
            END { exit !(median["4 context_switch()"] < median["4 swapcontext()"]) }' \
            <(grep '^context switch' <<<"$output")
    fi
    [[ $output$stderr != *[$'\r\e']* ]]
}

# A compiler whose programs all count to 3 in the measure yield, and fail in life.
make_compiler() {
    cat >"$BATS_TEST_TMPDIR/cc" <<'EOT'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
cat >"$2" <<'EOP'
#!/bin/sh
[ "$2" != life ] || exit 1
[ "$2" = yield ] || exit 0
echo x >>"$0.runs"
printf 'yield\t%s\t%d\tns\t%d\n' "$1" "$3" "$(((7 * $(wc -l <"$0.runs")) % 4 * 1000))"
EOP
chmod +x "$2"
EOT
    chmod +x "$BATS_TEST_TMPDIR/cc"
}

@test "make bench is a table for people, and names Go where it skips it" {
    make_compiler
    run --separate-stderr bench GO=no-such-go CC="$BATS_TEST_TMPDIR/cc" BENCH_RUNS=3
    [[ $status != 0 ]] || fail "life failed, and nobody says so"
    [[ $stderr == "Go: skipped, as there is no command no-such-go"* ]]
    assert_output "$(
        cat <<'EOT'
                                of       median          min          max

yield, ns
  2 step function              100         2000         1000         3000
  3 CO_YIELD                   100         2000         1000         3000
  4 yield()                    100         2000         1000         3000
  5 yield()                    100         2000         1000         3000
  threads, sched_yield()       100         2000         1000         3000

EOT
        printf '%s cores, 3 runs, %s -O1; the digit in front is the chapter' "$(nproc)" "$BATS_TEST_TMPDIR/cc"
    )"
}

@test "make bench says what is wrong with its settings" {
    BENCH_N=0 run -2 "$course/.make/bench"
    assert_output "BENCH_N=0: not a whole number from 1 to 100000000"
    BENCH_RUNS=often run -2 "$course/.make/bench"
    assert_output "BENCH_RUNS=often: not a whole number from 1 to 1000"
    FORMAT=xml run -2 "$course/.make/bench"
    assert_output "FORMAT=xml: text and tsv are what there is"
}
