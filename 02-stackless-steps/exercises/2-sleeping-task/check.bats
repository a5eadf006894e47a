#!/usr/bin/env bats
load ../../../tests/exercise

@test "who waits for a tick is stepped twice: to go to sleep, and to wake" {
    run_answer 40 2
    expect_output "\
tick 02 | task 2 | stepped 2 times
tick 40 | task 1 | stepped 2 times
summary | 40 ticks" \
        "run_round must pass over a task whose tick has not come," \
        "and schedule must not end while one sleeps."
}

@test "who need not wait is stepped once, and equal ticks keep their order" {
    run_answer 1 7 7 1 7
    expect_output "\
tick 01 | task 1 | stepped 1 time
tick 01 | task 4 | stepped 1 time
tick 07 | task 2 | stepped 2 times
tick 07 | task 3 | stepped 2 times
tick 07 | task 5 | stepped 2 times
summary | 7 ticks" "Look at run_round: a task that sleeps goes to the end of the run queue, too."
}

# Tasks that note each step as name and tick; `$1` is what they note together.
trace() {
    run_with_answer "keep go(), schedule(), tick() and sleep_until(int)" <<EOT
static char noted[200];
static void note(char name) {
    sprintf(noted + strlen(noted), "%c%d ", name, tick());
}
static enum step awake(void *state) {
    (void)state;
    note('a');
    return tick() < 4 ? STEP_YIELD : STEP_DONE;
}
static enum step born(void *state) {
    (void)state;
    note('b');
    return STEP_DONE;
}
static enum step naps(void *state) {
    int *turn = state;
    note('n');
    switch ((*turn)++) {
    case 0: sleep_until(3); return STEP_YIELD;
    case 1: go("born", born, NULL); sleep_until(2); return STEP_YIELD;
    case 2: sleep_until(4); return STEP_YIELD;
    case 3: sleep_until(9); return STEP_YIELD;
    default: return STEP_DONE;
    }
}
int main(void) {
    int turn = 0;
    go("naps", naps, &turn);
    go("awake", awake, NULL);
    int ticks = schedule();
    if (strcmp(noted, "$1") != 0 || ticks != 9)
        errx(1, "the steps were %sin %d ticks; they should be $1in 9\n"
             "(a is always awake; n sleeps until 3, then until 2, which is past, then until 4,\n"
             "which is the present, then until 9; b was started by n in tick 3)", noted, ticks);
}
EOT
}

@test "the others go on meanwhile, and what is past is the next turn" {
    trace "n1 a1 a2 n3 a3 b4 n4 a4 n5 n9 "
}
