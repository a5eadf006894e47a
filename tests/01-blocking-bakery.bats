#!/usr/bin/env bats
# Chapter 1: one thread, one thing after another.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
    build_chapter 01-blocking-bakery
}

@test "the log has a line for each minute, then the timeline, then the summary" {
    bake
    assert_output "\
minute 01 | oven    | batch baking   | 9 min remaining; 10 waiting
minute 02 | oven    | batch baking   | 8 min remaining; 10 waiting
minute 03 | oven    | batch baking   | 7 min remaining; 10 waiting
minute 04 | oven    | batch baking   | 6 min remaining; 10 waiting
minute 05 | oven    | batch baking   | 5 min remaining; 10 waiting
minute 06 | oven    | batch baking   | 4 min remaining; 10 waiting
minute 07 | oven    | batch baking   | 3 min remaining; 10 waiting
minute 08 | oven    | batch baking   | 2 min remaining; 10 waiting
minute 09 | oven    | batch baking   | 1 min remaining; 10 waiting
minute 10 | oven    | batch baking   | 0 min remaining; 10 waiting
minute 11 | cashier | serve customer | #01 served
minute 12 | cashier | serve customer | #02 served
minute 13 | cashier | serve customer | #03 served
minute 14 | cashier | serve customer | #04 served
minute 15 | cashier | serve customer | #05 served
minute 16 | cashier | serve customer | #06 served
minute 17 | cashier | serve customer | #07 served
minute 18 | cashier | serve customer | #08 served
minute 19 | cashier | serve customer | #09 served
minute 20 | cashier | serve customer | #10 served

minute   01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20
oven      █  █  █  █  █  █  █  █  █  █
cashier                                 █  █  █  █  █  █  █  █  █  █

summary | 20 minutes; first customer served at minute 11"
}

@test "ten minutes of baking and ten customers take twenty minutes" {
    bake --quiet
    assert_output "summary | 20 minutes; first customer served at minute 11"
}

@test "an oven that takes 12 minutes makes everybody wait two more" {
    bake --bake 12 --quiet
    assert_output "summary | 22 minutes; first customer served at minute 13"
}

blank="    " # at the end of a line

@test "with no customers the oven bakes for nobody" {
    bake --bake 2 --customers 0
    assert_output "\
minute 01 | oven    | batch baking   | 1 min remaining; 0 waiting
minute 02 | oven    | batch baking   | 0 min remaining; 0 waiting

minute   01 02
oven      █  █
cashier   $blank

summary | 2 minutes; no customer came"
}

@test "with nothing to bake the first customer is served in the first minute" {
    bake --bake 0 --customers 1
    assert_output "\
minute 01 | cashier | serve customer | #01 served

minute   01
oven$blank
cashier   █

summary | 1 minute; first customer served at minute 1"
}

@test "with nothing to bake and no customers the day has no minutes" {
    bake --bake 0 --customers 0
    [[ ${#lines[@]} == 1 ]] || fail "more than the summary: $output"
    [[ ${lines[0]} == "summary | 0 minutes; no customer came" ]] || fail "$output"
}

@test "one minute of baking and one customer" {
    bake --bake 1 --customers 1
    [[ ${lines[0]} == "minute 01 | oven    | batch baking   | 0 min remaining; 1 waiting" ]]
    [[ ${lines[1]} == "minute 02 | cashier | serve customer | #01 served" ]]
    [[ ${lines[-1]} == "summary | 2 minutes; first customer served at minute 2" ]]
}

@test "a thousand minutes and a thousand customers, each in their own minute" {
    bake --bake 1000 --customers 1000
    diff <(grep '^minute [0-9]* |' <<<"$output") <(
        for ((i = 1; i <= 1000; i++)); do
            printf 'minute %02d | oven    | batch baking   | %d min remaining; 1000 waiting\n' \
                $i $((1000 - i))
        done
        for ((i = 1; i <= 1000; i++)); do
            printf 'minute %02d | cashier | serve customer | #%02d served\n' $((1000 + i)) $i
        done
    )
    [[ ${lines[-1]} == "summary | 2000 minutes; first customer served at minute 1001" ]]
}

@test "a timeline of any length shows each minute once, within 80 columns" {
    local day bake customers timeline
    for day in "0 1" "1 0" "24 0" "0 25" "12 87" "99 1" "999 1" "1000 1000"; do
        read -r bake customers <<<"$day"
        bake --bake "$bake" --customers "$customers"
        timeline=$(sed '/ | /d; s/█/#/g' <<<"$output")
        diff <(grep -o '[0-9]*' <<<"$timeline" | sed 's/^0*//') \
            <(seq $((bake + customers)))
        [[ $(grep '^oven' <<<"$timeline" | tr -dc '#' | wc -c) == "$bake" ]]
        [[ $(grep '^cashier' <<<"$timeline" | tr -dc '#' | wc -c) == "$customers" ]]
        if grep '.\{81\}' <<<"$timeline"; then fail "$day: wider than 80 columns"; fi
    done
}
