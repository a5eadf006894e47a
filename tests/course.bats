#!/usr/bin/env bats
# What holds for all chapters together: the layout, the files that they share,
# and the commands of the README.

load helper
bats_require_minimum_version 1.5.0

chapters=(01-blocking-bakery 02-stackless-steps 03-duffs-device
    04-ucontext-coroutines 05-epoll-netpoller 06-thread-pool-wakeup)

# `make test` may have been told things that are no business of the makes below.
unset MAKEFLAGS MFLAGS MAKELEVEL DIR N NO_COLOR ALL FILE SIDE

# A copy without anything built, in a path with spaces, is made and built once.
setup_file() {
    export copy="$BATS_FILE_TMPDIR/a copy of the course"
    copy_course "$copy"
    sources "$copy" >"$BATS_FILE_TMPDIR/before"
    (cd "$copy" && make -j16 CC="$CC") >"$BATS_FILE_TMPDIR/make.log" 2>&1 || {
        cat "$BATS_FILE_TMPDIR/make.log"
        return 1
    } >&2
}

# The sources of the course go to folder $1.
copy_course() {
    mkdir "$1"
    (cd "$course" && find "${chapters[@]}" .make Makefile -name '*.[od]' -o \
        -path '0*' -type f -perm /111 -o -type f -print0 |
        tar -c --null -T -) | tar -x -C "$1"
}

sources() {
    (cd "$1" && find . -type f | sort)
}

# Each of the files $2... is the same in all chapters whose numbers are in $1.
same_in() {
    local numbers=$1 first=$course/${chapters[${1%% *} - 1]} number name
    shift
    for name in "$@"; do
        [[ -f $first/$name ]] || fail "$first/$name is missing"
        for number in ${numbers#* }; do
            cmp "$first/$name" "$course/${chapters[number - 1]}/$name"
        done
    done
}

# The flags that `cc *.c` needs in chapter $1.
flags_of() {
    if [[ $1 == 06-* ]]; then echo "-pthread"; fi
}

# Lines of code in the files, as the design counts them.
lines_of_code() {
    local file sum=0
    for file in "$@"; do
        sum=$((sum + $(gcc -fpreprocessed -dD -E -P "$file" | grep -c .)))
    done
    echo "$sum"
}

# Every shell script of the repository.
scripts() {
    grep -slE '^#!.*(sh|bats)$|^# shellcheck shell=' "$course"/.make/* "$course"/.ci/*
    find "$tests" "${chapters[@]/#/$course/}" -name '*.bats' -o -name '*.bash'
}

@test "the top level holds the six chapters, tests, Makefile and README, and dot files" {
    diff <(cd "$course" && printf '%s\n' *) \
        <(printf '%s\n' "${chapters[@]}" Makefile README.md tests | LC_ALL=C sort) ||
        fail "more (<) or less (>) than the design says"
}

@test "a chapter's folder holds its sources, a Makefile, pictures, demos and exercises" {
    local chapter name
    for chapter in "${chapters[@]}"; do
        [[ -f $copy/$chapter/bakery.c && -f $copy/$chapter/Makefile ]]
        while read -r name; do
            case $name in
            README.md | Makefile | *.c | *.h | *.svg | demos | exercises) ;;
            *) fail "$chapter/$name: has no place in the design" ;;
            esac
        done < <(grep "^./$chapter/" "$BATS_FILE_TMPDIR/before" | cut -d / -f 3 | sort -u)
        [[ $(grep -lE '^int main\(' "$copy/$chapter"/*.c) == "$copy/$chapter/bakery.c" ]] ||
            fail "$chapter: main is in another file than bakery.c, or in several"
    done
}

@test "no file that is made from another is in the repository" {
    [[ -e $course/.git ]] || skip "no git repository here"
    command -v git >/dev/null || skip "git is not installed"
    run git -C "$course" ls-files -ci --exclude-standard
    assert_status 0
    assert_output ""
    run bash -c 'git -C "$1" ls-files --eol | grep "^i/-text" | grep -v "tests/check/corpus/"' _ "$course"
    assert_output ""
}

@test "options and report are the same files in chapters 1 to 4" {
    same_in "1 2 3 4" options.c options.h report.c report.h
}

@test "the scheduler is the same in chapters 2 and 3" {
    same_in "2 3" scheduler.c scheduler.h
}

@test "context, stack, overflow and sanitizer are the same in chapters 4 to 6" {
    same_in "4 5 6" context.c context.h stack.c stack.h overflow.c overflow.h sanitizer.h
}

@test "chapter 6 has everything of chapter 5, unchanged" {
    same_in "5 6" netpoll.c netpoll.h timer.c timer.h io.c io.h child.c child.h scheduler.c scheduler.h \
        options.c options.h report.c report.h liboven.c liboven.h
}

@test "cc *.c -o bakery compiles each chapter, also in a path with a space" {
    local chapter
    for chapter in "${chapters[@]}"; do
        mkdir "$BATS_TEST_TMPDIR/$chapter of six"
        cd "$BATS_TEST_TMPDIR/$chapter of six"
        cp "$course/$chapter"/*.[ch] .
        # shellcheck disable=SC2046 # a word or none
        run $CC $(flags_of "$chapter") ./*.c -o bakery
        assert_status 0
        assert_output ""
        run ./bakery --help
        assert_status 0
        [[ $output == *usage:* ]] || fail "$chapter --help: $output"
    done
}

@test "chapters 1 to 3 are C11 to the letter" {
    local chapter
    for chapter in "${chapters[@]:0:3}"; do
        run $CC "${warnings[@]}" -std=c11 -pedantic-errors "$course/$chapter"/*.c \
            -o "$BATS_TEST_TMPDIR/bakery"
        assert_status 0
        assert_output ""
    done
}

@test "libc alone is linked" {
    command -v ldd >/dev/null || skip "ldd is not installed"
    local program programs=0
    for program in "$copy"/0*/bakery "$copy"/0*/demos/*; do
        [[ -f $program && -x $program ]] || continue
        programs=$((programs + 1))
        run ldd "$program"
        assert_status 0
        [[ $output == *libc* ]] || fail "$program: $output"
        run grep -vE 'libc\.|ld-|linux-vdso|linux-gate' <<<"$output"
        [[ -z $output ]] || fail "$program: $output"
    done
    [[ $programs -ge 6 ]] || fail "only $programs programs"
}

@test "make -j16 builds everything in a path with spaces, without a warning" {
    local chapter
    for chapter in "${chapters[@]}"; do
        [[ -x $copy/$chapter/bakery ]] || fail "no $chapter/bakery"
    done
    if grep -i 'warning' "$BATS_FILE_TMPDIR/make.log"; then fail "there are warnings"; fi
    make -s -q -C "$copy/02-stackless-steps" || fail "make builds again what is built"
}

@test "make builds again what includes a header that changed" {
    cd "$copy/03-duffs-device"
    touch -d '+2 seconds' coroutine.h
    [[ $(make -n) == *bakery.c* ]] || fail "bakery.c is not compiled again"
    [[ $(make -n) != *report.c* ]] || fail "report.c is compiled again"
    touch -d '-1 hour' coroutine.h
    make -s -q
}

@test "CC and CFLAGS choose the compiler and its flags, each of several words" {
    local chapter
    for chapter in "${chapters[@]}"; do
        run make -n -B -C "$copy" "$chapter" CC=other-cc CFLAGS="-O0 -DANY"
        assert_status 0
        [[ $output == *other-cc* && $output != *-O2* ]] || fail "$output"
        if grep -e ' -o ' <<<"$output" | grep -v '^other-cc .*-O0 -DANY'; then
            fail "$chapter: made in another way"
        fi
    done
    CC="$CC -pipe" run bats -f "twenty minutes" "$tests/01-blocking-bakery.bats"
    assert_status 0
    [[ $output == *"ok 1 "* ]] || fail "no test was run: $output"
}

@test "make, make run and make clean work in a chapter's folder alone" {
    local chapter target one=$BATS_TEST_TMPDIR/one
    for chapter in "${chapters[@]}"; do
        cp -rp "$copy/$chapter" "$one"
        for target in all run; do
            run make -n -B -C "$one" $target
            assert_status 0
        done
        make -s -C "$one" clean
        diff <(sources "$one") <(sed -n "s,^\./$chapter/,./,p" "$BATS_FILE_TMPDIR/before") ||
            fail "$chapter: make clean leaves (<) or takes (>) files"
        rm -r "$one"
    done
    cp -r "$copy/02-stackless-steps" "$one"
    make -s -C "$one" clean
    make -s -C "$one" CC="$CC"
    [[ $(make -s -C "$one" run) == "$("$one/bakery")" ]]
}

@test "make clean leaves the sources and nothing else" {
    cp -rp "$copy" "$BATS_TEST_TMPDIR/built"
    make -s -C "$BATS_TEST_TMPDIR/built" clean
    diff <(sources "$BATS_TEST_TMPDIR/built") "$BATS_FILE_TMPDIR/before"
}

@test "make run shows the six chapters, then a table of what each took" {
    run make -s -C "$copy" run CC="$CC"
    assert_status 0
    local chapter
    for chapter in "${chapters[@]}"; do
        [[ $'\n'$output == *$'\n'"$chapter"$'\n'* ]] || fail "no log of $chapter"
    done
    local table
    table=$(tail -n 7 <<<"$output")
    echo "$table"
    diff <(head -n 5 <<<"$table") - <<'END'
chapter                 what one thread does                took      rather than
01-blocking-bakery      bakes, then serves                  20 min    -
02-stackless-steps      bakes and serves by steps, in turn  10 min    20 min
03-duffs-device         the same, in straight lines         10 min    20 min
04-ucontext-coroutines  the same, on two stacks             10 min    20 min
END
    # The longest oven takes 3 s; how much later a loaded machine is, is its own
    # affair, as long as it is less than the sum.
    grep -qE '^05-epoll-netpoller +waits for three ovens at once +[345]\.[0-9]+ s +6\.00 s$' \
        <<<"$table"
    grep -qE '^06-thread-pool-wakeup +waits while workers block +[345]\.[0-9]+ s +6\.00 s$' \
        <<<"$table"
}

@test "make run N=k runs chapter k alone" {
    local n wanted
    for n in 1 2 3 4; do
        wanted=$("$copy/${chapters[n - 1]}/bakery")
        run make -s -C "$copy" run N=$n CC="$CC"
        assert_status 0
        [[ $output == *"${chapters[n - 1]}"*"$wanted" ]] || fail "$output"
        [[ $(grep -c '^0[1-6]-' <<<"$output") == 1 ]] || fail "$output"
    done
}

# Folders "before" and "after" with the code of chapters $1 - 1 and $1.
copy_two() {
    rm -rf "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
    mkdir "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
    cp "$course/${chapters[$1 - 2]}"/*.[ch] "$BATS_TEST_TMPDIR/before"
    cp "$course/${chapters[$1 - 1]}"/*.[ch] "$BATS_TEST_TMPDIR/after"
}

@test "make diff ALL=1 N=k is a patch that makes chapter k out of the one before, and counts" {
    command -v patch >/dev/null || skip "patch is not installed"
    local n i='([0-9]+)' count files added removed
    for n in 2 3 4 5 6; do
        copy_two $n
        cd "$BATS_TEST_TMPDIR/before"
        make -s -C "$copy" diff N=$n ALL=1 >../patch
        patch -s -F0 -p1 <../patch
        diff -r . ../after
        count="^0$((n - 1)) -> 0$n: $i files?, $i lines added, $i removed(; support: $i files?, [+]$i -$i)?\$"
        [[ $(tail -n 1 ../patch) =~ $count ]] || fail "$(tail -n 1 ../patch)"
        files=$((BASH_REMATCH[1] + BASH_REMATCH[5]))
        added=$((BASH_REMATCH[2] + BASH_REMATCH[6]))
        removed=$((BASH_REMATCH[3] + BASH_REMATCH[7]))
        [[ $(grep -c '^+++ ' ../patch) == "$files" ]]
        [[ $(grep -c '^+' ../patch) == $((added + files)) ]]
        [[ $(grep -c '^-' ../patch) == $((removed + files)) ]]
    done
}

@test "make diff alone is a patch too, of the lesson; the other files get a line each" {
    command -v patch >/dev/null || skip "patch is not installed"
    local n file support
    for n in 2 3 4 5 6; do
        copy_two $n
        cd "$BATS_TEST_TMPDIR/before"
        make -s -C "$copy" diff N=$n >../patch
        patch -s -F0 -p1 <../patch
        for file in *.[ch] ../after/*.[ch]; do
            file=${file##*/}
            if ! cmp -s "$file" "../after/$file"; then
                grep -q "^$file: " ../patch || fail "N=$n: nothing about $file"
                make -s -C "$copy" diff N=$n FILE="$file" | patch -s -F0 -p1
            fi
        done
        diff -r . ../after
        support=$(awk -F '[-+. ]+' '/Support: make/ { files++; added += $4; removed += $5 }
            END { if (files) printf "support: %d file%s, +%d -%d", files, files == 1 ? "" : "s", added, removed }' ../patch)
        [[ $(tail -n 1 ../patch) == *"$support" ]] || fail "N=$n: $support"
        [[ $(tail -n 1 ../patch) == "$(make -s -C "$copy" diff N=$n ALL=1 | tail -n 1)" ]]
    done
    make -s -C "$copy" diff N=4 | grep -qE '^coroutine\.h: removed, \+0 -[0-9]+\. [A-Z]'
}

# The second time a line stands between the cut and what changes behind it: more
# lines than patch wants to see there.
@test "make diff cuts a hunk where two sentences belong to it, and patch takes it" {
    command -v patch >/dev/null || skip "patch is not installed"
    cp -r "$course/.make" "$course"/0[23]-* "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    printf 'bakery.c | %s\n' '#include "coroutine.h" | One.' 'CO_BEGIN(&oven | Two.' \
        'CO_END(&cashier | Three.' >.make/story/3
    local time shown
    for time in first second; do
        [[ $time == first ]] || sed -i '/cashier = state;/a\    /* a line */' 0[23]-*/bakery.c
        shown=$(FILE=bakery.c .make/diff 3)
        echo "$shown"
        [[ $(sed -n 's/^@@ .* @@//p' <<<"$shown" | tr -d '\n') == " One. Two. Three." ]]
        [[ $shown == *" Two.
 static enum step bake_batch("* ]]
        patch -s -F0 -o patched 02-*/bakery.c <<<"$shown"
        cmp patched 03-*/bakery.c
        [[ $(ALL=1 FILE=bakery.c .make/diff 3 | grep -c '^@@ ') == 2 ]] # diff's own
    done
}

@test "make diff tells a story: first the scheduler, then what is new, then the bakery" {
    local n shown
    for n in 2 3 4 5 6; do
        shown=$(make -s -C "$copy" diff N=$n | sed -n 's,^+++ .*/,,p' | tr '\n' ' ')
        case $n in
        3) [[ $shown == "coroutine.h bakery.c " ]] ;;
        6) [[ $shown == "pool.h pool.c bakery.c " ]] ;;
        *) [[ $shown == "scheduler.h scheduler.c "*"bakery.c " ]] ;;
        esac || fail "N=$n: $shown"
    done
}

# The added lines of the lesson. A chapter's change is read in one sitting.
@test "make diff stays short enough to read" {
    local n most added
    for n in 4 5; do
        most=$((n == 4 ? 400 : 700))
        added=$(make -s -C "$copy" diff N=$n | sed -n 's/^0. -> 0.: .* files, \([0-9]*\) lines added.*/\1/p')
        ((added > 0 && added <= most)) || fail "N=$n: $added lines added"
    done
}

@test "make diff FILE=bakery.c is that file alone, whatever it is; of others it says which there are" {
    run make -s -C "$copy" diff N=5 FILE=options.c
    assert_status 0
    [[ $(grep '^[-+][-+][-+] ' <<<"$output") == "--- 04-ucontext-coroutines/options.c
+++ 05-epoll-netpoller/options.c" ]]
    [[ ${lines[-1]} == "04 -> 05: support: 1 file, +"* ]]
    run make -s -C "$copy/04-ucontext-coroutines" diff FILE=coroutine.h
    assert_status 0
    [[ ${lines[1]} == "+++ /dev/null" && ${lines[2]} == "@@ -1,"*" +0,0 @@ "* ]]
    run make -s -C "$copy" diff N=3 FILE=scheduler.c
    assert_status 0
    assert_output "scheduler.c is the same file in chapters 2 and 3."
    run --separate-stderr make -s -C "$copy" diff N=3 FILE=pool.c
    [[ $status != 0 && -z $output && $stderr == "FILE=pool.c: in chapters 2 and 3 there are coroutine.h "* ]]
}

@test "make diff SIDE=1 has the two chapters side by side, and cuts no line in a pipe" {
    run make -s -C "$copy" diff N=3 SIDE=1
    assert_status 0
    [[ $output == "coroutine.h: new, "*"--- 02-stackless-steps/bakery.c"* ]]
    grep -qE '^    return STEP_DONE; +\|     CO_END\(&oven->co\);$' <<<"$output"
    local line
    while IFS= read -r line; do
        grep -qxF -e "$line" <(cut -c 84- <<<"$output") || fail "no such line: $line"
    done <"$course/03-duffs-device/bakery.c"
}

@test "make diff is coloured on a terminal that has colours, and nowhere else" {
    run make -s -C "$copy" diff N=3
    [[ $output != *$'\e'* ]] || fail "colours in a pipe"
    command -v script >/dev/null || skip "script is not installed"
    terminal() { TERM=$1 script -qec "make -s -C '$copy' diff $2" /dev/null; }
    run terminal xterm N=3
    [[ $output == *$'\e[32m+'* && $output == *$'\e[31m-'* ]] || fail "no colours: $output"
    run terminal xterm "N=3 SIDE=1"
    [[ $output == *$'\e[32m    CO_END('* && $output == *$'\e[31m    return STEP_DONE;'* ]] ||
        fail "no colours: $output"
    run terminal dumb N=3
    [[ $output == *"+++ "* && $output != *$'\e'* ]] || fail "colours on a dumb terminal"
    NO_COLOR=1 run terminal xterm N=3
    [[ $output == *"+++ "* && $output != *$'\e'* ]] || fail "colours despite NO_COLOR"
}

@test "a chapter that there is not gets one line that says which there are" {
    local n
    for n in 0 7 x; do
        run --separate-stderr make -s -C "$copy" run N=$n
        [[ $status != 0 ]]
        [[ -z $output && $stderr == "N=$n: there are chapters 1 to 6"* ]] || fail "$stderr"
        run --separate-stderr make -s -C "$copy" test N=$n
        [[ $status != 0 ]]
        [[ -z $output && $stderr == "N=$n: there are chapters 1 to 6"* ]] || fail "$stderr"
    done
    for n in "" 1 7 x; do
        run --separate-stderr make -s -C "$copy" diff N=$n
        [[ $status != 0 ]]
        [[ -z $output && $stderr == "make diff N=2 to N=6"* ]] || fail "$stderr"
    done
}

@test "make help names every target" {
    run make -s -C "$copy" help
    assert_status 0
    local target targets
    targets=$(sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "$copy/Makefile" |
        sed -n 's/^\.PHONY://p' | tr -s ' ' '\n' | grep -vx -e all -e '.(CHAPTERS)' -e '')
    [[ $targets == *clean* ]]
    while read -r target; do
        [[ $output == *"make $target"* ]] || fail "nothing about make $target: $output"
    done <<<"$targets"
    [[ $output == "make  "* ]] || fail "nothing about plain make"
}

# In place of bats comes a script of one line, $1, and the copy has test files.
replace_bats() {
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\n%s\n' "$1" >"$BATS_TEST_TMPDIR/bin/bats"
    chmod +x "$BATS_TEST_TMPDIR/bin/bats"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
    mkdir -p "$copy/tests/check"
    cp "$tests"/*.bats "$copy/tests"
    cp "$tests"/check/*.bats "$copy/tests/check"
}

@test "make test runs all test files and counts, make test N=3 and a chapter's make test its own" {
    # shellcheck disable=SC2016 # for the script
    replace_bats 'echo "ok 1 ran $* for $N"'
    local n chapter file
    run make -s -C "$copy" test
    assert_status 0
    for file in "$tests"/*.bats; do
        [[ $output == *"ran --tap tests/$(basename "$file")"* ]] || fail "not run: $file"
    done
    [[ ${lines[-1]} == "$(find "$tests" -maxdepth 1 -name '*.bats' | wc -l) passed, 0 failed, 0 skipped" ]]
    for n in 1 2 3 4 5 6; do
        chapter=${chapters[n - 1]}
        [[ -f $tests/$chapter.bats ]] || fail "there is no tests/$chapter.bats"
        run make -s -C "$copy" test N=$n
        [[ $output == *"ran --tap tests/$chapter.bats"* ]] || fail "N=$n: $output"
        [[ $output == *"ran --tap tests/command-line.bats for $n"* ]] || fail "N=$n: $output"
        run make -s -C "$copy/$chapter" test
        [[ $output == *"tests/$chapter.bats"* ]] || fail "in $chapter: $output"
    done
    replace_bats 'echo "not ok 1"; exit 1'
    run make -s -C "$copy" test N=1
    [[ $status != 0 && $output == *"0 passed, 2 failed, 0 skipped"* ]] || fail "$output"
    rm -r "$copy/tests"
}

@test "make check runs all of its parts, or those in PARTS, and counts" {
    local file
    # shellcheck disable=SC2016 # for the script
    replace_bats 'echo "ok 1 ran $* by $SEED"'
    run make -s -C "$copy" check SEED=7
    assert_status 0
    for file in "$tests"/check/*.bats; do
        [[ $output == *"ran --tap tests/check/$(basename "$file") by 7"* ]] || fail "not run: $file"
    done
    run make -s -C "$copy" check PARTS="faults fuzz"
    [[ ${lines[-1]} == "2 passed, 0 failed, 0 skipped" ]] || fail "$output"
    [[ $output == *"check/faults.bats"* && $output == *"check/fuzz.bats"* ]] || fail "$output"
    run make -s -C "$copy" check PARTS="faults fuss"
    [[ $status != 0 && ${lines[0]} == "PARTS=fuss: the parts are compilers faults fuzz"* ]] || fail "$output"
    run make -s -C "$copy" check SEED=x
    [[ $status != 0 && ${lines[0]} == "SEED=x: not a whole number"* ]] || fail "$output"
    rm -r "$copy/tests"
}

@test "the runtime of chapters 5 and 6 stays small enough to read in one sitting" {
    command -v gcc >/dev/null || skip "gcc is not installed"
    local lines
    cd "$course/05-epoll-netpoller"
    lines=$(lines_of_code scheduler.c netpoll.c)
    echo "scheduler and netpoll: $lines"
    [[ $lines -gt 0 && $lines -le 250 ]]
    local modules=(context.c stack.c overflow.c scheduler.c netpoll.c timer.c io.c)
    lines=$(lines_of_code "${modules[@]}")
    echo "all modules: $lines"
    [[ $lines -gt 0 && $lines -le 620 ]]
    cd "$course/06-thread-pool-wakeup"
    lines=$(lines_of_code "${modules[@]}" pool.c)
    echo "all modules of chapter 6: $lines"
    [[ $lines -gt 600 && $lines -lt 820 ]]
}

@test "clang-format has nothing to change" {
    command -v clang-format >/dev/null || skip "clang-format is not installed"
    cd "$course"
    find "${chapters[@]}" tests -name '*.[ch]' -print0 |
        xargs -0 clang-format --dry-run -Werror
}

@test "shellcheck has nothing to say about any script" {
    command -v shellcheck >/dev/null || skip "shellcheck is not installed"
    cd "$course"
    scripts | xargs -d '\n' shellcheck
}
