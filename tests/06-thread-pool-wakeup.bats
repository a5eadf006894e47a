#!/usr/bin/env bats
# Chapter 6: what blocks goes to a worker.

load helper
load programs/05-epoll-netpoller/cases

setup_file() {
    build_chapter 06-thread-pool-wakeup
    build_cases 06-thread-pool-wakeup/pool pool
}

# Runs cases of chapter 5's program $1 while there is a pool that idles.
try_with_pool() {
    local program=$1 name
    shift
    build_cases "05-epoll-netpoller/$program" "$program" \
        "$programs/06-thread-pool-wakeup/with-pool.c"
    for name in "$@"; do
        try "$program" "$name" || fail "$program $name"
    done
}

# The bakery.

@test "three ovens that block take as long as the longest" {
    bake
    assert_status 0
    assert_took 3 5
    assert_equal "$(ovens 'in, . s')" "1 2 3"
    assert_equal "$(ovens out)" "3 2 1"
    tail -n 1 "$BATS_TEST_TMPDIR/out" |
        grep -qE '^summary \| 3 batches in [0-9.]+ s on 5 threads\b.*, rather than 6\.00 s one after another$'
    assert_equal "$(wc -l <"$BATS_TEST_TMPDIR/out")" 7
}

@test "with one worker they take the sum" {
    bake --workers 1 0.3 0.2 0.1
    assert_status 0
    assert_took 0.6 60
    assert_equal "$(ovens 'in, 0.. s')" "1 2 3"
    assert_equal "$(ovens out)" "1 2 3"
    [[ $output == *" on 2 threads"*" rather than 0.60 s one after another" ]]
}

@test "with many workers ovens and numbers are as in chapter 5" {
    local seconds=()
    for ((i = 0; i < 30; i++)); do seconds+=(0.5); done
    bake -w 64 "${seconds[@]}"
    assert_status 0
    assert_took 0.5 7.5
    assert_equal "$(ovens out | wc -w)" 30
    [[ $output == *" on 65 threads"*" rather than 15.00 s one after another" ]]
    bake --workers 2 0
    assert_status 0
    [[ $output == *"summary | 1 batch in "*" on 3 threads"* ]]
}

@test "while it waits it is a loop and its workers" {
    skip_if_sanitized "the number of threads"
    bake_in_background --workers 3 600 600
    eventually has_threads "$pid" 4
    end_bakery
}

@test "to be stopped and continued does not hurt it" {
    bake_in_background 3 2
    stop_and_continue "$pid"
    wait "$pid"
    assert_equal "$(ovens out)" "2 1"
}

@test "threads that cannot be had are one clear line" {
    skip_if_sanitized "a limit of memory"
    local limit=100000 # KiB; a thread's stack takes 8 MiB of addresses
    status=0
    output=$(ulimit -v "$limit" && "$bakery" --workers 1000 0.05 2>&1 >/dev/null) || status=$?
    assert_status 1
    [[ $output == "bakery: "* && $(wc -l <<<"$output") == 1 ]] || fail "$output"
}

# offload.

@test "one worker: every job runs once, and its task goes on once" {
    try pool one-worker
}

@test "eight workers: every job runs once, and its task goes on once" {
    try pool eight-workers
}

@test "64 workers: every job runs once, and its task goes on once" {
    try pool many-workers
}

@test "with more jobs than workers the loop ticks on" {
    try pool more-jobs-than-workers
}

@test "ready from somebody else does not end offload" {
    try pool foreign-ready
}

@test "ten thousand finished jobs that pile up cost a few wake-ups" {
    try pool wakeups-are-shared
}

@test "signals land on the loop's thread" {
    try pool signals
}

@test "a fault in a job reaches the program's handler" {
    try pool job-faults
}

@test "a job that calls exit ends the program with its status" {
    run try pool job-exits
    assert_status 7
}

@test "offload works without a descriptor to be had" {
    try pool no-descriptors
}

@test "without a descriptor, a job that waits for another task does not stop that" {
    try pool no-descriptors-job-waits
}

@test "offload fails without memory for it, and works again with it" {
    run try pool no-memory
    assert_status 0
    assert_output "memory came back"
}

# pool_start and pool_stop.

@test "no pool is ESRCH, a second one EBUSY, fewer than one worker EINVAL" {
    try pool wrong-use
}

@test "a pool that cannot be started leaves no thread and no descriptor" {
    try pool cannot-start
}

@test "pool_stop runs all that was submitted, and its tasks go on" {
    try pool stop-drains
}

@test "a pool can be stopped and started while tasks wait for it" {
    try pool restart-under-load
}

@test "to start and stop a pool 2000 times leaks nothing" {
    try pool start-and-stop
}

# The end of schedule.

@test "schedule returns although a pool idles" {
    try pool idle-pool
}

@test "a deadlock is reported although a pool idles" {
    run try pool deadlock-idle-pool
    assert_status 1
    assert_output "pool: deadlock: all tasks are asleep: oven"
}

@test "a deadlock is reported after the last job, and not before" {
    run try pool deadlock-after-use
    assert_status 1
    assert_output "nothing pending now
pool: deadlock: all tasks are asleep: oven, cashier"
}

# What chapter 5 promises, with threads about.

@test "with an idle pool turns and timers are those of chapter 5" {
    try_with_pool timers nothing-to-do first-in-first-out storm equal-deadlines \
        never-early past-gives-up-the-turn sleeping-is-free signals \
        foreign-ready no-false-deadlock
}

@test "with an idle pool descriptors wait as in chapter 5" {
    try_with_pool waits one-of-a-side both-sides cancelled forgotten \
        past-deadline nobody-waits-nobody-spins stays-armed no-descriptors
}

# ThreadSanitizer.

build_with_tsan() {
    [[ $CFLAGS != *-fsanitize* ]] || skip "built with a sanitizer already"
    echo 'int main(void) { return 0; }' >"$BATS_TEST_TMPDIR/probe.c"
    if ! $CC -fsanitize=thread "$BATS_TEST_TMPDIR/probe.c" -o "$BATS_TEST_TMPDIR/probe" ||
        ! "$BATS_TEST_TMPDIR/probe"; then
        skip "no ThreadSanitizer here"
    fi
    build_cases 06-thread-pool-wakeup/pool pool-tsan -fsanitize=thread
}

@test "a job that stops the pool or ends the program ends it with one line" {
    local how
    for how in stops-in-a-job exits-in-a-job; do
        run try pool "$how"
        assert_status 1
        assert_output "pool: pool_stop in a job"
    done
}

@test "a job that waits as only a task can ends the program with one line" {
    local how
    for how in reads-in-a-job sleeps-in-a-job; do
        run try pool "$how"
        assert_status 1
        assert_output "pool: park outside of a task"
    done
}

@test "what a job starts can be ended by a signal that the program does not handle" {
    try pool signals-are-inherited
}

@test "a child of fork that calls pool_stop does no harm" {
    try pool child-stops-the-pool
}

@test "ThreadSanitizer finds nothing in the pool, and finds a planted race" {
    local name
    build_with_tsan
    export TSAN_OPTIONS=atexit_sleep_ms=0
    for name in eight-workers stop-drains restart-under-load cannot-start; do
        run try pool-tsan "$name"
        assert_status 0
        assert_output ""
    done
    run try pool-tsan planted-race
    [[ $status != 0 && $output == *"data race"*" race "* ]] || fail "$output"
}
