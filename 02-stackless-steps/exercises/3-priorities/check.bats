#!/usr/bin/env bats
load ../../../tests/exercise

# The numbers of the tasks, in the order of their turns.
turns() { sed -nE 's/^tick [0-9]+ \| task ([0-9]+) .*/\1/p' <<<"$output" | tr '\n' ' '; }

@test "an important task does not keep every turn to itself" {
    run_answer 9:100 1:1
    expect_line "tick 10 | task 2 | priority 1" \
        "After nine ticks of waiting, the sum of task 2 is 10, and that of task 1 is 9:" \
        "look at what most_urgent compares."
}

@test "equal priorities take turns, and unequal ones get unequal shares" {
    run_answer 5:3 5:3
    [[ $(turns) == "1 2 1 2 1 2 " ]] ||
        missing "$command: the turns were $(turns), not 1 2 1 2 1 2" "A turn ends the waiting: who had one has waited 0 ticks."
    run_answer 0:3 4:9 2:5
    [[ $(turns) == "2 2 2 3 2 1 2 3 2 2 1 2 3 2 1 3 3 " ]] ||
        missing "$command: the turns were $(turns)" "but should be 2 2 2 3 2 1 2 3 2 2 1 2 3 2 1 3 3" \
            "Do the sums of the first six ticks by hand: of equal ones, the first task has the turn."
}

@test "a stream of important newcomers starves nobody" {
    run_with_answer "keep go_with_priority(), schedule() and tick()" <<'EOT'
static int served_at;
static enum step patient(void *state) {
    (void)state;
    served_at = tick();
    return STEP_DONE;
}
static enum step newcomer(void *state) {
    if (tick() < 200)
        go_with_priority(9, "newcomer", newcomer, state);
    return STEP_DONE;
}
int main(void) {
    go_with_priority(1, "patient", patient, NULL);
    go_with_priority(9, "newcomer", newcomer, NULL);
    schedule();
    if (served_at == 0 || served_at > 12)
        errx(1, "a task of priority 1 beside newcomers of priority 9, one per tick, had its turn\n"
             "in tick %d; after nine ticks of waiting nobody is more urgent: who counts the wait?", served_at);
}
EOT
}
