#!/usr/bin/env bats
# Chapter 2: one thread, and tasks that take turns.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
    build_chapter 02-stackless-steps
}

# "tick customer" for each customer in the log.
services() {
    sed -nE -e '/^tick/{s/^tick 0*([0-9]+) .*/\1/;h}' \
        -e '/^  cash/{s/.*#0*([0-9]+) served$/\1/;H;x;s/\n/ /p;s/ .*//;x}' <<<"$output"
}

@test "the log has the oven's and the cashier's turn in each tick" {
    bake
    assert_output "\
tick 01 (bakery minute 01)
  oven | batch baking   | 9 min remaining
  cash | serve customer | #01 served
tick 02 (bakery minute 02)
  oven | batch baking   | 8 min remaining
  cash | serve customer | #02 served
tick 03 (bakery minute 03)
  oven | batch baking   | 7 min remaining
  cash | serve customer | #03 served
tick 04 (bakery minute 04)
  oven | batch baking   | 6 min remaining
  cash | serve customer | #04 served
tick 05 (bakery minute 05)
  oven | batch baking   | 5 min remaining
  cash | serve customer | #05 served
tick 06 (bakery minute 06)
  oven | batch baking   | 4 min remaining
  cash | serve customer | #06 served
tick 07 (bakery minute 07)
  oven | batch baking   | 3 min remaining
  cash | serve customer | #07 served
tick 08 (bakery minute 08)
  oven | batch baking   | 2 min remaining
  cash | serve customer | #08 served
tick 09 (bakery minute 09)
  oven | batch baking   | 1 min remaining
  cash | serve customer | #09 served
tick 10 (bakery minute 10)
  oven | batch baking   | 0 min remaining
  cash | serve customer | #10 served
summary | cashier finished at tick 10 (bakery minute 10), rather than minute 20
summary | oven finished at tick 10 (bakery minute 10)"
}

@test "the cashier has finished at minute 10 rather than 20" {
    bake --quiet
    assert_output "\
summary | cashier finished at tick 10 (bakery minute 10), rather than minute 20
summary | oven finished at tick 10 (bakery minute 10)"
}

@test "an oven that takes 12 minutes delays no customer" {
    bake --bake 12
    [[ $(services) == "$(for i in {1..10}; do echo "$i $i"; done)" ]] || fail "$(services)"
    [[ ${lines[-4]} == "tick 12 (bakery minute 12)" ]]
    [[ ${lines[-3]} == "  oven | batch baking   | 0 min remaining" ]]
    [[ ${lines[-2]} == "summary | cashier finished at tick 10 (bakery minute 10), rather than minute 22" ]]
    [[ ${lines[-1]} == "summary | oven finished at tick 12 (bakery minute 12)" ]]
}

@test "customer n is served in tick n, however long the oven takes" {
    local minutes
    for minutes in 0 1 3 20 1000; do
        bake --bake $minutes --customers 7
        [[ $(services) == "$(for i in {1..7}; do echo "$i $i"; done)" ]] || fail "$(services)"
    done
}

@test "the oven bakes on alone when the cashier has finished, and the reverse" {
    bake --bake 2 --customers 1
    assert_output "\
tick 01 (bakery minute 01)
  oven | batch baking   | 1 min remaining
  cash | serve customer | #01 served
tick 02 (bakery minute 02)
  oven | batch baking   | 0 min remaining
summary | cashier finished at tick 1 (bakery minute 1), rather than minute 3
summary | oven finished at tick 2 (bakery minute 2)"
    bake --bake 1 --customers 2
    assert_output "\
tick 01 (bakery minute 01)
  oven | batch baking   | 0 min remaining
  cash | serve customer | #01 served
tick 02 (bakery minute 02)
  cash | serve customer | #02 served
summary | cashier finished at tick 2 (bakery minute 2), rather than minute 3
summary | oven finished at tick 1 (bakery minute 1)"
}

@test "who has nothing to do is not started, and finished at tick 0" {
    bake --bake 0 --customers 0
    assert_output "\
summary | cashier finished at tick 0 (bakery minute 0), rather than minute 0
summary | oven finished at tick 0 (bakery minute 0)"
    bake --bake 0 --customers 1
    assert_output "\
tick 01 (bakery minute 01)
  cash | serve customer | #01 served
summary | cashier finished at tick 1 (bakery minute 1), rather than minute 1
summary | oven finished at tick 0 (bakery minute 0)"
    bake --bake 1 --customers 0
    assert_output "\
tick 01 (bakery minute 01)
  oven | batch baking   | 0 min remaining
summary | cashier finished at tick 0 (bakery minute 0), rather than minute 1
summary | oven finished at tick 1 (bakery minute 1)"
}

@test "a thousand customers are served in a thousand ticks" {
    bake --customers 1000
    diff <(services) <(paste -d ' ' <(seq 1000) <(seq 1000))
    [[ ${lines[-2]} == "summary | cashier finished at tick 1000 (bakery minute 1000), rather than minute 1010" ]]
    bake --customers 1000 --bake 1000
    [[ ${#lines[@]} == 3002 ]] || fail "${#lines[@]} lines"
    [[ ${lines[-1]} == "summary | oven finished at tick 1000 (bakery minute 1000)" ]]
}

@test "each unfinished task has one turn per tick, first in, first out" {
    check turns
}

@test "a task started during a tick has its first turn in the next" {
    check started-meanwhile
}

@test "a thousand tasks start each other and finish, and no turn is lost or extra" {
    check family >"$BATS_TEST_TMPDIR/trace"
    [[ -s $BATS_TEST_TMPDIR/trace ]]
}

@test "the same program gives the same trace every time" {
    build "$tests/programs/02-stackless-steps/family.c" "$BATS_TEST_TMPDIR/family"
    "$BATS_TEST_TMPDIR/family" >"$BATS_TEST_TMPDIR/trace"
    [[ $(wc -l <"$BATS_TEST_TMPDIR/trace") -gt 1000 ]]
    local i
    for i in 1 2 3; do
        "$BATS_TEST_TMPDIR/family" | cmp - "$BATS_TEST_TMPDIR/trace"
    done
}

@test "go says EAGAIN at TASKS_MAX unfinished tasks, and each that finishes makes room" {
    check capacity
}

@test "without tasks schedule returns 0 at once, and it can be called again" {
    check again
}

@test "schedule inside a step ends the program with one line that names the task" {
    run --separate-stderr check schedule-in-a-step
    assert_status 1
    [[ -z $output ]] || fail "on stdout: $output"
    [[ $stderr == "schedule-in-a-step: schedule in task 'journeyman'" ]] ||
        fail "said: $stderr"
}

@test "the ticks stop at INT_MAX, and the tasks do not" {
    [[ -z ${DIR:-} ]] || skip "it looks into the scheduler of this chapter"
    # shellcheck disable=SC2086 # CFLAGS are several words
    $CC "${warnings[@]}" $CFLAGS -I"$chapter" -I"$tests" "$tests/programs/02-stackless-steps/last-tick.c" \
        -o "$BATS_TEST_TMPDIR/last-tick"
    timeout 60 "$BATS_TEST_TMPDIR/last-tick"
}
