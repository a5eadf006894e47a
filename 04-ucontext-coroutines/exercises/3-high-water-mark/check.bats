#!/usr/bin/env bats
load ../../../tests/exercise

# Oven $1 kneaded $2 grams, and says about how much stack that took; if not, $3
# is where to look.
expect_mark() {
    local line used
    line=$(matching "^oven $1 \| $2 g \| [0-9]+\.[0-9] KiB of 64$")
    [[ -n $line ]] || missing "$command does not print the line" "    oven $1 | $2 g | (a number) KiB of 64" \
        "but" "$(shown)"
    used=${line% KiB*}
    used=${used##* }
    used=$((${used/./} * 1024 / 10)) # bytes
    ((used + 52 >= $2)) || missing "$command: oven $1 had $2 bytes of dough on its stack, and says:" \
        "    $line" "${@:3}"
    ((used <= $2 + 8192)) || missing "$command: oven $1 had only $2 bytes of dough on its stack, and says:" \
        "    $line" "${@:3}"
}

@test "the mark is as deep as the dough" {
    run_answer 30000
    expect_mark 1 30000 "Who paints, and when? From which byte to which? Who looks for the paint that is left?"
    run_answer 7000
    expect_mark 1 7000 "Start from the lowest byte of the stack: what is still paint was never written."
}

@test "a small dough leaves a low mark, a large one nearly fills the stack" {
    run_answer 0
    expect_mark 1 0 "Everything that was not painted counts as used: paint up to 2 KiB below your own frame."
    run_answer 56000
    expect_mark 1 56000 "Is the paint laid from the lowest byte on? That is STACK_SIZE below the end of the stack."
}

@test "each of several ovens has a mark of its own" {
    run_answer 40000 500 12000 25000
    expect_mark 1 40000 "Do the ovens share a variable?"
    expect_mark 2 500 "Do the ovens share a variable?"
    expect_mark 3 12000 "Do the ovens share a variable?"
    expect_mark 4 25000 "Do the ovens share a variable?"
}

@test "a stack that is used again is measured again" {
    run_answer 50000 40000 'then' 300 200 'then' 10000 5000
    local where="A finished task's stack goes to the next task, with what was written on it: paint at the start of every life."
    expect_mark 1 50000 "$where"
    expect_mark 2 40000 "$where"
    expect_mark 3 300 "$where"
    expect_mark 4 200 "$where"
    expect_mark 5 10000 "$where"
    expect_mark 6 5000 "$where"
}
