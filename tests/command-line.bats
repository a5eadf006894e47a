#!/usr/bin/env bats
# What no chapter teaches and every bakery does: what it says of its arguments,
# and of a stdout that cannot be written. If N is set, for chapter N alone.
# shellcheck disable=SC2030,SC2031 # each test is a subshell

load helper
bats_require_minimum_version 1.5.0

setup_file() {
    local n
    for n in ${N:-1 2 3 4 5 6}; do
        mkdir "$BATS_FILE_TMPDIR/$n"
        build_chapter "$(cd "$course" && echo 0"$n"-*)" "$BATS_FILE_TMPDIR/$n"
    done
}

# Calls `try`, which each test defines, with the $bakery of each chapter that is
# named; its number is $1 there.
in_chapters() {
    local n tried=0
    for n in "$@"; do
        export bakery=$BATS_FILE_TMPDIR/$n/bakery
        [[ -z ${N:-} || $n == "$N" ]] || continue
        echo "chapter $n:"
        try "$n"
        tried=$((tried + 1))
    done
    ((tried > 0)) || skip "chapter $N has no such option"
}

# A log without the times, which differ from run to run.
timeless() { sed -E 's/[0-9]+\.[0-9]{2,3} s/T s/g'; }

# The bakery refuses the arguments after the first: nothing on stdout, status 2,
# and one line on stderr, which is its name and $1.
refuses() {
    local line="bakery: $1" said status=0
    shift
    said=$("$bakery" "$@" 2>&1 >"$BATS_TEST_TMPDIR/stdout") || status=$?
    [[ $said == "$line" ]] || fail "$*: said: $said; wanted: $line"
    [[ $status == 2 ]] || fail "$*: status $status, wanted 2"
    [[ ! -s $BATS_TEST_TMPDIR/stdout ]] || fail "$*: something on stdout"
}

@test "--quiet prints the summary of the whole log and nothing else" {
    try() {
        local options whole
        for options in "" "-b 12" "-b 0" "-c 0" "-b 1000 -c 1000"; do
            # shellcheck disable=SC2086 # several words
            bake $options
            whole=$(grep '^summary | ' <<<"$output")
            # shellcheck disable=SC2086
            bake $options --quiet
            assert_output "$whole"
        done
    }
    in_chapters 1 2 3 4
}

@test "short options, --bake=12, abbreviations and clusters mean the same" {
    try() {
        local wanted options
        bake --bake 12 --customers 3 --quiet
        wanted=$output
        for options in "-b 12 -c 3 -q" "-b12 -c3 -q" "--bake=12 --customers=3 --quiet" \
            "-qb12 -c3" "-qb 12 -c 3" "-q -c 3 --bake 12" "--ba 12 --cust=3 --qu" \
            "-b 7 -b 12 -c 3 -q" "-q -b 0012 -c 3" "-b 12 -c 3 -q --"; do
            # shellcheck disable=SC2086 # several words
            bake $options
            assert_output "$wanted"
        done
    }
    in_chapters 1 2 3 4
}

@test "--blocking and --workers can be shortened, too" {
    try() {
        local long=--blocking short=(-b --bl) wanted options
        [[ $1 == 5 ]] || long="--workers 1" short=("-w 1" -w1 --workers=1 "--work 1")
        # shellcheck disable=SC2086 # several words
        bake $long 0.03 0.01
        wanted=$(timeless <<<"$output")
        bake 0.03 0.01
        [[ $(timeless <<<"$output") != "$wanted" ]] || fail "$long makes no difference"
        for options in "${short[@]}"; do
            # shellcheck disable=SC2086
            bake $options 0.03 0.01
            diff <(echo "$wanted") <(timeless <<<"$output")
        done
    }
    in_chapters 5 6
}

@test "--help explains every option on stdout, wherever it stands" {
    try() {
        local help words word before="--quiet --bake 12"
        words=("-b, --bake MINUTES" "-c, --customers N" "-q, --quiet" "0 to 1000 (default 10)")
        [[ $1 != 5 ]] || words=("[SECONDS...]" "-b, --blocking") before="-b 3 2"
        [[ $1 != 6 ]] || words=("[SECONDS...]" "-w, --workers N" "(default 4)") before="-w 2 3 2"
        bake --help
        help=$output
        for word in "usage: " "/bakery [" "-h, --help" "${words[@]}"; do
            [[ $help == *"$word"* ]] || fail "nothing about: $word"
        done
        # shellcheck disable=SC2086 # several words
        bake $before -h
        assert_output "$help"
        bake -h
        assert_output "$help"
    }
    in_chapters 1 2 3 4 5 6
}

@test "what is not a whole number from 0 to 1000 is refused, for either option" {
    try() {
        local value wrong
        for value in ten "" " " " 5" "5 " -1 -0 +1 -9999999999 10.0 1,5 1e2 0x10 5min \
            1001 2147483648 4294967296 18446744073709551616 \
            99999999999999999999999999999999 ½ inf --quiet; do
            wrong="'$value' is not a whole number from 0 to 1000"
            refuses "--bake: $wrong" --bake "$value"
            refuses "--customers: $wrong" -c "$value"
            refuses "--customers: $wrong" "--customers=$value"
        done
    }
    in_chapters 1 2 3 4
}

@test "the ends of the range are allowed" {
    try() {
        bake --quiet --bake 0 --customers 1000
        bake --quiet --bake 1000 --customers 0
    }
    in_chapters 1 2 3 4
}

@test "what is no number of seconds from 0 to 1000 is refused" {
    try() {
        local value
        for value in bread 1s "" " 1" 1.2.3 . 0x10 1e3 inf nan 1000.5 1001 \
            99999999999999999999; do
            refuses "SECONDS: '$value' is not a number from 0 to 1000" "$value"
        done
        refuses "SECONDS: '-1' is not a number from 0 to 1000" -- -1
        refuses "SECONDS: '-0' is not a number from 0 to 1000" -- -0
    }
    in_chapters 5 6
}

@test "what is no number of workers from 1 to 1000 is refused" {
    try() {
        local value
        for value in two -1 1.5; do
            refuses "--workers: '$value' is not a whole number from 1 to 1000" --workers "$value"
        done
        for value in "" 0 1001 99999999999; do
            refuses "--workers: '$value' is not a number from 1 to 1000" -w "$value"
        done
    }
    in_chapters 6
}

@test "an option without its number is refused" {
    try() {
        local option options=(--bake --customers -b -c) before=--quiet
        local wanted="needs a whole number from 0 to 1000"
        [[ $1 != 6 ]] || options=(--workers -w) before=3 wanted="needs a value; --help says which"
        for option in "${options[@]}"; do
            refuses "$option: $wanted" "$option"
            refuses "$option: $wanted" "$before" "$option"
        done
    }
    in_chapters 1 2 3 4 6
}

@test "an unknown option is refused, and the line says which there are" {
    try() {
        local option options=(--oven --bakes --Bake -x -Q -1 --quiet=1) first=(--bake 5) flag=q
        local there="not an option here; --bake MINUTES, --customers N, --quiet and --help are"
        [[ $1 != [56] ]] || there="not an option here; --help lists them"
        [[ $1 != 5 ]] || options=(--oven -x -1 --workers --blocking=1) first=(--blocking) flag=b
        [[ $1 != 6 ]] || options=(--oven -x -1 --blocking -b --help=1) first=(--workers 5) flag=w1
        for option in "${options[@]}"; do
            refuses "$option: $there" "$option"
            refuses "$option: $there" "${first[@]}" "$option"
        done
        [[ $1 == 6 ]] || refuses "-x: $there" "-x$flag"
        [[ $1 == 6 ]] || refuses "-x: $there" "-${flag}x"
    }
    in_chapters 1 2 3 4 5 6
}

@test "a word that belongs to no option is refused" {
    try() {
        local word wrong="nothing goes here; the bakery takes options alone, see --help"
        for word in 12 bread - "" "two words"; do
            refuses "$word: $wrong" "$word"
            refuses "$word: $wrong" --quiet -- "$word"
        done
    }
    in_chapters 1 2 3 4
}

@test "of several wrong arguments the first is named" {
    try() {
        case $1 in
        [1-4]) refuses "--bake: 'x' is not a whole number from 0 to 1000" --bake x --customers y --oven ;;
        *) refuses "SECONDS: 'bread' is not a number from 0 to 1000" 3 2 bread butter ;;
        esac
    }
    in_chapters 1 2 3 4 5 6
}

@test "a message begins with the name under which the program was started" {
    try() {
        local said status=0
        ln -sf "$bakery" "$BATS_TEST_TMPDIR/backstube"
        said=$("$BATS_TEST_TMPDIR/backstube" --oven 2>&1) || status=$?
        [[ $status == 2 && $said == "backstube: --oven: "* ]] || fail "status $status: $said"
    }
    in_chapters 1 2 3 4 5 6
}

# Arguments of chapter $1 that print the whole log, the least of one, and help.
set_cases() {
    cases=("" --quiet --help "-b 1000")
    [[ $1 == [1-4] ]] || cases=(0.05 "0 0" --help)
}

# The shell command $2, in which "$bakery" cannot write, with the arguments of
# chapter $1: one line that says $3, status 1.
cannot_write() {
    local cases options
    set_cases "$1"
    for options in "${cases[@]}"; do
        # shellcheck disable=SC2086 # several words
        run --separate-stderr bash -c "$2" _ $options
        assert_status 1
        [[ -z $output ]] || fail "$options: on stdout: $output"
        [[ $stderr == "bakery: cannot write to standard output: $3" ]] ||
            fail "$options: said: $stderr"
    done
}

# shellcheck disable=SC2016 # for the inner shell
@test "a full disk is an error, one line" {
    [[ -w /dev/full ]] || skip "no /dev/full here"
    try() { cannot_write "$1" '"$bakery" "$@" >/dev/full' "No space left on device"; }
    in_chapters 1 2 3 4 5 6
}

# shellcheck disable=SC2016 # for the inner shell
@test "a closed stdout is an error, one line" {
    try() { cannot_write "$1" '"$bakery" "$@" >&-' "Bad file descriptor"; }
    in_chapters 1 2 3 4 5 6
}

# shellcheck disable=SC2016 # for the inner shell
@test "a pipe that nobody reads any more is an error, one line" {
    cd "$BATS_TEST_TMPDIR"
    mkfifo pipe
    try() { cannot_write "$1" 'exec 8<>pipe 9>pipe 8>&-; "$bakery" "$@" >&9' "Broken pipe"; }
    in_chapters 1 2 3 4 5 6
}

@test "stdin, stderr or both may be closed from the start; all three are an error" {
    try() {
        local out=$BATS_TEST_TMPDIR/out arguments=() wanted
        [[ $1 == [1-4] ]] || arguments=(0.05)
        bake "${arguments[@]}"
        wanted=$(timeless <<<"$output")
        "$bakery" "${arguments[@]}" <&- >"$out"
        diff <(echo "$wanted") <(timeless <"$out")
        "$bakery" "${arguments[@]}" 2>&- >"$out"
        diff <(echo "$wanted") <(timeless <"$out")
        "$bakery" "${arguments[@]}" <&- 2>&- >"$out"
        diff <(echo "$wanted") <(timeless <"$out")
        status=0
        "$bakery" "${arguments[@]}" <&- >&- 2>&- || status=$?
        assert_status 1
    }
    in_chapters 1 2 3 4 5 6
}
