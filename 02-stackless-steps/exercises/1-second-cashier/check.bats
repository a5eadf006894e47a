#!/usr/bin/env bats
load ../../../tests/exercise

@test "six customers are gone after three ticks" {
    run_answer --bake 3 --customers 6
    expect_line "summary | anna served 3, bert served 3; the last customer left at tick 3" \
        "Is there a go() for Bert in main, with a state of his own?"
}

@test "Anna and Bert take turns at one queue" {
    run_answer --bake 0 --customers 5
    expect_output "\
tick 01 (bakery minute 01)
  anna | serve customer | #01 served
  bert | serve customer | #02 served
tick 02 (bakery minute 02)
  anna | serve customer | #03 served
  bert | serve customer | #04 served
tick 03 (bakery minute 03)
  anna | serve customer | #05 served
summary | anna served 3, bert served 2; the last customer left at tick 3
summary | oven finished at tick 0 (bakery minute 0)" \
        "The number of the next customer must be in one place that both see," \
        "and whoever comes second must look before serving."
}

@test "one customer needs no second cashier, and none needs no cashier" {
    run_answer --quiet --bake 0 --customers 1
    expect_line "summary | anna served 1, bert served 0; the last customer left at tick 1"
    run_answer --quiet --bake 0 --customers 0
    expect_line "summary | anna served 0, bert served 0; the last customer left at tick 0" \
        "Look at the conditions before go() in main."
}

@test "the oven keeps its own time" {
    run_answer --quiet --bake 12 --customers 10
    expect_output "\
summary | anna served 5, bert served 5; the last customer left at tick 5
summary | oven finished at tick 12 (bakery minute 12)"
}
