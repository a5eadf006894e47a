#!/usr/bin/env bats
load ../../../tests/exercise

# The output for the fringes $1 and $2 up to pastry $3, and then the line $4.
side_by_side() {
    local i
    for ((i = 0; i < $3; i++)); do
        ((i >= ${#1})) || echo "left  | ${1:i:1}"
        ((i >= ${#2})) || echo "right | ${2:i:1}"
    done
    echo "$4"
}

# A tree of the letters in $1: every box opens on the left, or on the right.
comb() {
    local rest=$1 tree i
    if [[ $2 == left ]]; then
        tree=${rest:0:1}
        for ((i = 1; i < ${#rest}; i++)); do tree="($tree${rest:i:1})"; done
    else
        tree=${rest: -1}
        for ((i = ${#rest} - 2; i >= 0; i--)); do tree="(${rest:i:1}$tree)"; done
    fi
    echo "$tree"
}

@test "the walkers take turns, pastry by pastry" {
    run_answer '((ab)c)' '(a(bc))'
    [[ $(matching '^(left|right)') == $'left  | a\nright | a\nleft  | b\nright | b\nleft  | c\nright | c' ]] ||
        missing "$command should unpack a on both sides, then b, then c; it prints" "$(shown)" \
            "Where in visit() does a walker give up its turn?"
}

@test "the same fringe in trees of different shapes" {
    run_answer '((ab)(cd))' '(a(b(cd)))'
    expect_output "$(side_by_side abcd abcd 4 "summary | pastries 1 to 4 are the same")" \
        "The third task compares once per tick, until both walkers are at the end."
    run_answer z z
    expect_output "$(side_by_side z z 1 "summary | pastries 1 to 1 are the same")"
}

@test "nothing is unpacked behind the first difference" {
    run_answer '(((pq)(rs))((tu)v))' '(p(q(w(s(t(uv))))))'
    expect_output "$(side_by_side pqrstuv pqwstuv 3 "summary | pastry 3 differs: r and w")" \
        "How do the walkers learn that it is over? They should look before they unpack."
}

@test "a tree that ends early differs from the other" {
    run_answer 'a' '(a(bc))'
    expect_output "$(side_by_side a abc 2 "summary | pastry 2 differs: - and b")" \
        "What does a walker leave in its place when it has been everywhere?"
    run_answer '((kl)(mn))' '((kl)m)'
    expect_output "$(side_by_side klmn klm 4 "summary | pastry 4 differs: n and -")"
}

@test "fifty boxes, one inside the other" {
    local letters
    letters=$(printf 'abcdefghij%.0s' {1..5})
    run_answer "$(comb "$letters" left)" "$(comb "$letters" right)"
    expect_output "$(side_by_side "$letters" "$letters" 50 "summary | pastries 1 to 50 are the same")" \
        "Nothing in a walker may be counted in advance: its stack holds its place."
}
