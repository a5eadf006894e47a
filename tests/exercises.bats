#!/usr/bin/env bats
# The exercises: each can be solved, none is solved already, and no answer,
# however rude, hurts the reader.
# shellcheck disable=SC2016,SC2030,SC2031 # not meant to expand; @test is a subshell

load helper

exercises() {
    (cd "$course" && printf '%s\n' 0[1-6]-*/exercises/*/)
}

# In a copy, where nobody's answers are touched: the course, without what was
# built and what readers keep.
copy_course() {
    mkdir "$1"
    (cd "$course" && tar -cf - --exclude=.git --exclude='*.[od]' --exclude='answer*' \
        --exclude=.hints --exclude=.solved .) | tar -xf - -C "$1"
}

# The commands in a README, and what they print: console blocks of README $1,
# with the `$ ` of the command.
console() { sed -n '/^```console$/,/^```$/{/^```/!p}' "$1"; }

# The same as program $2 prints it. Times differ from run to run.
replay() {
    local at
    cp "$2" "$3/answer"
    console "$1" | sed -n 's/^\$ //p' | while IFS= read -r at; do
        printf '$ %s\n' "$at"
        (cd "$3" && timeout 60 bash -c "$at" </dev/null)
    done
}

# The first transcript as a C program, whatever its arguments.
cheat() {
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    sed -e '1d' -e '/^\$ /,$d' -e 's/[\\"]/\\&/g' -e 's/.*/puts("&");/' "$1"
    echo '}'
}

# Builds the three programs of exercise folder $1 in $2 and checks each, up to the
# first failure; the verdicts are files there.
judge() {
    local folder=$1 results=$2 which status
    local chapter=$course/${folder%%/*} source answer modules=$BATS_FILE_TMPDIR/${folder%%/*}.a
    for which in start solution cheat; do
        source=$course/$folder/$which.c
        if [[ $which == cheat ]]; then
            replay "$course/$folder/README.md" "$results/solution" "$results" >"$results/replay" 2>&1 || true
            source=$results/cheat.c
            cheat "$results/replay" >"$source"
        fi
        answer=$results/$which
        compile "$chapter" "$source" "$modules" -o "$answer" 2>"$results/$which.warnings" || continue
        status=0
        one_failure=1 check_answer "$course/$folder" >"$results/$which.tap" 2>&1 </dev/null || status=$?
        echo "$status" >"$results/$which.status"
    done
}

# shellcheck source=../.make/exercises.bash
source "$course/.make/exercises.bash"
CFLAGS=${CFLAGS/-O2/-O0} # quick to build, and nothing here needs speed
unset MAKEFLAGS MFLAGS   # the variables of the make that runs this

setup_file() {
    local folder chapter
    export course_copy="$BATS_FILE_TMPDIR/the course"
    copy_course "$course_copy"
    for chapter in 0[1-6]-*/; do
        build_modules "$course/${chapter%/}" "$BATS_FILE_TMPDIR/${chapter%/}.a" &
    done
    wait
    while read -r folder; do
        mkdir -p "$BATS_FILE_TMPDIR/${folder%/}"
        while (($(jobs -rp | wc -l) >= 4)); do wait -n || true; done
        judge "${folder%/}" "$BATS_FILE_TMPDIR/${folder%/}" 3>&- &
    done < <(exercises)
    wait
}

# Every exercise in turn, as $folder, with $results; what fails is named.
each() {
    local folder results failed=0
    while read -r folder; do
        folder=${folder%/}
        results=$BATS_FILE_TMPDIR/$folder
        "$@" || { echo "^ $folder" && failed=1; }
    done < <(exercises)
    return "$failed"
}

complete() {
    local file section
    for file in README.md start.c solution.c check.bats; do
        [[ -f $course/$folder/$file ]] || fail "no $file" || return
    done
    for section in "Hint 1" "Hint 2" "Hint 3" "To discuss"; do
        grep -qx "## $section" "$course/$folder/README.md" || fail "no '## $section'" || return
    done
    console "$course/$folder/README.md" | grep -q '^\$ .*\./answer' || fail "no example"
}

@test "an exercise has a task with an example, three hints, a start, a solution and a check" {
    each complete
}

@test "every start and every solution compiles without a warning" {
    local chapter results
    for results in "$BATS_FILE_TMPDIR"/0[1-6]-*/exercises/*/; do
        cat "$results/start.warnings" "$results/solution.warnings"
        [[ ! -s $results/start.warnings && ! -s $results/solution.warnings ]]
    done
    command -v clang >/dev/null || return 0
    for chapter in 0[1-6]-*/exercises/; do
        CC=clang compile "${chapter%%/*}" -Werror -fsyntax-only "$chapter"*/{start,solution}.c
    done
}

# The check of $1 ended with status $2 and says $3 somewhere.
verdict() {
    [[ -e $results/$1.status && $(cat "$results/$1.status") == "$2" ]] && grep -q "^$3" "$results/$1.tap"
}

start_fails() {
    verdict start 1 "not ok" || fail "start.c passes the check, or there is no verdict"
}

@test "every start runs, and fails its check" {
    each start_fails
}

solution_passes() {
    verdict solution 0 "ok" || {
        cat "$results/solution.warnings" "$results/solution.tap"
        return 1
    }
}

@test "every solution passes its check" {
    each solution_passes
}

cheat_fails() {
    verdict cheat 1 "not ok" || {
        cat "$results/cheat.warnings" "$results/cheat.tap"
        fail "a program that knows the example by heart passes"
    }
}

@test "a program that knows the example by heart fails every check" {
    each cheat_fails
}

# Times differ from run to run.
example_holds() {
    diff <(console "$course/$folder/README.md" | sed -E 's/[0-9]+\.[0-9]+/N.N/g') \
        <(sed -E 's/[0-9]+\.[0-9]+/N.N/g' "$results/replay")
}

@test "every example shows what the solution prints" {
    each example_holds
}

# Checks the answer on stdin against exercise 1 of chapter 2.
rude() {
    local folder=02-stackless-steps/exercises/1-second-cashier
    local source=$BATS_TEST_TMPDIR/rude.c answer=$BATS_TEST_TMPDIR/rude
    local chapter=$course/02-stackless-steps modules=$BATS_FILE_TMPDIR/02-stackless-steps.a
    cat >"$source"
    compile "$chapter" "$source" -o "$answer"
    export time_limit=2
    run check_answer "$course/$folder" --filter six
    [[ $status != 0 ]] || fail "it passes: $output"
}

says() { [[ $output == *"$1"* ]] || fail "'$1' is not in: $output"; }

@test "an answer that never ends is stopped, and the reader is told" {
    rude <<<'int main(void) { for (;;) continue; }'
    says "was still running after 2 s and was stopped"
}

@test "an answer that prints forever is stopped, and the reader is told" {
    rude <<<'#include <stdio.h>
    int main(void) { for (;;) puts("more"); }'
    says "printed more than 1024 KiB and was stopped"
}

@test "an answer that crashes is reported with its signal" {
    rude <<<'#include <stdlib.h>
    int main(void) { abort(); }'
    says "crashed: signal 6, ABRT"
}

@test "an answer that forks leaves nothing running, and the reader is told" {
    rude <<EOT
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
        pid_t child = fork();
        if (child == 0) for (;;) pause();
        FILE *file = fopen("$BATS_TEST_TMPDIR/child", "w");
        fprintf(file, "%d\n", (int)child);
        return fclose(file);
    }
EOT
    says "left a process running"
    local child
    child=$(cat "$BATS_TEST_TMPDIR/child")
    [[ -n $child ]]
    [[ ! -d /proc/$child || $(cut -d ' ' -f 3 "/proc/$child/stat") == Z ]] || fail "$child is there"
}

@test "an answer that closes stdout is told that it printed nothing" {
    rude <<<'#include <stdio.h>
    int main(void) { return fclose(stdout); }'
    says "printed nothing: is stdout closed?"
}

# The rest works in copies of their own.
fresh() {
    cp -r "$course_copy" "$BATS_TEST_TMPDIR/a copy"
    cd "$BATS_TEST_TMPDIR/a copy" || exit
    folder=02-stackless-steps/exercises/1-second-cashier
}

@test "make exercise begins answer.c once, and never writes it again" {
    fresh
    run make -s exercise N=2 E=1
    says "Ten customers keep Anna for ten ticks."
    says "missing  six customers are gone after three ticks"
    says "make hint N=2 E=1 helps"
    cmp "$folder/start.c" "$folder/answer.c"
    cp "$folder/solution.c" "$folder/answer.c"
    run make -s exercise N=2 E=1
    assert_status 0
    says "passes   six customers are gone after three ticks"
    says "Solved."
    cmp "$folder/solution.c" "$folder/answer.c"
}

@test "make exercise shows what the compiler says of an answer" {
    fresh
    echo 'int main(void) { return x; }' >"$folder/answer.c"
    run make -s exercise N=2 E=1
    [[ $status != 0 ]]
    says "undeclared"
    says "does not compile yet"
}

@test "exercises work inside a chapter's folder" {
    fresh
    cp "$folder/solution.c" "$folder/answer.c"
    echo '@test "always" { true; }' >"$folder/check.bats"
    run make -s -C 02-stackless-steps exercise E=1
    assert_status 0
    for target in hint solution progress; do
        run make -s -C 02-stackless-steps "$target" E=1
        assert_status 0
    done
}

@test "make hint gives one more hint each time, in order" {
    fresh
    for n in 1 2 3; do
        run make -s hint N=2 E=1
        assert_status 0
        [[ ${lines[0]} == "A second cashier, hint $n of 3" ]] || fail "$output"
    done
    says "He must look before he serves:"
    run make -s hint N=2 E=1
    assert_status 0
    says "You have all 3 hints"
}

@test "make solution shows what the solution does differently" {
    fresh
    run make -s solution N=2 E=1
    assert_status 0
    says "--- $folder/start.c"
    says "+struct queue {"
    cp "$folder/solution.c" "$folder/answer.c"
    run make -s solution N=2 E=1
    says "are the same"
}

@test "make progress lists every exercise, and how far it is" {
    fresh
    all=$(exercises | wc -l)
    run make -s progress
    assert_status 0
    says "0 of $all solved"
    [[ $(grep -c 'not started$' <<<"$output") == "$all" ]] || fail "$output"
    make -s hint N=2 E=1
    run make -s progress
    says "started, 1 hint used"
    echo '@test "always" { true; }' >"$folder/check.bats"
    make -s exercise N=2 E=1
    run make -s progress
    says "A second cashier                             solved, 1 hint used"
    says "[#."
    says "1 of $all solved"
    echo '@test "never" { false; }' >"$folder/check.bats"
    run make -s exercise N=2 E=1
    run make -s progress
    says "started, 1 hint used"
    says "0 of $all solved"
}

@test "make reset asks, and keeps the old answer under another name" {
    fresh
    for n in 1 2; do
        echo "/* mine, $n */" >"$folder/answer.c"
        run make -s reset N=2 E=1 <<<n
        assert_status 0
        says "Nothing was changed."
        [[ $(cat "$folder/answer.c") == "/* mine, $n */" ]]
        run make -s reset N=2 E=1 <<<y
        assert_status 0
        [[ ! -e $folder/answer.c ]]
        [[ $(cat "$folder/answer.$n.c") == "/* mine, $n */" ]]
    done
    echo "/* mine */" >"$folder/answer.c"
    run make -s reset N=2 E=1 </dev/null
    [[ $(cat "$folder/answer.c") == "/* mine */" ]]
}

@test "a chapter or an exercise that is missing or wrong gets one line, and status 2" {
    for target in exercise hint solution reset; do
        for wrong in "" "7 1" "2 9" "* 1"; do
            read -r n e <<<"$wrong"
            run "$course_copy/.make/$target" "$n" "$e"
            assert_status 2
            assert_output "N=$n E=$e: there are chapters 1 to 6 and exercises 1 to 3 in each, as in N=2 E=1"
        done
    done
}

@test "make test N=2 DIR=folder tests the reader's version of the chapter" {
    fresh
    mkdir bin mine
    printf '#!/bin/sh\necho "ok 1 $DIR: $*"\n' >bin/bats
    chmod +x bin/bats
    PATH=$PWD/bin:$PATH run make -s test N=2 DIR=mine
    says "ok 1 $PWD/mine: --tap tests/02-stackless-steps.bats"
    mkdir 02-stackless-steps/ours
    PATH=$PWD/bin:$PATH run make -s -C 02-stackless-steps test DIR=ours
    says "ok 1 $PWD/02-stackless-steps/ours: --tap tests/02-stackless-steps.bats"
    for wrong in "DIR=mine" "N=2 DIR=nowhere"; do
        read -ra words <<<"$wrong"
        run make -s test "${words[@]}"
        [[ $status != 0 ]]
        says "make test N=3 DIR=folder: a folder with your version of that chapter"
    done
}
