#!/usr/bin/env bats
# Chapter 4: the same bakery, by tasks that have a stack each.
# shellcheck disable=SC2030,SC2031 # each test is a subshell, and sets its own status

load helper

setup_file() {
    build_chapter 04-ucontext-coroutines
    export programs=$tests/programs/04-ucontext-coroutines
}

# Builds the program $1 for the first test that wants it, and runs it with the
# other arguments.
program() {
    local program=$BATS_FILE_TMPDIR/$1
    if [[ ! -x $program ]]; then
        build "$programs/$1.c" "$program.new" && mv "$program.new" "$program"
    fi
    shift
    timeout 60 "$program" "$@"
}

# For a test that makes no sense when CFLAGS ask for a sanitizer, as $1.
plain_only() {
    [[ $CFLAGS != *-fsanitize* ]] || skip "not under a sanitizer: $1"
}

# Skips the test where there is no compiler $1, or it cannot build and run a
# program with the flags that follow.
needs() {
    local compiler=$1 program=$BATS_TEST_TMPDIR/needs
    shift
    command -v "$compiler" >/dev/null || skip "there is no $compiler"
    echo 'int main(void) { return 0; }' >"$program.c"
    { "$compiler" -Werror "$@" "$program.c" -o "$program" && "$program"; } \
        >"$program.log" 2>&1 || skip "no $compiler $*"
}

assert_contains() {
    [[ $output == *"$1"* ]] || fail "there is no '$1' in: $output"
}

# What the bakery prints for --bake $1 --customers $2.
log_of() {
    local bake=$1 customers=$2 tick
    for ((tick = 1; tick <= bake || tick <= customers; tick++)); do
        printf 'tick %02d (bakery minute %02d)\n' "$tick" "$tick"
        ((tick > bake)) || printf '  oven | batch baking   | %d min remaining\n' \
            $((bake - tick))
        ((tick > customers)) || printf '  cash | serve customer | #%02d served\n' "$tick"
    done
    summary_of "$bake" "$customers"
}

summary_of() {
    printf 'summary | cashier finished at tick %d (bakery minute %d), ' "$2" "$2"
    printf 'rather than minute %d\n' $(($1 + $2))
    printf 'summary | oven finished at tick %d (bakery minute %d)\n' "$1" "$1"
}

# --- the bakery ---

@test "an oven that takes 12 minutes delays no customer" {
    run "$bakery" --bake 12
    assert_status 0
    assert_output "$(log_of 12 10)"
}

@test "nothing to bake, or nobody to serve: that one finished at tick 0" {
    local minutes customers
    for minutes in 0 1; do
        for customers in 0 1 3; do
            run "$bakery" -b "$minutes" -c "$customers"
            assert_status 0
            assert_output "$(log_of "$minutes" "$customers")"
        done
    done
}

@test "a thousand minutes and a thousand customers take a thousand ticks" {
    run "$bakery" --bake 1000 --customers 1000
    assert_status 0
    assert_output "$(log_of 1000 1000)"
}

@test "one thread does it all" {
    plain_only "it may have threads of its own"
    local pid line threads fifo=$BATS_TEST_TMPDIR/fifo
    mkfifo "$fifo"
    # It prints more than a pipe holds: after its first line it waits for us.
    "$bakery" --bake 1000 --customers 1000 >"$fifo" 3>&- &
    pid=$!
    exec 5<"$fifo"
    read -r line <&5
    threads=("/proc/$pid/task"/*)
    cat <&5 >/dev/null
    exec 5<&-
    wait "$pid"
    [[ $line == "tick 01"* ]] || fail "first line: $line"
    [[ ${threads[*]} == "/proc/$pid/task/$pid" ]] || fail "threads: ${threads[*]}"

    run program threads
    assert_status 0
    assert_output 1
}

@test "on a processor that context.c has no assembler for, ucontext switches" {
    local compiler=i686-linux-gnu-gcc
    command -v $compiler >/dev/null || skip "there is no $compiler"
    CC=$compiler CFLAGS="-O2 -static" build "$chapter/bakery.c" "$BATS_TEST_TMPDIR/bakery"
    CC=$compiler CFLAGS="-O2 -static" build "$programs/locals.c" "$BATS_TEST_TMPDIR/locals"
    "$BATS_TEST_TMPDIR/bakery" --help >/dev/null || skip "this kernel runs no 32-bit programs"
    run "$BATS_TEST_TMPDIR/bakery" --bake 12
    assert_status 0
    assert_output "$(log_of 12 10)"
    timeout 60 "$BATS_TEST_TMPDIR/locals"
}

# Some distributions define it for every compilation, with another value.
fortified="-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3"

@test "a fortified build (-D_FORTIFY_SOURCE=3) takes no switch for an accident" {
    local compiler
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        CC=$compiler CFLAGS="$CFLAGS $fortified" \
            build "$chapter/bakery.c" "$BATS_TEST_TMPDIR/bakery"
        run "$BATS_TEST_TMPDIR/bakery"
        assert_status 0
        assert_output "$(log_of 10 10)"
    done
}

# --- ticks ---

@test "every task has exactly one turn per tick, in the order of go()" {
    program ticks everybody
}

@test "a task that has ended has no further turn, and nobody else loses one" {
    program ticks ended
}

@test "whoever became runnable first runs first in the next tick" {
    program ticks first-runnable
}

@test "a task started during a tick has its first turn in the next" {
    program ticks started
}

@test "a task may start another and end, and its stack may be used for that one" {
    program ticks start-and-end
}

@test "schedule() can be called again, and counts its ticks from 1" {
    program ticks twice
}

@test "with no task, schedule() returns 0 at once" {
    program ticks nothing
}

@test "tick() tells the tick that runs" {
    program ticks tick
}

# --- park, ready, self ---

@test "ready() wakes a parked task in the next tick, once, however often it is called" {
    program park next-tick
}

@test "ready() on a task that is runnable already does nothing" {
    program park runnable
}

@test "ready() before park() counts: the task has another turn after this one" {
    program park before-park
}

@test "ready(self()) and park() are a yield" {
    program park by-hand
}

@test "ready() on a task that has ended does nothing" {
    program park finished
}

@test "a task that ends after ready(self()) does not run again" {
    program park ends-runnable
}

@test "self() is the running task, and NULL outside of one" {
    program park self
}

@test "park() or yield() outside of a task ends the program with one line" {
    run program misuse park
    assert_status 1
    assert_output "misuse: park outside of a task"
    run program misuse yield
    assert_status 1
    assert_output "misuse: park outside of a task"
}

@test "schedule() in a task ends the program with one line that names the task" {
    run program misuse schedule
    assert_status 1
    assert_output "misuse: schedule in task 'nested'"
}

# --- deadlock ---

# What program deadlock must have printed, with these names.
assert_deadlock() {
    assert_status 1
    assert_output "this was printed first
deadlock: deadlock: all tasks are asleep: $1"
}

@test "when all tasks are asleep one line names them, in the order of go()" {
    run program deadlock oven
    assert_deadlock "oven"
    run program deadlock oven cashier baker
    assert_deadlock "oven, cashier, baker"
}

@test "the deadlock line names only who is left, also where records were used again" {
    run program deadlock oven GONE cashier
    assert_deadlock "oven, cashier"
    run program deadlock ONE two THREE four again:five again:six again:seven
    # The order is that in which the records were made.
    assert_deadlock "six, two, five, four, seven"
}

@test "the deadlock line names eight tasks, and counts the others" {
    run program deadlock a b c d e f g h
    assert_deadlock "a, b, c, d, e, f, g, h"
    run program deadlock a b c d e f g h i
    assert_deadlock "a, b, c, d, e, f, g, h, and 1 more"
    run program deadlock a b c d e f g h i j k l m n o p q r s t
    assert_deadlock "a, b, c, d, e, f, g, h, and 12 more"
}

# --- stacks and switches ---

@test "the stack is aligned, the argument arrives whole, and the end of a task is not the end" {
    run program entry
    assert_status 7
    assert_output "main() goes on"
}

@test "a hundred tasks are 40 KiB deep in recursion at once" {
    program recursion
}

# Builds program $1 by compiler $2 with each level of optimisation, and runs it
# with the other arguments; the function `judge` looks at the result.
at_every_level() {
    local name=$1 compiler=$2 level program=$BATS_TEST_TMPDIR/$1
    shift 2
    for level in -O0 "$fortified" -O3; do
        # gcc's is enough: the least that any compiler does
        [[ $compiler$level != clang-O0 ]] || continue
        CC=$compiler CFLAGS="$CFLAGS $level" build "$programs/$name.c" "$program"
        run timeout 60 "$program" "$@"
        judge
    done
}

@test "local variables, integers and doubles, survive a switch (gcc -O0 -O2 -O3)" {
    needs gcc
    judge() { assert_status 0; }
    at_every_level locals gcc
}

@test "local variables, integers and doubles, survive a switch (clang -O2 -O3)" {
    needs clang
    judge() { assert_status 0; }
    at_every_level locals clang
}

assert_overflow() {
    assert_status 1
    assert_output "102400 of 102400 bytes are whole
overflow: stack overflow in task 'glutton' (64 KiB)"
}

@test "a stack overflow ends in one line and touches no neighbour (gcc -O0 -O2 -O3)" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    needs gcc
    judge() { assert_overflow; }
    at_every_level overflow gcc steps
}

@test "a stack overflow ends in one line and touches no neighbour (clang -O2 -O3)" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    needs clang
    judge() { assert_overflow; }
    at_every_level overflow clang steps
}

# One level is enough: what matters is where the compiler puts its probes.
leap_by() {
    CC=$1 build "$programs/overflow.c" "$BATS_TEST_TMPDIR/overflow" \
        -fstack-clash-protection
    run timeout 60 "$BATS_TEST_TMPDIR/overflow" leap
    assert_overflow
}

@test "a frame larger than the guard does not step over it (gcc -fstack-clash-protection)" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    needs gcc -fstack-clash-protection
    leap_by gcc
}

@test "a frame larger than the guard does not step over it (clang -fstack-clash-protection)" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    needs clang -fstack-clash-protection
    leap_by clang
}

@test "an overflow on a stack that is used again names the task that has it now" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    run program overflow recycled
    assert_status 1
    assert_output "overflow: stack overflow in task 'glutton' (64 KiB)"
}

@test "without MADV_GUARD_INSTALL (before Linux 6.13) an overflow is caught all the same" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    run program overflow steps old-kernel
    assert_overflow
    run program overflow steps filter
    assert_overflow
    run program overflow recycled old-kernel
    assert_status 1
    assert_output "overflow: stack overflow in task 'glutton' (64 KiB)"
}

@test "a fault that is no overflow kills the program as ever, in a task and in main()" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    local where
    for where in null main raised killed crowded; do
        run program fault "$where"
        assert_status $((128 + 11))
        [[ $output != *overflow* && $output != *survived* ]] || fail "$output"
    done
}

@test "a fault that is no overflow reaches the handler that the program had before" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    run program fault handled
    assert_status 3
    assert_output "the program's own handler"
}

@test "a write of another thread into a guard is not called an overflow" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    run program guard stray
    assert_status $((128 + 11))
    [[ $output != *overflow* ]] || fail "$output"
}

@test "an alternate signal stack of the program's own is kept, and serves an overflow" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    program guard alternate
    run program guard overflow
    assert_status 1
    assert_output "guard: stack overflow in task 'task' (64 KiB)"
}

@test "an overflow on the second thread that runs tasks is named, too" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    run program guard second
    assert_status 1
    assert_output "guard: stack overflow in task 'task' (64 KiB)"
}

@test "-fsanitize=safe-stack, which would give all tasks one stack, does not compile" {
    needs clang -fsanitize=safe-stack
    run clang -fsanitize=safe-stack "$chapter"/*.c -o "$BATS_TEST_TMPDIR/bakery"
    [[ $status != 0 ]]
    assert_contains "all tasks would share one unsafe stack"
}

@test "100,000 tasks, one after the other, leave memory and mappings as they were" {
    plain_only "it takes memory for itself"
    program flat turns
    program flat chain
}

@test "100,000 tasks, a hundred at once, leave memory and mappings as they were" {
    plain_only "it takes memory for itself"
    program flat rounds
}

@test "70,000 tasks at once take a page each, and no mapping for their guards" {
    plain_only "it takes memory for itself"
    program guards || skip "this kernel has no MADV_GUARD_INSTALL"
    (($(awk '/^MemAvailable/ {print $2}' /proc/meminfo) > 1500000)) ||
        skip "less than 1.5 GB of memory is available"
    run program many 70000
    assert_status 0
    [[ $output =~ ^([0-9]+)' bytes each, '([0-9]+)' mappings'$ ]] || fail "$output"
    ((BASH_REMATCH[1] < 2 * $(getconf PAGESIZE))) || fail "$output"
    ((BASH_REMATCH[2] < 70000 / 16)) || fail "$output"
}

@test "with little memory go() fails with ENOMEM, and all others finish" {
    plain_only "it takes memory for itself"
    run program limits memory
    assert_status 0
    assert_output "$(words_for ENOMEM)"
    run program limits inside
    assert_status 0
    assert_output "$(words_for ENOMEM)"
}

@test "with no more mappings go() fails with EAGAIN, and all others finish" {
    plain_only "it takes memory for itself"
    run program limits mappings
    assert_status 0
    assert_output "$(words_for EAGAIN)"
}

@test "a switch makes no system call, nor do go() and the end of a task on a used stack" {
    plain_only "it calls the kernel for itself"
    run program syscalls
    [[ $status != 77 ]] || skip "this kernel has no seccomp"
    assert_status 0
    assert_output "no system call"
}

@test "a swapcontext does make a system call" {
    has_swapcontext || skip "this libc has no swapcontext()"
    plain_only "it calls the kernel for itself"
    run program syscalls
    [[ $status != 77 ]] || skip "this kernel has no seccomp"
    run program syscalls swapcontext
    assert_status $((128 + 9))
}

@test "a backtrace from a task ends at its first frame" {
    has_swapcontext || skip "this libc has no backtrace()"
    program backtrace unwind
    build "$programs/backtrace.c" "$BATS_TEST_TMPDIR/backtrace" -fno-omit-frame-pointer
    "$BATS_TEST_TMPDIR/backtrace" chain
}

@test "a backtrace by gdb ends at the trampoline" {
    plain_only "it has frames of its own"
    command -v gdb >/dev/null || skip "gdb is not installed"
    CFLAGS="-O2 -g" build "$chapter/bakery.c" "$BATS_TEST_TMPDIR/bakery"
    run gdb -q -batch -ex 'break report_turn' -ex run -ex bt "$BATS_TEST_TMPDIR/bakery"
    [[ $output == *"Breakpoint 1, "* ]] || skip "gdb cannot run programs here"
    # gdb shows the zero behind it, where a caller would be, as one more frame.
    output=${output%$'\n'#4*0x0000000000000000 in ??*}
    [[ $output == *$'\n#3 '*" in trampoline ("*([^#]) && $output != *"Backtrace stopped"* ]] || fail "$output"
}

@test "a yield inside printf() leaves the lock of stdout as it was" {
    has_swapcontext || skip "this libc has no conversions of one's own"
    plain_only "it has a printf() of its own"
    program locks
}

# --- sanitizers ---

# No false report in the bakery, in ticks and in recursion, built by $1 with
# -fsanitize=$2. Leaves program planted built.
clean_under() {
    plain_only "two of them do not mix"
    needs "$1" "-fsanitize=$2"
    local name
    export CC=$1 CFLAGS="-O1 -g -fsanitize=$2"
    export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=halt_on_error=1
    export TSAN_OPTIONS=atexit_sleep_ms=0
    for name in ticks recursion planted guard; do
        build "$programs/$name.c" "$BATS_TEST_TMPDIR/$name"
    done
    build "$chapter/bakery.c" "$BATS_TEST_TMPDIR/bakery"
    run "$BATS_TEST_TMPDIR/bakery"
    assert_status 0
    assert_output "$(log_of 10 10)"
    for name in "ticks everybody" "ticks started" "ticks start-and-end" recursion "guard thread"; do
        # shellcheck disable=SC2086 # a program and its argument
        run timeout 60 "$BATS_TEST_TMPDIR"/$name
        assert_status 0
        assert_output ""
    done
}

# The mistake $1 in a task is found: the report says $2.
assert_found() {
    run timeout 60 "$BATS_TEST_TMPDIR/planted" "$1"
    [[ $status != 0 ]] || fail "not found: $1"
    assert_contains "$2"
}

found_by_address_and_undefined() {
    assert_found return stack-use-after-return
    assert_found bounds stack-buffer-overflow
    assert_found heap heap-use-after-free
    assert_found undefined "signed integer overflow"
}

@test "Address- and UndefinedBehaviorSanitizer: nothing false, mistakes in tasks found (gcc)" {
    clean_under gcc address,undefined
    found_by_address_and_undefined
}

@test "ThreadSanitizer: nothing false, a race in a task found (clang)" {
    clean_under clang thread
    assert_found race "data race"
}

# --- demos ---

demo() {
    build "$chapter/demos/$1.c" "$BATS_TEST_TMPDIR/$1"
    run timeout 60 "$BATS_TEST_TMPDIR/$1"
}

@test "demo ucontext stops an oven in the middle, by the three calls of libc" {
    has_swapcontext || skip "this libc has no swapcontext()"
    demo ucontext
    assert_status 0
    assert_output "oven    | minute 1
counter | customer 1
oven    | minute 2
counter | customer 2
oven    | minute 3
counter | customer 3
counter | customer 4"
}

@test "demo foreign-frame yields three calls deep, and from inside qsort()" {
    demo foreign-frame
    assert_status 0
    [[ ${#lines[@]} == 10 ]] || fail "$output"
    local tick
    for tick in 1 2 3; do
        [[ ${lines[2 * tick - 2]} == "tick 0$tick | baker   | kneads loaf $tick, three calls deep" ]]
        [[ ${lines[2 * tick - 1]} == "tick 0$tick | cashier | serves customer $tick" ]]
    done
    [[ ${lines[6]} == "tick 04 | cashier | serves customer 4" ]]
    [[ ${lines[7]} == "tick 05 | cashier | serves customer 5" ]]
    # How often qsort() compares is libc's business; that is how often it was left.
    [[ ${lines[8]} =~ ^'tick '([0-9]+)' | baker   | qsort() was left and re-entered '([0-9]+)' times, in '([0-9]+)' ticks'$ ]]
    ((BASH_REMATCH[2] >= 5 && BASH_REMATCH[2] == BASH_REMATCH[3]))
    ((10#${BASH_REMATCH[1]} == BASH_REMATCH[3] + 4))
    [[ ${lines[9]} == "tick ${BASH_REMATCH[1]} | baker   | and the loaves are sorted: 250 500 750 1000 1500 2000" ]]
}

@test "demo overflow ends in one clear line, and the neighbours are untouched" {
    plain_only "it has its own eye on SIGSEGV and on frames"
    demo overflow
    assert_status 1
    assert_output "oven: folds a dough of a thousand layers
rolls: 0 of 4096 bytes spoiled
cakes: 0 of 4096 bytes spoiled
overflow: stack overflow in task 'oven' (64 KiB)"
}

@test "demo switch-cost shows three switches, and ours is the cheapest" {
    has_swapcontext || skip "this libc has no swapcontext()"
    plain_only "it calls the kernel for itself"
    demo switch-cost
    assert_status 0
    [[ ${#lines[@]} == 3 ]] || fail "$output"
    local i ways=("swapcontext()" "context_switch()" "two threads") tenths=()
    for i in 0 1 2; do
        [[ ${lines[i]} =~ ^([a-z_ ()]+[a-z\)])\ +([0-9]+)\.([0-9])' ns   ' ]] || fail "${lines[i]}"
        [[ ${BASH_REMATCH[1]} == "${ways[i]}" ]] || fail "${lines[i]}"
        tenths+=("${BASH_REMATCH[2]}${BASH_REMATCH[3]}")
    done
    ((tenths[1] < tenths[0] && tenths[1] < tenths[2])) || fail "$output"
}

@test "the ticks stop at INT_MAX, and the tasks do not" {
    [[ -z ${DIR:-} ]] || skip "it looks into the scheduler of this chapter"
    # shellcheck disable=SC2086 # CFLAGS are several words
    $CC "${warnings[@]}" $CFLAGS -I"$chapter" -I"$tests" "$programs/last-tick.c" \
        "$chapter"/{context,overflow,stack}.c -o "$BATS_TEST_TMPDIR/last-tick"
    timeout 60 "$BATS_TEST_TMPDIR/last-tick"
}
