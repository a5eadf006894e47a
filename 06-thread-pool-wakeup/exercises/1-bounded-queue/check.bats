#!/usr/bin/env bats
load ../../../tests/exercise

# The batches that the last run printed with $1, in order.
batches() { matching "\| $1\$" | sed "s/ | $1\$//"; }

# Every one of $2 batches asked and came back, with $1 at most at a time.
expect_queue() {
    expect_line "summary | $2 batches, at most $1 at a time" \
        "submit() should look for a free place before hand_over(), and leave it afterwards."
    [[ $(batches asks | wc -l) -eq $2 && $(batches asks | sort) == "$(batches 'done' | sort)" ]] ||
        missing "$command: each of $2 batches should ask once and be done once; it prints" "$(shown)"
}

# They were handed over as they asked. With more than one place, who was admitted
# and who finds a free one may do so in any order within a round.
expect_order() {
    [[ $(batches asks) == "$(batches 'handed over')" ]] ||
        missing "$command: who asks first should be handed over first. They ask (<) and are handed over (>):" \
            "$(diff <(batches asks) <(batches 'handed over') | head -n 8)" \
            "Who comes back and asks anew comes after those who wait: is a place handed on, or up for grabs?"
}

@test "no more than the limit is handed over at a time" {
    run_answer --limit 2 --bakers 7
    expect_queue 2 7
    expect_order
    run_answer --workers 4 --limit 5 --bakers 40 --milliseconds 5
    expect_queue 5 40
}

@test "a limit below the number of workers holds as well" {
    run_answer --workers 4 --limit 1 --bakers 6 --milliseconds 5
    expect_queue 1 6
    expect_order
}

@test "nobody waits while there is a place" {
    run_answer --limit 10 --bakers 10
    expect_queue 10 10
    run_answer --limit 100 --bakers 4 --each 3
    expect_queue 4 12
}

@test "who comes back comes after those who wait" {
    run_answer --workers 3 --limit 3 --bakers 5 --each 6 --milliseconds 3
    expect_queue 3 30
    run_answer --workers 1 --limit 1 --bakers 3 --each 5 --milliseconds 2
    expect_queue 1 15
    expect_order
}

@test "a place that was left can be taken again" {
    run_answer --workers 2 --limit 2 --bakers 2 --each 20 --milliseconds 1
    expect_queue 2 40
}

@test "a task that is made ready by somebody else goes on waiting" {
    run_with_answer "submit(const char *name, int batch)" <<'EOT'
static struct task *waiting;
static int finished;

static void first(void *unused) {
    (void)unused;
    submit("first", 1);
    finished++;
}

static void second(void *unused) {
    (void)unused;
    waiting = self();
    submit("second", 1);
    finished++;
}

static void meddle(void *unused) {
    (void)unused;
    for (int i = 0; i < 3 && finished == 0; i++) {
        ready(waiting);
        yield();
    }
}

int main(void) {
    day.limit = 1;
    day.milliseconds = 300;
    if (pool_start(2) == -1 || go("first", first, NULL) == -1 ||
        go("second", second, NULL) == -1 || go("meddle", meddle, NULL) == -1)
        err(1, "start");
    schedule();
    pool_stop();
    if (day.most != 1)
        errx(1, "somebody else called ready() on a task that waited for a place, and it took one");
    return 0;
}
EOT
}
