#!/usr/bin/env bats
load ../../../tests/exercise

# How often the loop ticked between the line $1 and the line $2.
ticks_between() {
    awk -v from="$1" -v to="$2" '
        $0 == from { on = 1 }
        index($0, to) == 1 && $0 != from { on = 0 }
        on && $0 == "tick" { ticks++ }
        END { print ticks + 0 }' <<<"$output"
}

@test "the loop ticks while a name is looked up" {
    run_answer --milliseconds 800 127.0.0.9
    expect_line "127.0.0.9 | 127.0.0.9"
    local ticks
    ticks=$(ticks_between "127.0.0.9 | asks" "127.0.0.9 | 1")
    ((ticks >= 4)) || missing "$command: a lookup takes 800 ms, and in that time the loop ticked $ticks times." \
        "Who calls resolve()? The thread of the loop must not: see offload() in pool.h."
}

@test "several names are looked up at the same time" {
    run_answer 127.0.0.3 127.0.0.4 127.0.0.5
    local first last n
    last=$(grep -nE 'asks$' <<<"$output" | tail -n 1 | cut -d: -f1)
    first=$(grep -nE '\| 127' <<<"$output" | head -n 1 | cut -d: -f1)
    for n in 3 4 5; do expect_line "127.0.0.$n | 127.0.0.$n" "Has each lookup an answer of its own?"; done
    [[ -n $first && $last -lt $first ]] ||
        missing "$command: all three should ask before the first answer comes; it prints" "$(shown)"
}

@test "a name has an address" {
    run_answer --milliseconds 200 localhost 10.20.30.40
    expect_line "localhost | 127.0.0.1"
    expect_line "10.20.30.40 | 10.20.30.40"
    (($(ticks_between "localhost | asks" "localhost | 1") > 0)) ||
        missing "$command: not one tick while localhost was looked up"
}

@test "a name that is not found is reported, and the others are found" {
    try_answer "" 127.0.0.6 ::1 127.0.0.7
    expect_line "127.0.0.6 | 127.0.0.6"
    expect_line "127.0.0.7 | 127.0.0.7"
    [[ $(matching '^::1 \| not found: ') && $status == 1 ]] ||
        missing "$command: ::1 is no IPv4 address, it should print '::1 | not found: ...' and end with status 1," \
            "but the status is $status, and it prints" "$(shown)" "Does the result of resolve() come back to look_up()?"
    (($(ticks_between "::1 | asks" "::1 | not found") > 0)) ||
        missing "$command: not one tick while ::1 was looked up"
}

@test "more names than workers, and all are answered" {
    run_answer --milliseconds 50 127.0.1.{1..10}
    local n
    for n in {1..10}; do expect_line "127.0.1.$n | 127.0.1.$n" "Has each lookup an answer of its own?"; done
    [[ $(matching '\| 127' | wc -l) == 10 ]] || missing "$command should give 10 answers; it prints" "$(shown)"
    (($(ticks_between "127.0.1.1 | asks" "127.0.1.10 | 1") > 0)) ||
        missing "$command: not one tick while 10 names were looked up"
}
