#!/usr/bin/env bats
load ../../../tests/exercise

@test "an order that comes in pieces is read whole" {
    run_answer 8000 5 0 20 0 20 0
    [[ $output == "order | abcde, after "* ]] ||
        missing "$command: five letters come in time; it prints" "$(shown)" "How often is io_read() called?"
    run_answer 8000 3 0 0 0 0 0
    [[ $output == "order | abc, after "* ]] ||
        missing "$command: the order has three letters, what follows is none of it; it prints" "$(shown)"
}

@test "all letters together have the time, and not each of them" {
    # One letter is always in time; all would take 30 s.
    local pauses
    read -r -a pauses <<<"$(printf '300 %.0s' {1..100})"
    run_answer 1000 100 "${pauses[@]}"
    [[ $output == "order | given up after "* ]] ||
        missing "$command: 100 letters take 30 s, and there is 1 s for all of them; it prints" "$(shown)" \
            "Every io_read() should get the same deadline."
    [[ ${output#order | given up after } != 0.* ]] ||
        missing "$command gave up before its 1 s had passed; it prints" "$(shown)"
}

@test "a customer who says nothing more is not waited for beyond the deadline" {
    run_answer 200 3 0 0 900000
    [[ $output == "order | given up after "* ]] ||
        missing "$command: the third letter comes a quarter of an hour late; it prints" "$(shown)"
}

@test "a customer who ends the conversation is not waited for" {
    run_answer 600000 4 0 0
    expect_output "order | broken off after ab" "io_read() returns 0 at the end: nothing will come any more."
    run_answer 600000 2
    expect_output "order | broken off after " "io_read() returns 0 at the end: nothing will come any more."
}

@test "read_exactly() with the deadline of somebody else" {
    run_with_answer "read_exactly(int fd, void *buf, size_t len, int64_t deadline)" <<'EOT'
static int ends[2];

static void read_twice(void *unused) {
    char got[8] = "";
    int64_t deadline = now() + SECOND / 5;

    (void)unused;
    if (write(ends[1], "wxyz", 4) != 4)
        err(1, "write");
    if (read_exactly(ends[0], got, 3, 1) != 3 || got[0] != 'w' || got[2] != 'y')
        errx(1, "three letters were there, and the deadline had passed: they may still be read");
    if (read_exactly(ends[0], got, 2, deadline) != -1 || errno != ETIMEDOUT)
        errx(1, "one of two letters was there: it should fail with ETIMEDOUT at the deadline");
    if (now() < deadline)
        errx(1, "it failed with ETIMEDOUT before the deadline");
    if (read_exactly(-1, got, 1, NEVER) != -1 || errno != EBADF)
        errx(1, "a descriptor that is not open: it should fail with EBADF");
}

int main(void) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == -1)
        err(1, "socketpair");
    if (go("read", read_twice, NULL) == -1)
        err(1, "go");
    schedule();
    return 0;
}
EOT
}
