#!/usr/bin/env bats
load ../../../tests/exercise

@test "the mean of the waits, to one decimal" {
    run_answer --quiet --bake 3 --customers 4
    expect_line "summary | customers waited 5.5 minutes on average, 7 at most" \
        "The waits are 4, 5, 6 and 7 minutes: add up where a customer is served," \
        "and divide as double."
    run_answer --quiet --bake 0 --customers 1
    expect_line "summary | customers waited 1.0 minutes on average, 1 at most"
}

@test "many customers and a slow oven" {
    run_answer --quiet --bake 1000 --customers 1000
    expect_line "summary | customers waited 1500.5 minutes on average, 2000 at most"
}

@test "nobody came, nobody waited" {
    run_answer --quiet --bake 5 --customers 0
    expect_output "summary | 5 minutes; no customer came" \
        "Without customers the second line is left out: what would the mean be?"
}

@test "the day itself is as before" {
    run_answer --bake 1 --customers 2
    expect_line "minute 01 | oven    | batch baking   | 0 min remaining; 2 waiting"
    expect_line "minute 03 | cashier | serve customer | #02 served"
    expect_line "summary | 3 minutes; first customer served at minute 2" \
        "The first summary line should not change."
}
