#!/usr/bin/env bats
# Chapter 5: tasks that wait for descriptors and deadlines.

load helper
load programs/05-epoll-netpoller/cases

setup_file() {
    build_chapter 05-epoll-netpoller
    for program in timers waits streams children; do
        build_cases "05-epoll-netpoller/$program" "$program"
    done
}

# The bakery.

@test "three ovens of 3, 2 and 1 seconds take as long as the longest" {
    bake
    assert_status 0
    assert_took 3 5
    grep -qE '^\+0\.[0-9]{3} s \| oven 1 \| bread +\| in, 3 s$' "$BATS_TEST_TMPDIR/out"
    grep -qE '^\+0\.[0-9]{3} s \| oven 2 \| croissants \| in, 2 s$' "$BATS_TEST_TMPDIR/out"
    grep -qE '^\+[1-9]\.[0-9]{3} s \| oven 3 \| cookies +\| out$' "$BATS_TEST_TMPDIR/out"
    assert_equal "$(ovens 'in, . s')" "1 2 3"
    assert_equal "$(ovens out)" "3 2 1"
    tail -n 1 "$BATS_TEST_TMPDIR/out" |
        grep -qE '^summary \| 3 batches in [0-9.]+ s on 1 thread, rather than 6\.00 s one after another$'
    assert_equal "$(wc -l <"$BATS_TEST_TMPDIR/out")" 7
}

@test "seconds may be decimals, and one oven is enough" {
    bake 0.25
    assert_status 0
    assert_took 0.25 10
    [[ $output == *"| in, 0.25 s"* ]]
    [[ $output == *"summary | 1 batch in "*" rather than 0.25 s one after another" ]]
}

@test "a batch of 0 seconds is out at once" {
    bake 0 0
    assert_status 0
    assert_equal "$(ovens out)" "1 2"
    [[ $output == *"summary | 2 batches in "*" rather than 0.00 s one after another" ]]
}

@test "thirty ovens take as long as one" {
    local seconds=()
    for ((i = 0; i < 30; i++)); do seconds+=(0.5); done
    bake "${seconds[@]}"
    assert_status 0
    assert_took 0.5 7.5
    assert_equal "$(ovens out | wc -w)" 30
    [[ $output == *"rather than 15.00 s one after another" ]]
}

@test "ovens that block inside a library take the sum" {
    bake --blocking 0.3 0.2 0.1
    assert_status 0
    assert_took 0.6 60
    assert_equal "$(ovens out)" "1 2 3"
    grep -E '^\+' "$BATS_TEST_TMPDIR/out" | sed 's/.*| //' | paste -sd' ' |
        grep -qx 'in, 0.3 s out in, 0.2 s out in, 0.1 s out' # one after another
}

@test "while it waits it is one thread" {
    skip_if_sanitized "the number of threads"
    bake_in_background 600 600
    has_threads "$pid" 1
    end_bakery
}

@test "to be stopped and continued does not hurt it" {
    bake_in_background 3 2
    stop_and_continue "$pid"
    wait "$pid"
    assert_equal "$(ovens out)" "2 1"
}

# Turns.

@test "schedule returns at once when there is no task" {
    try timers nothing-to-do
}

@test "turns come first in, first out, and who is started later comes later" {
    try timers first-in-first-out
}

@test "whoever is made ready first runs first" {
    try timers woken-first-runs-first
}

@test "a storm of yields does not keep timers and descriptors waiting" {
    try timers storm
}

@test "an endless supply of data does not keep the others from running" {
    try streams fair
}

# Timers.

@test "equal deadlines wake in the order in which they were set" {
    try timers equal-deadlines
}

@test "earlier deadlines wake earlier" {
    try timers order-of-deadlines
}

@test "deadlines keep their order when others are taken back" {
    try timers order-after-taking-back
}

@test "nobody wakes before the deadline" {
    try timers never-early
}

@test "a deadline in the past gives up one turn" {
    try timers past-gives-up-the-turn
}

@test "a very long sleep is long, and costs the others nothing" {
    run try timers long-is-long
    assert_status 0
    assert_output "long is long"
    try timers long-and-alone
}

@test "sleeping costs no CPU and a handful of system calls" {
    try timers sleeping-is-free
}

@test "a signal neither ends nor shortens a wait" {
    try timers signals
}

@test "ready from somebody else does not end a wait" {
    try timers foreign-ready
}

@test "ten thousand tasks sleep at once, without a descriptor each" {
    try timers ten-thousand-sleepers
}

@test "a sleeping task costs a page of its stack and little else" {
    skip_if_sanitized "the size of the process"
    try timers memory-of-a-sleeper
}

# Deadlocks.

@test "schedule does not return or give up while a task can be woken" {
    try timers no-false-deadlock
}

@test "to sleep until NEVER is a deadlock, in one line" {
    run try timers deadlock-never
    assert_status 1
    assert_output "timers: deadlock: all tasks are asleep: oven"
}

@test "a deadlock is reported when no timer and no descriptor is left" {
    run try timers deadlock-last
    assert_status 1
    assert_output "nothing pending now
timers: deadlock: all tasks are asleep: oven, cashier"
}

@test "of ten sleeping tasks eight are named" {
    run try timers deadlock-ten
    assert_status 1
    assert_output "timers: deadlock: all tasks are asleep: a, b, c, d, e, f, g, h, and 2 more"
}

# wait_fd.

@test "one task per side of a descriptor: EBUSY, and the other side is free" {
    try waits one-of-a-side
}

@test "reader and writer of one descriptor wake each by its own event" {
    try waits both-sides
}

@test "io_close cancels both sides, and the number can be used again at once" {
    try waits cancelled
    try waits cancelled-and-late
}

@test "the event of a closed descriptor does not reach the next of its number" {
    try waits event-of-a-closed-one
}

@test "netpoll_forget cancels whoever waits" {
    try waits forgotten
}

@test "no descriptor is EBADF and costs no memory, no side is EINVAL" {
    try waits nonsense
}

@test "a regular file and /dev/null are always ready, and give up one turn" {
    try waits regular-files
}

@test "a descriptor closed behind the netpoller's back ends the program, in one line" {
    local how
    for how in closed-in-wait closed-with-duplicate closed-and-used-again; do
        run try waits "$how"
        assert_status 1
        [[ $output =~ ^"waits: descriptor "[0-9]+" was closed without io_close()"$ ]] ||
            fail "$how: $output"
    done
}

@test "a deadline in the past gives up one turn: ETIMEDOUT, or 0 where it is ready" {
    try waits past-deadline
}

@test "1500 ready descriptors all win over a deadline in the past" {
    (($(ulimit -Hn) > 1520)) || skip "too few descriptors are allowed"
    try waits many-ready-at-once
}

@test "an event and a deadline that fall together wake once" {
    try waits event-and-deadline
}

@test "hang-up and error wake both sides" {
    try waits hang-up-wakes-both
}

@test "what happens to a descriptor that nobody waits for does not make the loop spin" {
    try waits nobody-waits-nobody-spins
}

@test "what was not read is ready again" {
    try waits what-is-left-is-ready
}

@test "descriptor 0 is one like any other" {
    try waits descriptor-zero
}

@test "a descriptor with a high number does not disturb who waits for a low one" {
    try waits high-numbers
}

@test "a conversation registers its descriptors once" {
    try waits stays-armed
}

@test "out of memory: the call fails, the tasks go on" {
    try waits no-memory
}

@test "what epoll refuses comes back, and leaves nothing behind" {
    try waits refused-by-epoll
}

@test "out of descriptors: wait_fd fails, sleep_until works" {
    try waits no-descriptors
}

@test "100,000 tasks in turn that wait leave memory flat" {
    skip_if_sanitized "the size of the process"
    try waits memory-stays-flat
}

# io.

@test "io_read waits, times out, and sees the end" {
    try streams reading
}

@test "50 MB arrive whole and in order while others run" {
    try streams whole-and-in-order
}

@test "one task reads and another writes the same socket" {
    try streams reader-and-writer
}

@test "io_read ends with ECANCELED when the descriptor is closed under it" {
    try streams closed-under-it
}

@test "what is ready and would block nevertheless fails at the deadline" {
    try streams ready-and-would-block
}

@test "io_write works outside of a task, too, while it need not wait" {
    try streams outside-of-a-task
}

@test "a peer that is gone is EPIPE" {
    try streams broken-pipe
}

@test "io_accept and io_connect find each other, or ECONNREFUSED" {
    try streams accept-and-connect
}

@test "io_connect keeps to its deadline, and can be taken up again after it" {
    try streams connect-deadline
}

@test "io_accept fails without descriptors, and the connection is not lost" {
    try streams no-descriptors
}

@test "a connection that is gone before it is accepted keeps no deadline from passing" {
    try streams gone-connections
}

@test "io_write of no bytes is a call all the same: an empty datagram, or EBADF" {
    try streams empty-datagram
}

# Children of fork.

@test "a child of fork that sleeps, yields or ends its task is ended, in one line" {
    local how
    for how in sleeps yields returns; do
        run try children "$how"
        assert_status 0
        assert_output "children: park in a child of fork()"
    done
}

@test "a child of fork that closes what its parent waits for does no harm, nor does exec" {
    try children closes
    try children executes
}

@test "a child of fork that was started before the first wait may do everything" {
    try children comes-first
}
