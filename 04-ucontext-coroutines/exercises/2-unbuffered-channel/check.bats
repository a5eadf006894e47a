#!/usr/bin/env bats
load ../../../tests/exercise

# In a channel without a buffer that is fair on both sides the first offer meets
# the first request, the second the second, and so on. Says what is not so.
faults() {
    awk -F ' [|] ' '
        $2 ~ /^offers / { offer[++offers] = substr($2, 8); open[$1] = offers }
        $2 == "asks" { asked[$1] = ++requests }
        $2 ~ /^got / {
            batch = substr($2, 5)
            if (asked[$1] > offers)
                print $1 " got " batch " before anybody offered it"
            else if (offer[asked[$1]] != batch)
                print $1 " was number " asked[$1] " to ask and should get " offer[asked[$1]] ", but got " batch
            received++
        }
        $2 ~ /^is rid of / {
            if (open[$1] > requests)
                print $1 " is rid of " substr($2, 11) ", and nobody asked for it yet"
            sent++
        }
        END {
            meetings = offers < requests ? offers : requests
            if (sent != meetings || received != meetings)
                print offers + 0 " offers and " requests + 0 " requests, but " \
                    sent + 0 " were sent and " received + 0 " received"
        }' <<<"$output" | head -n 5
}

# The last run shows a channel; if not, $1 is where to look.
expect_channel() {
    local wrong
    wrong=$(faults)
    [[ -z $wrong ]] || missing "$command:" "$wrong" "It printed" "$(shown 20)" "$@"
}

# In the last run the cashiers got the batches $1, in any order.
expect_batches() {
    local all
    all=$(matching '\| got ' | sed 's/.*got //' | sort | paste -sd ' ')
    [[ $all == "$1" ]] || missing "$command: the cashiers should get" "    $1" "but they got" "    $all"
}

@test "a sender waits until somebody receives" {
    run_answer oven:bread,rolls anna:2
    expect_channel "Who parks in channel_send(), and who calls ready()?"
    expect_batches "bread rolls"
}

@test "a receiver waits until somebody sends" {
    run_answer anna:1 bert:2 oven:bread,rolls,rye
    expect_channel "Who parks in channel_receive(), and who calls ready()?"
    expect_batches "bread rolls rye"
}

@test "several wait on either side, and the first is served first" {
    run_answer one:a,b,c two:d,e three:f anna:2 bert:1 carl:3
    expect_channel "Are both queues first in, first out?"
    expect_batches "a b c d e f"
    run_answer anna:1 bert:1 carl:1 dora:3 one:a,b,c,d two:e,f
    expect_channel "Are both queues first in, first out?"
    expect_batches "a b c d e f"
}

@test "many batches, none lost and none doubled" {
    local batches
    batches=$(printf '%s,' x{100..199})
    run_answer anna:60 "oven:${batches%,}" bert:40
    expect_channel "When is a waiter taken out of its queue?"
    expect_batches "$(printf '%s ' x{100..198})x199"
}

@test "who meets nobody stays parked, and the scheduler says so" {
    try_answer "" oven:bread,rolls anna:1
    [[ $errors == *"deadlock: all tasks are asleep: oven" ]] ||
        missing "$command: nobody receives the rolls, so all that is left is a parked oven;" \
            "on stderr should stand 'deadlock: all tasks are asleep: oven', and there stands" "    $errors" \
            "channel_send() must park() until it is met: not return, and not loop around yield()."
    try_answer "" anna:2 oven:bread bert:1
    [[ $errors == *"deadlock: all tasks are asleep: anna, bert" ]] ||
        missing "$command: only one batch for three requests; on stderr should stand" \
            "'deadlock: all tasks are asleep: anna, bert', and there stands" "    $errors"
}

@test "two channels do not know of each other, and only a meeting ends a wait" {
    run_with_answer "channel_send(struct channel *, const char *) and channel_receive(struct channel *)" <<'EOT'
static struct channel left, right;
static struct task *receiver;
static const char *received;

static void receive(void *unused) {
    (void)unused;
    receiver = self();
    received = channel_receive(&left);
}

static void send_right(void *unused) {
    (void)unused;
    channel_send(&right, "rye");
}

static void meddle(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        ready(receiver);
        yield();
        if (received != NULL)
            errx(1, "somebody else called ready() on a receiver, and it returned with '%s': "
                    "it should park again until it is met", received);
    }
    channel_send(&left, "spelt");
    if (strcmp(channel_receive(&right), "rye") != 0)
        errx(1, "what was sent to one channel did not come out of it");
    yield();
    if (received == NULL || strcmp(received, "spelt") != 0)
        errx(1, "a batch was sent to one channel, and its receiver got '%s'",
             received != NULL ? received : "nothing");
}

int main(void) {
    if (go("receive", receive, NULL) == -1 || go("send", send_right, NULL) == -1 ||
        go("meddle", meddle, NULL) == -1)
        err(1, "go");
    schedule();
    return 0;
}
EOT
}
