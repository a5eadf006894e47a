#!/usr/bin/env bats
# Chapter 5, demos/server and demos/customers: the bakery over HTTP.

load helper

unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs this

setup_file() {
    export chapter=${DIR:-$course/05-epoll-netpoller}
    export copy=$BATS_FILE_TMPDIR/chapter
    export rude=$BATS_FILE_TMPDIR/rude waiter=$BATS_FILE_TMPDIR/waiter
    export server=$copy/demos/server customers=$copy/demos/customers
    cp -r "$chapter" "$copy"
    make_in "$copy" clean
    make_in "$copy" demos/server demos/customers
    build_alone rude "$rude"
    build_alone waiter "$waiter"
}

# The chapter's own make, in folder $1; warnings are errors.
make_in() {
    make -s -C "$1" CC="$CC" CFLAGS="$CFLAGS -Werror" "${@:2}"
}

# Builds programs/05-server/$1.c into $2, with no module of the chapter.
build_alone() {
    # shellcheck disable=SC2086 # CFLAGS are several words
    $CC "${warnings[@]}" $CFLAGS -I"$chapter" -I"$tests" "$tests/programs/05-server/$1.c" \
        "${@:3}" -o "$2"
}

setup() {
    out=$BATS_TEST_TMPDIR/out
    err=$BATS_TEST_TMPDIR/err
}

teardown() {
    [[ -z ${pid:-} ]] || end_server
}

# Runs a server on a free port: sets pid, port and url.
launch() {
    rm -f "$out" # it may have the line of the server before
    "$@" >"$out" 2>"$err" 3>&- &
    pid=$!
    await_line '^listening on ' "$out"
    url=$(sed -n '1s/^listening on \(.*\)\/$/\1/p' "$out")
    port=${url##*:}
}

start_server() {
    launch "$server" --port 0 --scale 0.01 "$@"
}

# The same without a word on stdout, so on the port that another one has left.
launch_on_full_disk() {
    start_server
    stop_server
    "$server" --port "$port" >/dev/full 2>"$err" 3>&- &
    pid=$!
    local i
    for ((i = 0; i < 500; i++)); do
        ! "$customers" --port "$port" --count 1 || return 0
        sleep 0.02
    done 2>/dev/null >&2
    fail "no server on port $port"
}

# Until file $2 has a line like $1; the server must be there meanwhile.
await_line() {
    local i
    for ((i = 0; i < 1000; i++)); do
        ! grep -qs "$1" "$2" || return 0
        kill -0 "$pid" || break
        sleep 0.02
    done
    fail "no line $1 in: $(cat "$2")"
}

# Ends the server with SIGTERM; sets its status, and what it printed.
stop_server() {
    kill -TERM "$pid" || true
    wait_for_server
}

# The server must end by itself within a minute. bash reaps it meanwhile.
wait_for_server() {
    local i
    for ((i = 0; i < 3000; i++)); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.02
    done
    end_server
    output=$(cat "$out" "$err")
}

# However it is, it is gone after this.
end_server() {
    kill -KILL "$pid" 2>/dev/null || true
    status=0
    wait "$pid" 2>/dev/null || status=$?
    pid=
}

# Rude client, test $1: it must be content and leave the server in good health.
rude() {
    timeout 60 "$rude" "$port" "$@" </dev/null
    stop_server
    assert_status 0
    [[ ! -s $err ]] || fail "$(cat "$err")"
}

# A GET of path $1, by curl or by bash alone; further headers may follow.
get() {
    local path=$1 header headers=() lines=
    shift
    for header in "$@"; do
        headers+=(-H "$header")
        lines+=$header$'\r\n'
    done
    if command -v curl >/dev/null; then
        curl -s -i -m 30 "${headers[@]}" "$url$path"
    else
        exec 4<>"/dev/tcp/127.0.0.1/$port"
        printf 'GET %s HTTP/1.0\r\n%s\r\n' "$path" "$lines" >&4
        cat <&4
        exec 4>&-
    fi | tr -d '\r'
}

assert_has() {
    [[ $output == *"$1"* ]] || fail "no '$1' in: $output"
}

@test "however a request is cut, the parser gives the same and the right verdict" {
    build_alone parser "$BATS_TEST_TMPDIR/parser" \
        "$chapter"/demos/{http,http_answer,http_body,http_fields,text,uri}.c
    timeout 60 "$BATS_TEST_TMPDIR/parser"
}

@test "the first line of the server is its address" {
    start_server
    [[ $(head -n 1 "$out") =~ ^listening\ on\ http://127\.0\.0\.1:[1-9][0-9]*/$ ]]
    [[ $port != 8080 ]]
}

@test "IPv6 works as well" {
    [[ -e /proc/net/if_inet6 ]] && grep -q '^0*1 ' /proc/net/if_inet6 || skip "no IPv6 here"
    start_server --address ::1
    [[ $(head -n 1 "$out") == "listening on http://[::1]:$port/" ]]
    run "$customers" --address ::1 --port "$port" --count 3
    assert_status 0
}

@test "the menu is plain text, and a page for browsers" {
    start_server --scale 2
    run get /
    assert_has "HTTP/1.1 200 OK"
    assert_has "GET /order/croissants   4 s"
    run get / "Accept: text/html,*/*;q=0.8"
    assert_has "Content-Type: text/html"
    assert_has "const scale = 2;"
    assert_has "</html>"
    ! grep -E 'src=|https?:|url\(' <<<"$output" || fail "the page needs something from outside"
}

@test "an order is answered when it is out of the oven, and counted" {
    start_server --scale 0.1
    local before after
    before=$(date +%s%N)
    run get /order/bread
    after=$(date +%s%N)
    assert_has "bread, fresh from the oven"
    ((after - before >= 300000000))
    run get /order/cookies
    assert_has "cookies, fresh from the oven"
    run get /stats
    assert_has "customers    3"
    assert_has "bread        1"
    assert_has "croissants   0"
    assert_has "cookies      1"
}

@test "three hundred orders bake at the same time" {
    start_server --scale 0.5
    run "$customers" --port "$port" --count 300 --order bread
    assert_status 0
    [[ $output =~ ^300\ customers\ served\ in\ [0-9]+\.[0-9][0-9]\ s\;\ slowest\ ([0-9]+)\.[0-9][0-9]\ s\;\ 0\ failed$ ]]
    ((BASH_REMATCH[1] < 150)) # one after another they would take 450 s
    run get /stats
    assert_has "bread        300"
}

@test "customers says why the first failed, and how many did" {
    start_server
    stop_server
    run "$customers" --port "$port" --count 7
    assert_status 1
    assert_has "customers: http://127.0.0.1:$port/: cannot connect: Connection refused"
    assert_has "0 customers served in "
    assert_has "; 7 failed"
    [[ ${#lines[@]} == 2 ]]
}

@test "customers without descriptors fail, and the others are served" {
    start_server --scale 1
    # shellcheck disable=SC2016 # for the inner shell
    run bash -c 'ulimit -n 20; exec "$0" "$@"' "$customers" --port "$port" --count 50
    assert_status 1
    assert_has "cannot open a socket: $(words_for EMFILE)"
    [[ ${lines[1]} =~ ^1[0-9]\ customers\ served ]]
}

@test "customers reads every answer to its end, and takes no other for one" {
    local answer wanted
    while IFS='|' read -r answer wanted; do
        launch "$waiter" "$answer"
        run timeout 60 "$customers" --port "$port" --count 1 --timeout 30
        if [[ $wanted == served ]]; then
            assert_status 0
        else
            assert_status 1
            [[ ${lines[0]} == "customers: $wanted" ]] || fail "$answer: $output"
        fi
        end_server
    done <<'EOT'
HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbread|served
HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n|served
HTTP/1.1 200 OK\r\n\r\nup to the end|served
HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbread\r\n0\r\n\r\n|served
HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbrea|the connection ended before the answer
HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbread\r\n0\r\n|the connection ended before the answer
HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nbread\r\n|the body of the answer is wrong or too long
HTTP/1.1 100 Continue\r\n\r\n|the connection ended before the answer
HTTP/1.1 200 OK\r\n|the connection ended before the answer
HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n|the answer is not HTTP
HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n|404 Not Found
EOT
    launch "$waiter" "HTTP/1.1 200 OK\r\nX: $(printf '%01024d' 0)\r\n\r\n"
    run timeout 60 "$customers" --port "$port" --count 1
    assert_status 1
    assert_has "customers: the head of the answer exceeds 1024 bytes"
}

@test "a request may be split anywhere" {
    start_server
    rude split
}

@test "a body in chunks is skipped, however it is split, and limited" {
    start_server
    rude chunked
}

@test "pipelined requests are answered in order, HEAD without a body" {
    start_server
    rude pipelined
}

@test "what HTTP/1.1 forbids is refused, and the answer arrives in spite of unread input" {
    start_server
    rude refused
}

@test "a body waits for 100 Continue, and is not asked for in vain" {
    start_server
    rude expects
}

@test "who half-closes after the request has the whole answer" {
    start_server
    rude half_closed
}

@test "connections that are reset at any moment harm nobody" {
    start_server
    rude reset
}

@test "a request whose body is cut off is not answered, nor counted" {
    start_server
    rude cut_off
}

@test "who reads slowly gets everything, and nobody waits for it" {
    start_server
    rude slow
}

@test "who does not read at all is thrown out" {
    start_server --timeout 0.5
    rude too_slow
}

@test "an unfinished request gets 408, an idle connection a quiet end" {
    start_server --timeout 0.5
    rude silent
}

@test "garbage gets an answer, and the server goes on" {
    start_server
    rude garbage
}

@test "a thousand customers stay, and are served meanwhile" {
    start_server
    (($(ulimit -Hn) > 1100)) || skip "the limit on descriptors is too low"
    rude keep 1000
}

@test "out of descriptors: customers wait, it is said once, and all are served" {
    # shellcheck disable=SC2016 # for the inner shell
    launch bash -c 'ulimit -n 16; exec "$0" "$@"' "$server" --port 0
    timeout 60 "$rude" "$port" crowd
    stop_server
    assert_status 0
    [[ $(cat "$err") == "server: customers wait at the door: $(words_for EMFILE)" ]]
}

# Links the server anew, with $2.c of the programs in the place of function $1;
# $another is its path.
replace() {
    local folder=$BATS_TEST_TMPDIR/chapter
    build_alone "$2" "$BATS_TEST_TMPDIR/$2.o" -c
    cp -rp "$copy" "$folder"
    rm "$folder/demos/server"
    make_in "$folder" LDFLAGS="-Wl,--wrap=$1 $BATS_TEST_TMPDIR/$2.o" demos/server
    another=$folder/demos/server
}

@test "out of descriptors, and of memory to sleep: customers wait all the same" {
    replace sleep_until no-timer
    # shellcheck disable=SC2016 # for the inner shell
    launch bash -c 'ulimit -n 16; exec "$0" "$@"' "$another" --port 0
    timeout 60 "$rude" "$port" crowd
    stop_server
    assert_status 0
}

@test "no memory for a buffer: customers wait, it is said once, and all are served" {
    replace malloc one-buffer
    launch "$another" --port 0 --scale 0.01
    { await_line 'wait for a buffer' "$err" && echo; } | timeout 60 "$rude" "$port" hoard
    stop_server
    assert_status 0
    assert_has "11 customers, 21 requests, 20 orders"
    [[ $(cat "$err") == "server: customers wait for a buffer: $(words_for ENOMEM)" ]]
}

@test "SIGTERM: the oven is emptied, the others are sent home, status 0" {
    start_server --scale 0.2
    timeout 60 "$rude" "$port" stop "$pid"
    wait_for_server
    assert_status 0
    [[ $output =~ summary\ \|\ [0-9]+\ customers,\ [0-9]+\ requests,\ 4\ orders\ in\ [0-9.]+\ s\ on\ 1\ thread$ ]]
}

@test "SIGTERM: what has arrived is answered, though nobody has read it yet" {
    start_server
    timeout 60 "$rude" "$port" arrived "$pid"
    wait_for_server
    assert_status 0
    [[ $output =~ summary\ \|\ [0-9]+\ customers,\ [0-9]+\ requests,\ 14\ orders\ in ]]
}

@test "SIGINT does the same" {
    start_server
    kill -INT "$pid"
    wait_for_server
    assert_status 0
    assert_has "summary | 0 customers, 0 requests, 0 orders in "
}

@test "a second signal ends the server at once" {
    start_server --scale 100
    timeout 60 "$rude" "$port" stop_twice "$pid"
    wait_for_server
    assert_status 143
}

@test "closed standard descriptors do no harm" {
    # shellcheck disable=SC2016 # for the inner shell
    launch bash -c 'exec "$0" "$@" <&- 2>&-' "$server" --port 0 --scale 0.01
    run "$customers" --port "$port" --count 20 <&-
    assert_status 0
    stop_server
    assert_status 0
}

@test "a summary that cannot be written is an error" {
    [[ -e /dev/full ]] || skip "no /dev/full"
    launch_on_full_disk
    stop_server
    assert_status 1
    assert_has "server: cannot write to standard output: No space left on device"
}

@test "a port in use is one clear line and status 1" {
    start_server
    run "$server" --port "$port"
    assert_status 1
    assert_output "server: --port $port: choose another, or 0 for any: $(words_for EADDRINUSE)"
}

@test "wrong arguments are one clear line and status 2" {
    local line
    while IFS='|' read -r program arguments line; do
        # shellcheck disable=SC2086 # the arguments are several words
        run "${!program}" $arguments
        assert_status 2
        assert_output "$program: $line"
    done <<'EOT'
server|--port 65536|--port: '65536' is not a number from 0 to 65535
server|--port http|--port: 'http' is not a whole number from 0 to 65535
server|--address bakery|--address: 'bakery' is not an address such as 127.0.0.1 or ::1
server|--address fe80::1|--address: 'fe80::1' needs its interface too, such as fe80::1%eth0
server|--scale slow|--scale: 'slow' is not a number from 0 to 1000
server|--timeout 0|--timeout: '0' is not a number from 0.001 to 86400
server|now|now: nothing goes here but options; see --help
customers|--count 0|--count: '0' is not a number from 1 to 100000
customers|--order cake|--order: 'cake' is not bread, croissants or cookies
customers|--address fe80::1|--address: 'fe80::1' needs its interface too, such as fe80::1%eth0
customers|--address nowhere|--address: 'nowhere' is not an address such as 127.0.0.1 or ::1
EOT
}

@test "an address that cannot be listened on is one clear line and status 1" {
    run timeout 20 "$server" --address ff02::1 --port 0
    assert_status 1
    [[ $output == "server: --address ff02::1: cannot listen there: "* && $output != *$'\n'* ]] ||
        fail "$output"
    run "$server" --address 192.0.2.1 --port 0
    assert_status 1
    assert_output "server: --address 192.0.2.1 must be one of this machine: $(words_for EADDRNOTAVAIL)"
}
