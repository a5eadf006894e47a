#!/usr/bin/env bats
load ../../../tests/exercise

# The table in the answer itself: the numbers of bakery $1 are $2 and $3.
predicted() {
    run_with_answer "keep the table bakeries[], with its four rows" <<EOT
int main(void) {
    const struct bakery *bakery = &bakeries[$1 - 1];
    if (BAKERIES != 4)
        errx(1, "there are four bakeries, not %d", (int)BAKERIES);
    if (bakery->bake != $2 || bakery->customers != $3)
        errx(1, "bakery $1 bakes $2 minutes and has $3 customers; that is not yours to change");
    if (bakery->predicted.minutes != $2 + $3)
        errx(1, "bakery $1 does not take %d minutes: what does one turn of each loop cost?",
             bakery->predicted.minutes);
    if (bakery->predicted.first_served_at != ($3 > 0 ? $2 + 1 : 0))
        errx(1, "bakery $1 does not serve its first customer at minute %d: what must end before?",
             bakery->predicted.first_served_at);
    return 0;
}
EOT
}

@test "the day of the default bakery and of one with a slow oven" {
    predicted 1 10 10
    predicted 2 12 3
}

@test "the day of a bakery without an oven and of one without customers" {
    predicted 3 0 5
    predicted 4 7 0
}

@test "the program agrees" {
    run_answer
    expect_line "summary | 4 of 4 predicted" "The table in answer.c is the only place to change."
}
