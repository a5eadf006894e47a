#!/usr/bin/env bats
load ../../../tests/exercise

@test "the values of both come in order" {
    run_answer 3 5 16
    expect_output "3 5 6 9 10 12 15 15" \
        "Hand out the smaller of the two next values, and step only the side it came from."
    run_answer 7 2 15
    expect_output "2 4 6 7 8 10 12 14 14"
}

@test "a value that both have comes twice" {
    run_answer 1 1 4
    expect_output "1 1 2 2 3 3 4 4" "With equal values one side is as good as the other, but one at a time."
}

@test "when one side ends, the rest of the other follows" {
    run_answer 4 100 14
    expect_output "4 8 12" "B has no value at all: STEP_DONE says that value is not one."
    run_answer 100 4 14
    expect_output "4 8 12" "A has no value at all: STEP_DONE says that value is not one."
    run_answer 6 4 6
    expect_output "4 6"
}

@test "ten thousand values are in order" {
    run_answer 3 7 21000
    [[ $(tr ' ' '\n' <<<"$output" | sort -n | tr '\n' ' ') == "$output " && $(wc -w <<<"$output") == 10000 ]] ||
        missing "$command: not 10000 values in order, but $(wc -w <<<"$output")"
}
