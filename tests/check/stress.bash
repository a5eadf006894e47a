# Part of make check: programs that do things at random, from a seed.
# shellcheck shell=bash

# Runs program $1 of this folder with chapter $2, and the number $3.
random() {
    local program=$1 folder=$2 count=$3 limit=60
    [[ -z $LONG ]] || limit=300
    compile "tests/check/$program.c" "$folder" "$scratch/$program" "${cc[@]}" -O2 -g
    from_seed "$limit" "$scratch/$program" "$SEED" "$count"
}

stress() {
    local folder rounds=3 times=1000
    [[ -z $LONG ]] || rounds=100 times=20000
    for folder in 0[456]-*; do
        [[ -n $LONG || $folder != 05* ]] || continue
        check "$folder: tasks at random, seed $SEED, $rounds rounds" \
            random tasks "$folder" "$rounds"
    done
    for folder in 0[56]-*; do
        [[ -n $LONG || $folder != 05* ]] || continue
        check "$folder: descriptors, timers and jobs at random, seed $SEED, $rounds rounds" \
            random events "$folder" "$rounds"
    done
    check "06-thread-pool-wakeup: a pool starts and stops $times times, seed $SEED" \
        random pools 06-thread-pool-wakeup "$times"
}
