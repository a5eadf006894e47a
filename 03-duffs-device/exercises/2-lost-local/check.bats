#!/usr/bin/env bats
load ../../../tests/exercise

@test "a till adds up over all of its customers" {
    run_answer 3 0 4 0 5
    expect_line "tick 03 | till 1 | 5 paid, 12 in all" \
        "What is at the top of take_money happens in each call, and each yield is a return."
    expect_line "summary | till 1 took 12, till 2 took 0"
}

@test "each till has a total of its own" {
    run_answer 1 100 2 200 3 300
    expect_output "\
tick 01 | till 1 | 1 paid, 1 in all
tick 01 | till 2 | 100 paid, 100 in all
tick 02 | till 1 | 2 paid, 3 in all
tick 02 | till 2 | 200 paid, 300 in all
tick 03 | till 1 | 3 paid, 6 in all
tick 03 | till 2 | 300 paid, 600 in all
summary | till 1 took 6, till 2 took 600" \
        "A static or a global variable is shared by both tills: what is each till's own?"
}

@test "tills that close at different times" {
    run_answer 10 20 30
    expect_line "tick 02 | till 1 | 30 paid, 40 in all"
    expect_line "summary | till 1 took 40, till 2 took 20"
}
