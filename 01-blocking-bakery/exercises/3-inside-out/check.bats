#!/usr/bin/env bats
load ../../../tests/exercise

@test "the oven bakes and the cashier serves in the same minute" {
    run_answer --bake 3 --customers 2
    expect_output "\
minute 01 | oven    | batch baking   | 2 min remaining; 2 waiting
minute 01 | cashier | serve customer | #01 served
minute 02 | oven    | batch baking   | 1 min remaining; 1 waiting
minute 02 | cashier | serve customer | #02 served
minute 03 | oven    | batch baking   | 0 min remaining; 0 waiting
summary | 3 minutes; first customer served at minute 1" \
        "bake_batch must return after one minute, and main calls both, minute by minute."
}

@test "the day is as long as the longer of the two" {
    run_answer --quiet --bake 12 --customers 10
    expect_output "summary | 12 minutes; first customer served at minute 1" \
        "The loop in main goes on while either has something to do."
    run_answer --quiet --bake 4 --customers 9
    expect_output "summary | 9 minutes; first customer served at minute 1"
}

@test "a bakery without an oven, and one without customers" {
    run_answer --bake 0 --customers 1
    expect_output "\
minute 01 | cashier | serve customer | #01 served
summary | 1 minute; first customer served at minute 1" "Who has nothing to do gets no turn."
    run_answer --bake 1 --customers 0
    expect_output "\
minute 01 | oven    | batch baking   | 0 min remaining; 0 waiting
summary | 1 minute; no customer came" "Who has nothing to do gets no turn."
    run_answer --bake 0 --customers 0
    expect_output "summary | 0 minutes; no customer came"
}
