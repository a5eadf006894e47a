#!/usr/bin/env bats
# The texts say what the programs do: transcripts are run, quotes are compared.

load helper

unset MAKEFLAGS MAKELEVEL MFLAGS ALL FILE SIDE # of the make that runs this: a reader has none

texts() {
    (cd "$course" && printf '%s\n' README.md 0[1-6]-*/README.md tests/README.md)
}

setup_file() {
    # A copy to build and run in, so that nothing is left in the course.
    export copy="$BATS_FILE_TMPDIR/the course"
    mkdir "$copy"
    (cd "$course" && tar -cf - --exclude=.git --exclude='*.o' --exclude='*.d' .) |
        tar -xf - -C "$copy"
    make -s -C "$copy" CC="$CC" >/dev/null
}

# Calls $1 for each block of kind $2 in text $3 with its file, folder and line.
each_block() {
    local blocks=$BATS_TEST_TMPDIR/blocks block failed=0 line info comment
    rm -rf "$blocks" && mkdir "$blocks"
    awk -v dir="$blocks" -f "$tests/texts/blocks.awk" "$course/$3"
    for block in "$blocks"/*."$2"; do
        [[ -e $block ]] || continue
        IFS=$'\x1f' read -r line info comment < <(head -n 1 "$block" | tr '\t' '\037')
        tail -n +2 "$block" >"$block.body"
        "$1" "$block.body" "$(dirname "$3")" "$info" "$comment" ||
            { echo "$3:$line: see above" && failed=1; }
    done
    return "$failed"
}

# Runs the commands of a console block and compares what they print.
check_console() {
    local body=$1 folder=$2 comment=$4 command='' at
    [[ $comment != "not run: "* ]] || return 0
    : >"$body.wanted"
    : >"$body.got"
    while IFS= read -r at; do
        if [[ $at == '$ '* ]]; then
            command=${at#'$ '}
            echo "$at" >>"$body.got"
            (cd "$copy/$folder" && timeout 120 bash -c "$command") >>"$body.got" 2>&1 </dev/null || true
        fi
        echo "$at" >>"$body.wanted"
    done <"$body"
    sed -E -i -f "$tests/texts/normal.sed" "$body.wanted" "$body.got"
    awk -f "$tests/texts/compare.awk" "$body.wanted" "$body.got"
}

# A c block names the file that it quotes, or says why it quotes none.
check_quote() {
    local body=$1 folder=$2 file=$3 comment=$4
    [[ $comment != "not quoted: "* ]] || return 0
    [[ -n $file ]] || fail "a c block without a file name"
    contains "$course/$folder/$file" "$body" || fail "not in $folder/$file: $(head -n 1 "$body")"
}

# A diff block stands in what make diff prints for this chapter.
check_diff() {
    local body=$1 folder=$2
    local changes=$BATS_TEST_TMPDIR/diff.${folder:1:1}
    [[ -e $changes ]] || (cd "$course" && .make/diff "${folder:1:1}") >"$changes"
    contains "$changes" "$body" || fail "not in make diff N=${folder:1:1}: $(head -n 1 "$body")"
}

# Whether the lines of file $2 stand in file $1, in a row.
contains() {
    awk 'NR == FNR { part[++n] = $0; next }
         { line[++m] = $0 }
         END {
             for (i = 1; i <= m - n + 1 && n > 0; i++) {
                 for (j = 1; j <= n && line[i + j - 1] == part[j]; j++);
                 if (j > n) exit 0
             }
             exit 1
         }' "$2" "$1"
}

# The relative links of a text lead somewhere.
check_links() {
    local text=$1 link failed=0
    while IFS= read -r link; do
        [[ -e $course/$(dirname "$text")/${link%%#*} ]] || { echo "$text: no $link" && failed=1; }
    done < <(grep -oE '\]\([^)]+\)|src="[^"]+"' "$course/$text" | sed -E 's/^(\]\(|src=")//; s/[)"]$//' | grep -vE '^(https?:|#)')
    return "$failed"
}

# What a text names in `code`: files, and targets of make. The last section of a
# chapter names files of other projects.
names() {
    # shellcheck disable=SC2016 # the backquotes are Markdown's
    sed -E '/^## (Where this lives|Further reading)/,$d; /^ *```/d' "$1" |
        grep -oE '`[^`]+`' | tr -d '`' |
        grep -E '^(make [a-z]|(\.\./)?(0[1-6]-|demos/|exercises/|tests/|\.make/)[^ *<]*$|[a-z_-]+\.[ch]$)'
}

check_names() {
    local text=$1 name failed=0 folder
    folder=$copy/$(dirname "$text") # where all is built
    while IFS= read -r name; do
        if [[ $name == "make "* ]]; then
            name=${name#make }
            name=${name%% *}
            grep -qhE "^([a-z ]+ )?$name( [a-z ]+)?:" "$copy/Makefile" "$folder/Makefile" ||
                { echo "$text: no target $name" && failed=1; }
        else
            [[ -e $folder/$name || -e $copy/$name ]] ||
                { echo "$text: no $name" && failed=1; }
        fi
    done < <(names "$course/$text")
    return "$failed"
}

@test "every transcript in the root README is what the commands print" {
    each_block check_console console README.md
}

for_each_text() {
    local text failed=0
    while IFS= read -r text; do "$@" "$text" || failed=1; done < <(texts)
    return "$failed"
}

@test "every transcript in chapter 1 is what the commands print" {
    each_block check_console console 01-blocking-bakery/README.md
}

@test "every transcript in chapter 2 is what the commands print" {
    each_block check_console console 02-stackless-steps/README.md
}

@test "every transcript in chapter 3 is what the commands print" {
    each_block check_console console 03-duffs-device/README.md
}

@test "every transcript in chapter 4 is what the commands print" {
    each_block check_console console 04-ucontext-coroutines/README.md
}

@test "every transcript in chapter 5 is what the commands print" {
    each_block check_console console 05-epoll-netpoller/README.md
}

@test "every transcript in chapter 6 is what the commands print" {
    each_block check_console console 06-thread-pool-wakeup/README.md
}

@test "every quoted piece of code stands in the file that it names" {
    for_each_text each_block check_quote c
}

@test "every quoted hunk stands in what make diff prints" {
    for_each_text each_block check_diff diff
}

@test "make diff says why each hunk is there, and has a place for each file" {
    local n story
    cd "$course"
    for n in 2 3 4 5 6; do
        story=.make/story/$n
        .make/diff $n >"$BATS_TEST_TMPDIR/printed"
        awk -v story="$story" -f "$tests/texts/story.awk" "$story" "$BATS_TEST_TMPDIR/printed"
    done >"$BATS_TEST_TMPDIR/missing"
    [[ ! -s $BATS_TEST_TMPDIR/missing ]] || fail "$(<"$BATS_TEST_TMPDIR/missing")"
}

@test "every link in a text leads somewhere" {
    for_each_text check_links
}

@test "the map of the tests names every file of tests" {
    local file
    while read -r file; do
        grep -qF "]($file)" "$tests/README.md" || fail "nothing about $file"
    done < <(cd "$tests" && printf '%s\n' *.bats check/*.bats)
}

@test "no placeholder is left in a text" {
    run grep -nE '^[A-Z]+-[A-Z]+$' "$course"/README.md "$course"/{0*,tests}/README.md
    assert_status 1
}

@test "every file and every target of make that a text names exists" {
    for_each_text check_names
}

@test "the pictures of chapters 1 to 4 are what make picture draws" {
    local n folder
    for n in 1 2 3 4; do
        (cd "$copy" && .make/picture picture "$n")
        for folder in 0"$n"-*/; do
            cmp "$course/$folder/timeline.svg" "$copy/$folder/timeline.svg"
        done
    done
}

@test "the pictures of chapters 5 and 6 have a bar for each oven" {
    local picture
    for picture in "$course"/05-*/timeline.svg "$course"/05-*/blocking.svg "$course"/06-*/timeline.svg; do
        [[ $(grep -c '<rect ' "$picture") == 3 ]] || fail "$picture"
    done
}

@test "make trace writes one event for each turn, and names who has them" {
    (cd "$copy" && .make/picture trace 2)
    local trace=$copy/02-stackless-steps/trace.json
    [[ $(head -n 1 "$trace") == "[" && $(tail -n 1 "$trace") == "]" ]]
    [[ $(grep -c '"ph": "X"' "$trace") == 20 ]]
    [[ $(grep -c '"thread_name"' "$trace") == 2 ]]
    grep -qF '{"name": "serve customer", "ph": "X", "pid": 1, "tid": 2, "ts": 9000000, "dur": 1000000}' "$trace"
}

@test "make doctor says a line for each thing, and fails if one that is needed is missing" {
    run "$copy/.make/doctor"
    assert_status 0
    [[ $output == *"  ok  bats "* && $output != *"  !!  "* ]]
    CC=no-such-compiler run "$copy/.make/doctor"
    assert_status 1
    [[ $output == *"  !!  no-such-compiler "*" gcc"*"is missing"* ]]
}
