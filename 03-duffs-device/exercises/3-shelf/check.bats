#!/usr/bin/env bats
load ../../../tests/exercise

# Follows the log of $1 loaves and a shelf of $2, and says what is wrong first.
follow() {
    local wrong
    wrong=$(awk -v loaves="$1" -v room="$2" '
        function wrong(what) { if (!said) print NR ": " $0 "\n" what; said = 1 }
        / put, /   { if ($7 != ++put) wrong("loaf " put " should be put here")
                     if (put - taken > room) wrong("the shelf holds " room ": the baker must wait for room") }
        / taken, / { if ($8 != ++taken) wrong("loaf " taken " should be taken here")
                     if (taken > put) wrong("nothing is on the shelf: a customer must wait for a loaf") }
        END { if (!said && (put != loaves || taken != loaves))
                  print "of " loaves " loaves, " put + 0 " were put and " taken + 0 " taken" }' <<<"$output")
    [[ -z $wrong ]] || missing "$command" "$wrong"
    expect_line "summary | $1 loaves taken"
}

@test "a shelf for one loaf: baker and customer wait for each other" {
    run_answer 7 1 1
    follow 7 1
}

@test "the shelf never holds more than it can, nor less than nothing" {
    run_answer 100 3 1
    follow 100 3
    run_answer 5 50 1
    follow 5 50
}

@test "several customers share the loaves, and all go home in the end" {
    export time_limit=5
    run_answer 50 2 2
    follow 50 2
    run_answer 3 1 9
    follow 3 1
}
