#!/usr/bin/env bats
load ../../../tests/exercise

# Of the $1 suppliers in the last run one delivered, number $2 if that is given,
# and all others are cancelled.
expect_one() {
    local winner i
    winner=$(matching '^supplier [0-9]+ \| delivered$')
    [[ -n $winner && $(wc -l <<<"$winner") -eq 1 ]] ||
        missing "$command: exactly one should deliver; it prints" "$(shown)" \
            "Whoever has its flour must look whether somebody has won already."
    winner=${winner#supplier }
    winner=${winner%% *}
    [[ ${2:-$winner} == "$winner" ]] ||
        missing "$command: supplier $2 should be the first; it prints" "$(shown)"
    for ((i = 1; i <= $1; i++)); do
        ((i == winner)) || expect_line "supplier $i | cancelled" \
            "io_close() of its descriptor ends the wait of its task, with ECANCELED."
    done
    expect_line "summary | flour from supplier $winner"
    [[ $(wc -l <<<"$output") -eq $(($1 + 1)) ]] ||
        missing "$command should print one line for each supplier, and the summary; it prints" "$(shown)"
    [[ -z $errors ]] || missing "$command complains:" "    $errors"
}

# Who is not cancelled here keeps the program for longer than its time limit.
@test "the second is faster, and the first is not waited for" {
    run_answer 600000 50
    expect_one 2 2
}

@test "the first is faster, and the second is not waited for" {
    run_answer 50 600000
    expect_one 2 1
}

@test "three or four can be asked, and one can be asked alone" {
    run_answer 600000 600000 50
    expect_one 3 3
    run_answer 600000 50 700000 800000
    expect_one 4 2
    run_answer 50
    expect_one 1 1
}

@test "whoever is ready at the same moment delivers once" {
    run_answer 0 0
    expect_one 2
    run_answer 0 600000 0
    expect_one 3
    run_answer 60 60 60 60 60 60 60 60
    expect_one 8
}
