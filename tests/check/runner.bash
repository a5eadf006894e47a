# Sourced by .make/check: runs checks, two or more at a time, and counts them.
# shellcheck shell=bash
#
# A check is a name and a command. Its log is shown if it fails. If it called
# skip(), the last line of its log says what was missing.
#
# shellcheck disable=SC2030,SC2031 # each check is a subshell, with its $scratch

work=$(mktemp -d)
at_once=$(nproc)
# shellcheck disable=SC2034 # for the parts
read -ra cc <<<"${CC:-cc}"
started=0 shown=0 passed=0 failed=0 skipped=0

# What every compilation gets. Warnings are errors.
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

# Ends process $1 and what it has started; timeout(1) passes it on.
end_tree() {
    local child children=()
    read -ra children 2>/dev/null <"/proc/$1/task/$1/children" || true
    for child in "${children[@]}"; do
        end_tree "$child"
    done
    kill "$1" 2>/dev/null || true
}

end_all() {
    local pid
    for pid in $(jobs -p); do
        end_tree "$pid"
    done
    rm -rf "$work"
}
trap end_all EXIT
trap 'exit 1' INT TERM

# For a check that cannot run here, because of $*.
skip() {
    echo "$*"
    touch "$scratch.skipped"
    exit 1
}

# For a check: skipped unless these commands are there.
needs() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is missing"
    done
}

# For a check: it has failed, for the reason $*.
fail() {
    printf '%s\n' "$*"
    exit 1
}

show() {
    local number=$1 status name
    status=$(<"$work/$number.status")
    name=$(<"$work/$number.name")
    if [[ $status == 0 ]]; then
        printf 'ok %d %s\n' "$number" "$name"
        passed=$((passed + 1))
    elif [[ -e $work/$number.skipped ]]; then
        printf 'ok %d %s # skip %s\n' "$number" "$name" "$(tail -n 1 "$work/$number.log")"
        skipped=$((skipped + 1))
    else
        printf 'not ok %d %s\n' "$number" "$name"
        tail -n 40 "$work/$number.log" | sed 's/^/# /'
        failed=$((failed + 1))
    fi
}

# Shows what is finished, in the order in which it was started.
show_finished() {
    while [[ -s $work/$((shown + 1)).status ]]; do
        shown=$((shown + 1))
        show "$shown"
    done
}

# Starts the check $1, which is the command that follows, with a folder of its
# own in $scratch.
check() {
    local name=$1 number=$((++started))
    shift
    while (($(jobs -rp | wc -l) >= at_once)); do
        wait -n || true
        show_finished
    done
    echo "$name" >"$work/$number.name"
    mkdir "$work/$number"
    {
        # Not in front of ||, or -e would not hold in there.
        (
            trap - EXIT
            set -e
            scratch=$work/$number
            "$@"
        ) >"$work/$number.log" 2>&1 </dev/null &
        status=0
        wait $! || status=$?
        rm -rf "${work:?}/$number"
        echo "$status" >"$work/$number.status"
    } &
}

finish() {
    while (($(jobs -rp | wc -l) > 0)); do
        wait -n || true
        show_finished
    done
    show_finished
    ((shown == started)) || fail "check $((shown + 1)) came to no end"
}

# For a check: a program that does things at random from $SEED, and says so.
from_seed() {
    within "$@" | tee "$scratch/said"
    grep -q '^seed ' "$scratch/said" || fail "not a word of the seed: ${*:2}"
}

# For a check: the command must end within $1 seconds, whatever its status.
within() {
    local seconds=$1 status=0
    shift
    timeout -k 5 "$seconds" "$@" || status=$?
    ((status != 124 && status != 137)) || fail "still running after $seconds s: $*"
    return "$status"
}

# The command that follows must fail, and say $1.
finds() {
    local report=$1 status=0
    shift
    within 60 "$@" >"$scratch/found" 2>&1 || status=$?
    ((status != 0)) || fail "not found by $*: $report"
    grep -q "$report" "$scratch/found" || fail "$* found: $(cat "$scratch/found")"
}

# Builds $1 with the modules of chapter $2 into $3, by the compiler and the
# flags that follow: the same in all of one check, as the modules are compiled
# once.
compile() {
    local source=$1 folder=$2 program=$3 objects=$scratch/objects-$2 root=$PWD
    shift 3
    if [[ ! -d $objects ]]; then
        mkdir "$objects"
        (cd "$objects" && "$@" "${warnings[@]}" -pthread -c "$root/$folder"/*.c)
        rm "$objects/bakery.o"
    fi
    "$@" "${warnings[@]}" -pthread -I"$folder" -Itests "$source" "$objects"/*.o -o "$program"
}

# What the bakery $2 of chapter $1 prints, without what differs from run to run.
# What goes before the program (an emulator) follows.
bake() {
    local number=$1 bakery=$2
    shift 2
    case $number in
    [1-4]) within 60 "$@" "$bakery" --bake 12 --customers 7 ;;
    *) within 60 "$@" "$bakery" 0.2 0.1 0 | sed -E 's/[0-9]+\.[0-9]{2,3} s/T s/g' | sort ;;
    esac
}
