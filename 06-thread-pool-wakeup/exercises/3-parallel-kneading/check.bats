#!/usr/bin/env bats
load ../../../tests/exercise

# The folds of the doughs from 1 to $1, counted in another way.
folds() {
    awk -v last="$1" 'BEGIN {
        for (i = 1; i <= last; i++)
            for (n = i; n > 1; folds++) n = n % 2 ? 3 * n + 1 : n / 2
        print folds + 0 }'
}

# The last run has a line for 1, 2, 4... workers, each with all shares out at the
# same time and with $1 folds.
expect_table() {
    local n cores
    cores=$(nproc)
    for ((n = 1; n <= 2 * cores && n <= 64; n *= 2)); do
        local line
        line=$(matching "^ *$n workers \|")
        [[ $line =~ \|\ +([0-9]+)\ at\ a\ time\ \|\ ([0-9]+)\ folds ]] ||
            missing "$command has no line for $n workers; it prints" "$(shown)"
        [[ ${BASH_REMATCH[2]} == "$1" ]] ||
            missing "$command: it takes $1 folds, whoever does them; it prints" "    $line" \
                "Is every dough in one share, and in one only? Who adds up, and when?"
        [[ ${BASH_REMATCH[1]} == "$n" ]] ||
            missing "$command: $n workers should have $n shares at a time; it prints" "    $line" \
                "A task that hands over a share is parked: who hands over the next?"
    done
}

@test "every worker has a share, and all doughs are kneaded once" {
    run_answer --doughs 3000
    expect_table "$(folds 3000)"
}

@test "numbers that cannot be shared evenly, and fewer doughs than workers" {
    run_answer --doughs 1009
    expect_table "$(folds 1009)"
    run_answer --doughs 1
    expect_table 0
    run_answer --doughs 3
    expect_table "$(folds 3)"
}

@test "the number that is enough is the smallest within a tenth of the fastest" {
    run_with_answer "enough(const long *microseconds, int rounds)" <<'EOT'
static void expect(int wanted, int rounds, const long *times) {
    int got = enough(times, rounds);

    if (got != wanted)
        errx(1, "enough() of %ld, %ld, ... us in %d rounds should be %d workers, and is %d",
             times[0], times[1], rounds, wanted, got);
}

int main(void) {
    expect(1, 1, (long[]){100, 0});
    expect(2, 3, (long[]){1000, 500, 480});
    expect(4, 4, (long[]){1000, 600, 300, 310});
    expect(1, 3, (long[]){100, 150, 200});
    expect(1, 2, (long[]){110, 100});
    expect(2, 2, (long[]){111, 100});
    expect(8, 4, (long[]){80000, 40000, 20000, 10000});
    return 0;
}
EOT
}

@test "the summary says what the table says" {
    run_answer --doughs 20000
    local wanted
    wanted=$(sed -nE 's/^ *([0-9]+) workers .* ([0-9]+)\.([0-9]+) ms$/\1 \2\3/p' <<<"$output" |
        awk '{ workers[NR] = $1; time[NR] = $2 + 0; if (NR == 1 || time[NR] < fastest) fastest = time[NR] }
             END { for (i = 1; time[i] * 10 > fastest * 11; i++); print workers[i] }')
    expect_line "summary | $wanted workers are enough, on $(nproc) cores" "Which times does enough() compare?"
    expect_table "$(folds 20000)"
}
