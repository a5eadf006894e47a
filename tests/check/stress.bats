#!/usr/bin/env bats
# Part of make check: programs that do things at random, from a seed.

load helper

# Runs program $1 of this folder with chapter $2, and the number $3 or, when it
# may take long, $4.
random() {
    local program=$1 folder=$2 count=$3 limit=60
    [[ -z $LONG ]] || count=$4 limit=300
    echo "$folder: SEED=$SEED, $count rounds"
    # shellcheck disable=SC2086 # CC may be several words
    compile "tests/check/$program.c" "$folder" "$scratch/$program" $CC -O2 -g
    from_seed "$limit" "$scratch/$program" "$SEED" "$count"
}

@test "tasks at random" {
    random tasks 04-ucontext-coroutines 3 100
    [[ -z $LONG ]] || random tasks 05-epoll-netpoller 3 100
    random tasks 06-thread-pool-wakeup 3 100
}

@test "descriptors, timers and jobs at random" {
    [[ -z $LONG ]] || random events 05-epoll-netpoller 3 100
    random events 06-thread-pool-wakeup 3 100
}

@test "a pool starts and stops a thousand times" {
    random pools 06-thread-pool-wakeup 1000 20000
}
