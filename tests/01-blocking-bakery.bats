#!/usr/bin/env bats
# Chapter 1: one thread, one thing after another. What the command line and the
# log promise here holds in chapters 2 to 4 too: the modules are the same.

load helper
bats_require_minimum_version 1.5.0

setup_file() {
    build_chapter 01-blocking-bakery
}

# The bakery runs with the arguments, and stderr stays empty.
bake() {
    run --separate-stderr "$bakery" "$@"
    assert_status 0
    [[ -z $stderr ]] || fail "on stderr: $stderr"
}

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

# The shell command $1, in which "$bakery" cannot write: one line that says $2,
# status 1.
cannot_write() {
    run --separate-stderr bash -c "$1"
    assert_status 1
    [[ -z $output ]] || fail "on stdout: $output"
    [[ $stderr == "bakery: cannot write to standard output: $2" ]] ||
        fail "said: $stderr"
}

@test "the log has a line for each minute, then the timeline, then the summary" {
    bake
    assert_output "\
minute 01 | oven    | batch baking   | 9 min remaining; 10 waiting
minute 02 | oven    | batch baking   | 8 min remaining; 10 waiting
minute 03 | oven    | batch baking   | 7 min remaining; 10 waiting
minute 04 | oven    | batch baking   | 6 min remaining; 10 waiting
minute 05 | oven    | batch baking   | 5 min remaining; 10 waiting
minute 06 | oven    | batch baking   | 4 min remaining; 10 waiting
minute 07 | oven    | batch baking   | 3 min remaining; 10 waiting
minute 08 | oven    | batch baking   | 2 min remaining; 10 waiting
minute 09 | oven    | batch baking   | 1 min remaining; 10 waiting
minute 10 | oven    | batch baking   | 0 min remaining; 10 waiting
minute 11 | cashier | serve customer | #01 served
minute 12 | cashier | serve customer | #02 served
minute 13 | cashier | serve customer | #03 served
minute 14 | cashier | serve customer | #04 served
minute 15 | cashier | serve customer | #05 served
minute 16 | cashier | serve customer | #06 served
minute 17 | cashier | serve customer | #07 served
minute 18 | cashier | serve customer | #08 served
minute 19 | cashier | serve customer | #09 served
minute 20 | cashier | serve customer | #10 served

minute   01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20
oven      █  █  █  █  █  █  █  █  █  █
cashier                                 █  █  █  █  █  █  █  █  █  █

summary | 20 minutes; first customer served at minute 11"
}

@test "ten minutes of baking and ten customers take twenty minutes" {
    bake --quiet
    assert_output "summary | 20 minutes; first customer served at minute 11"
}

@test "an oven that takes 12 minutes makes everybody wait two more" {
    bake --bake 12 --quiet
    assert_output "summary | 22 minutes; first customer served at minute 13"
}

@test "--quiet prints the summary of the whole log and nothing else" {
    local options whole
    for options in "" "-b 12" "-b 0" "-c 0" "-b 1000 -c 1000"; do
        # shellcheck disable=SC2086 # several words
        bake $options
        whole=${lines[-1]}
        # shellcheck disable=SC2086
        bake $options --quiet
        assert_output "$whole"
    done
}

blank="    " # at the end of a line

@test "with no customers the oven bakes for nobody" {
    bake --bake 2 --customers 0
    assert_output "\
minute 01 | oven    | batch baking   | 1 min remaining; 0 waiting
minute 02 | oven    | batch baking   | 0 min remaining; 0 waiting

minute   01 02
oven      █  █
cashier   $blank

summary | 2 minutes; no customer came"
}

@test "with nothing to bake the first customer is served in the first minute" {
    bake --bake 0 --customers 1
    assert_output "\
minute 01 | cashier | serve customer | #01 served

minute   01
oven$blank
cashier   █

summary | 1 minute; first customer served at minute 1"
}

@test "with nothing to bake and no customers the day has no minutes" {
    bake --bake 0 --customers 0
    [[ ${#lines[@]} == 1 ]] || fail "more than the summary: $output"
    [[ ${lines[0]} == "summary | 0 minutes; no customer came" ]] || fail "$output"
}

@test "one minute of baking and one customer" {
    bake --bake 1 --customers 1
    [[ ${lines[0]} == "minute 01 | oven    | batch baking   | 0 min remaining; 1 waiting" ]]
    [[ ${lines[1]} == "minute 02 | cashier | serve customer | #01 served" ]]
    [[ ${lines[-1]} == "summary | 2 minutes; first customer served at minute 2" ]]
}

@test "a thousand minutes and a thousand customers, each in their own minute" {
    bake --bake 1000 --customers 1000
    diff <(grep '^minute [0-9]* |' <<<"$output") <(
        for ((i = 1; i <= 1000; i++)); do
            printf 'minute %02d | oven    | batch baking   | %d min remaining; 1000 waiting\n' \
                $i $((1000 - i))
        done
        for ((i = 1; i <= 1000; i++)); do
            printf 'minute %02d | cashier | serve customer | #%02d served\n' $((1000 + i)) $i
        done
    )
    [[ ${lines[-1]} == "summary | 2000 minutes; first customer served at minute 1001" ]]
}

@test "a timeline of any length shows each minute once, within 80 columns" {
    local day bake customers timeline
    for day in "0 1" "1 0" "24 0" "0 25" "12 87" "99 1" "999 1" "1000 1000"; do
        read -r bake customers <<<"$day"
        bake --bake "$bake" --customers "$customers"
        timeline=$(sed '/ | /d; s/█/#/g' <<<"$output")
        diff <(grep -o '[0-9]*' <<<"$timeline" | sed 's/^0*//') \
            <(seq $((bake + customers)))
        [[ $(grep '^oven' <<<"$timeline" | tr -dc '#' | wc -c) == "$bake" ]]
        [[ $(grep '^cashier' <<<"$timeline" | tr -dc '#' | wc -c) == "$customers" ]]
        if grep '.\{81\}' <<<"$timeline"; then fail "$day: wider than 80 columns"; fi
    done
}

@test "short options, --bake=12, abbreviations and clusters mean the same" {
    bake --bake 12 --customers 3 --quiet
    local wanted=$output options
    for options in "-b 12 -c 3 -q" "-b12 -c3 -q" "--bake=12 --customers=3 --quiet" \
        "-qb12 -c3" "-qb 12 -c 3" "-q -c 3 --bake 12" "--ba 12 --cust=3 --qu" \
        "-b 7 -b 12 -c 3 -q" "-q -b 0012 -c 3" "-b 12 -c 3 -q --"; do
        # shellcheck disable=SC2086 # several words
        bake $options
        assert_output "$wanted"
    done
}

@test "--help explains every option on stdout, wherever it stands" {
    bake --help
    local help=$output word
    for word in "usage: ./bakery" "-b, --bake MINUTES" "-c, --customers N" \
        "-q, --quiet" "-h, --help" "0 to 1000 (default 10)"; do
        [[ $help == *"$word"* ]] || fail "nothing about: $word"
    done
    bake -h
    assert_output "$help"
    bake --quiet --bake 12 -h
    assert_output "$help"
}

@test "what is not a whole number from 0 to 1000 is refused, for either option" {
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

@test "the ends of the range are allowed, the next numbers are not" {
    bake --quiet --bake 0 --customers 1000
    assert_output "summary | 1000 minutes; first customer served at minute 1"
    bake --quiet --bake 1000 --customers 0
    assert_output "summary | 1000 minutes; no customer came"
    refuses "--bake: '1001' is not a whole number from 0 to 1000" --bake 1001
    refuses "--customers: '-1' is not a whole number from 0 to 1000" --customers -1
}

@test "an option without its number is refused" {
    local option
    for option in --bake --customers -b -c; do
        refuses "$option: needs a whole number from 0 to 1000" $option
        refuses "$option: needs a whole number from 0 to 1000" --quiet $option
    done
}

@test "an unknown option is refused, and the line says which there are" {
    local there="not an option here; --bake MINUTES, --customers N, --quiet and --help are"
    local option
    for option in --oven --bakes --Bake -x -Q -1 --quiet=1; do
        refuses "$option: $there" "$option"
        refuses "$option: $there" --bake 5 "$option" --quiet
    done
    refuses "-x: $there" -qx
    refuses "-x: $there" --quiet -xq
}

@test "a word that belongs to no option is refused" {
    local word
    for word in 12 bread - "" "two words"; do
        refuses "$word: nothing goes here; the bakery takes options alone, see --help" \
            "$word"
        refuses "$word: nothing goes here; the bakery takes options alone, see --help" \
            --quiet -- "$word"
    done
}

@test "of several wrong arguments the first is named" {
    refuses "--bake: 'x' is not a whole number from 0 to 1000" \
        --bake x --customers y --oven
}

@test "a message begins with the name under which the program was started" {
    ln -s "$bakery" "$BATS_TEST_TMPDIR/backstube"
    run --separate-stderr "$BATS_TEST_TMPDIR/backstube" --bake x
    assert_status 2
    [[ $stderr == "backstube: --bake: 'x' is"* ]] || fail "said: $stderr"
}

@test "a full disk is an error, one line" {
    [[ -w /dev/full ]] || skip "no /dev/full here"
    # shellcheck disable=SC2016 # for the inner shell
    for options in "" --quiet --help "-b 1000"; do
        cannot_write '"$bakery" '"$options"' >/dev/full' "No space left on device"
    done
}

@test "a closed stdout is an error, one line" {
    # shellcheck disable=SC2016 # for the inner shell
    for options in "" --quiet --help "-b 1000"; do
        cannot_write '"$bakery" '"$options"' >&-' "Bad file descriptor"
    done
}

@test "a pipe that nobody reads any more is an error, one line" {
    cd "$BATS_TEST_TMPDIR"
    mkfifo pipe
    # shellcheck disable=SC2016 # for the inner shell
    for options in "" --quiet --help "-b 1000"; do
        cannot_write 'exec 8<>pipe 9>pipe 8>&-; "$bakery" '"$options"' >&9' "Broken pipe"
    done
}
