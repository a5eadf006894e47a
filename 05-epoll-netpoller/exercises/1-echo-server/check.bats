#!/usr/bin/env bats
load ../../../tests/exercise

# Starts the answer for $1 customers and finds its port.
open_shop() {
    start_answer "$1"
    local printed=''
    while kill -0 "$answer_pid" 2>/dev/null; do
        IFS= read -r -n 64 printed <"$BATS_TEST_TMPDIR/stdout" || true # not there yet
        port=${printed#listening on port }
        port=${port%%[!0-9]*}
        [[ -z $port ]] || return 0
        sleep 0.05
    done 2>/dev/null
    end_answer
    missing "$command does not print 'listening on port', then a number"
}

# A customer comes, as descriptor $1.
come() {
    eval "exec $1<>/dev/tcp/127.0.0.1/$port" ||
        missing "$command accepts no connection: is the door closed too early?"
}

# Customer $1 says $2 and should hear the same; if not, $3 is where to look.
talk() {
    local heard=''
    echo "$2" >&"$1"
    IFS= read -r -t 5 -u "$1" heard || true
    [[ $heard == "$2" ]] || missing "$command: a customer said '$2', and heard '$heard' within 5 s" "${@:3}"
}

leave() { eval "exec $1>&-"; }

@test "a customer hears everything again until they hang up" {
    open_shop 1
    come 5
    talk 5 "one roll" "What is read must be written."
    talk 5 "no, two" "Where is the loop around io_read() and io_write()?"
    talk 5 "and a bread" "Where is the loop around io_read() and io_write()?"
    leave 5
    end_answer
    expect_output "listening on port $port
customer 1 | here
customer 1 | gone
summary | 1 customer, 29 bytes"
}

@test "a customer who is silent does not hold up the others" {
    open_shop 3
    local where="The others wait for one who says nothing: each conversation needs a task of its own."
    come 5
    come 6
    talk 6 "I came second" "$where"
    come 7
    talk 7 "I came third" "$where"
    talk 6 "and I am still here" "$where"
    leave 6
    talk 7 "so am I" "$where"
    talk 5 "I had to think" "Who came first must not be forgotten: which descriptor has each task?"
    leave 5
    leave 7
    end_answer
    expect_line "summary | 3 customers, 70 bytes"
    [[ $(matching 'here$') == $'customer 1 | here\ncustomer 2 | here\ncustomer 3 | here' ]] ||
        missing "$command should print 'customer 1 | here' and so on, each once; it prints" "$(shown)" \
            "Has each task a record of its own, or do they share one?"
    [[ $(matching 'gone$' | sort) == $'customer 1 | gone\ncustomer 2 | gone\ncustomer 3 | gone' ]] ||
        missing "$command should print 'customer 1 | gone' and so on, each once; it prints" "$(shown)"
}

@test "one who says much and does not listen yet holds up nobody, and gets all of it" {
    open_shop 2
    come 5
    # Far more than fits into the buffers of the connection.
    head -c 30000000 /dev/zero >&5 2>/dev/null 3>&- &
    local much=$! heard
    come 6
    talk 6 "just a word" "Is there a task per customer, and does it read and write with io_read() and io_write()?"
    heard=$(timeout 20 head -c 30000000 <&5 | wc -c)
    wait "$much" || true
    [[ $heard -eq 30000000 ]] || missing "$command: a customer said 30000000 bytes, and heard $heard"
    talk 6 "bye" "Who has gone on must not be forgotten."
    leave 5
    leave 6
    time_limit=30 end_answer
    expect_line "summary | 2 customers, 30000016 bytes"
}

@test "the door closes after the last, and the shop when all are gone" {
    open_shop 2
    come 5
    leave 5
    come 6
    talk 6 "the last one" "Who is here when the door closes is served to the end."
    ! (exec 7<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null ||
        missing "$command: 2 customers were expected, and a third can still come in: io_close() the listener"
    kill -0 "$answer_pid" 2>/dev/null || missing "$command ended while a customer was still there"
    leave 6
    end_answer
    expect_line "summary | 2 customers, 13 bytes"
}
