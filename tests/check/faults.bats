#!/usr/bin/env bats
# Part of make check: each call of the system fails once, with each errno that
# may come, in the bakeries and in workday.c. Then: one clear line or -1 with
# that errno, and all other work is done; never a hang, a crash, or silence.
# shellcheck disable=SC2086 # CC may be several words

load helper

# The calls, and what they may fail with: what their manual lists, without what
# follows below it, which cannot come.
may_fail() {
    grep -v '^#' <<'EOT'
malloc         ENOMEM
calloc         ENOMEM
realloc        ENOMEM
reallocarray   ENOMEM
mmap           ENOMEM EAGAIN ENFILE
# EACCES EBADF EINVAL ENODEV EOVERFLOW EPERM ETXTBSY: no file, plain flags
madvise        ENOMEM EAGAIN EINVAL
# EACCES EBADF EIO EPERM: not for this advice
mprotect       ENOMEM
# EACCES EINVAL: never more rights than the mapping gives
sigaltstack    ENOMEM
# EFAULT EINVAL EPERM: its arguments are constant, and it comes first
open           EMFILE ENFILE ENOMEM EACCES ENOENT EINTR
# the others: /dev/null is a device and opened for reading
close          EINTR EIO ENOSPC EDQUOT
# EBADF: only what is open is closed
read           EINTR EAGAIN EIO ECONNREFUSED ECONNRESET ETIMEDOUT ENOMEM
# EBADF EFAULT EINVAL EISDIR ENOTCONN ENOTSOCK: programmer's mistakes
write          EINTR EAGAIN EIO EPIPE ECONNRESET ENOBUFS ENOMEM ENOSPC EDQUOT EFBIG EPERM
# EBADF EDESTADDRREQ EFAULT EINVAL: programmer's mistakes
poll           EINTR ENOMEM
# EFAULT EINVAL: the array and its size are constant
epoll_create1  EMFILE ENFILE ENOMEM
# EINVAL: its flags are constant
epoll_ctl      ENOMEM ENOSPC EPERM
# EBADF EEXIST EINVAL ELOOP ENOENT: the table knows what is registered
epoll_wait     EINTR
# EBADF EFAULT EINVAL: nobody else has its descriptor
timerfd_create EMFILE ENFILE ENODEV ENOMEM
# EINVAL EPERM: CLOCK_MONOTONIC needs no rights
eventfd        EMFILE ENFILE ENODEV ENOMEM
# EINVAL: its flags are constant
eventfd_read   EAGAIN EINTR
# EINVAL EIO: eight bytes of an eventfd
accept4        EINTR EAGAIN ECONNABORTED EPROTO ENETDOWN ENOPROTOOPT EHOSTDOWN ENONET EHOSTUNREACH ENETUNREACH EMFILE ENFILE ENOBUFS ENOMEM EPERM
# EBADF EFAULT EINVAL ENOTSOCK EOPNOTSUPP: it is a listening socket
connect        EINTR ECONNREFUSED ENETUNREACH ETIMEDOUT EADDRNOTAVAIL EADDRINUSE EAGAIN EACCES EPERM EPROTOTYPE
# EAFNOSUPPORT EALREADY EBADF EFAULT EISCONN ENOTSOCK: a new socket for each
pthread_create EAGAIN
# EINVAL EPERM: no attributes are given
EOT
    # Not tried at all, as nothing that their manuals list can come: clock_gettime
    # fcntl(F_GETFD) getsockopt(SO_ERROR) pthread_sigmask sigaction signal
    # timerfd_settime; eventfd_write, from a worker, where signals are blocked:
    # its counter is far from its end. setvbuf and printf fail by their write.
}

# What may come again and again, and then nothing may come of it.
may_come_always() {
    cat <<'EOT'
read EINTR
read EAGAIN
read SHORT
write EINTR
write EAGAIN
write SHORT
poll EINTR
epoll_wait EINTR
eventfd_read EINTR
accept4 EINTR
accept4 EAGAIN
accept4 ECONNABORTED
connect EINTR
EOT
}

# Runs the command with the fault $1; its status, $scratch/out and /err.
with_fault() {
    local fault=$1
    shift
    [[ ! -e $scratch/mark ]] || rm "$scratch/mark"
    status=0
    timeout -k 1 20 env -C "$scratch" FAULT="$fault" FAULT_MARK="$scratch/mark" \
        LD_PRELOAD=./fault.so "$@" </dev/null >"$scratch/out" 2>"$scratch/err" || status=$?
    ((status < 124)) || fail "$fault: status $status: $*"
}

# What a bakery printed, without the times.
batches() {
    sed -E 's/[0-9]+\.[0-9]{2,3} s/T s/g' "$scratch/out" | sort
}

# After a fault $1 in a bakery: either nothing was lost, or one line says what.
judge_bakery() {
    local fault=$1 out said
    mapfile -t said <"$scratch/err"
    if ((status == 0)); then
        diff "$scratch/wanted" <(batches) || fail "$fault: an order is lost, status 0"
        ((${#said[@]} == 0)) || fail "$fault: status 0, but: ${said[*]}"
        return
    fi
    ((status == 1 && ${#said[@]} == 1)) ||
        fail "$fault: status $status, and on stderr: ${said[*]}"
    [[ ${said[0]} =~ ^bakery:\ .+:\ .+ ]] || fail "$fault: unclear: ${said[*]}"
    if grep -q '| out$' "$scratch/out"; then # the other ovens went on
        out=$(grep -c '| out$' "$scratch/out")
        ((out == 2)) || fail "$fault: of three batches one failed, and $out are out"
    fi
}

# In workday.c, which looks itself whether all is done: the first call of ours
# that failed passed on the same errno.
judge_workday() {
    local fault=$1 said error=${1#*:}
    error=${error%:*}
    ((status == 0)) || fail "$fault: status $status: $(cat "$scratch/err")"
    read -r said <"$scratch/out" || return 0
    case ${said#*: } in
    "$error") ;;
    EAGAIN) # so says stack.h, and so does pthread_create()
        [[ $fault == @(mprotect|calloc|mmap):ENOMEM:* ]] || fail "$fault became $said"
        ;;
    *) fail "$fault became $said" ;;
    esac
}

# The call fails the first time, the second time, and so on, until there is no
# more such call; in the short run only the first few times.
fail_one_by_one() {
    local call=$1 error=$2 judge=$3 which most=2 times=0 told=0
    shift 3
    [[ -z $LONG ]] || most=200
    for ((which = 1; which <= most; which++)); do
        with_fault "$call:$error:$which" "$@"
        [[ -e $scratch/mark ]] || break
        "$judge" "$call:$error:$which"
        times=$((times + 1))
        [[ $status == 0 && ! -s $scratch/err ]] || told=$((told + 1))
        [[ $judge != judge_workday || ! -s $scratch/out ]] || told=$((told + 1))
    done
    ((times == 0)) || tried "$call" "$error" "$times" "$told"
}

# For the table: call, errno, how often it struck, how often it was told.
tried() {
    printf '%s|%s|%s %s/%s\n' "$label" "$@" >>"$BATS_FILE_TMPDIR/faults"
}

# A table beside the results: a line for each program and call, with all of its
# errnos.
teardown_file() {
    [[ -s $BATS_FILE_TMPDIR/faults ]] || return 0
    printf '# %s\n' "call: errno times/how often it came out as a failure" >&3
    sort -s -t '|' -k1,2 "$BATS_FILE_TMPDIR/faults" | awk -F '|' '
        function end() { if (line != "") print line }
        $1 != program { end(); line = ""; printf "# %s\n", $1 }
        $1 != program || $2 != call { end(); line = "#   " $2 ":" }
        { program = $1; call = $2; line = line " " $3 }
        END { end() }' >&3
}

# All faults in the program, one after the other.
strike_all() {
    local judge=$1 call errors error
    shift
    while read -r call errors; do
        for error in $errors; do
            fail_one_by_one "$call" "$error" "$judge" "$@"
        done
    done < <(may_fail)
    grep -q "^$label|" "$BATS_FILE_TMPDIR/faults" || fail "not one fault struck"
    [[ $judge == judge_workday ]] || return 0
    while read -r call error; do
        with_fault "$call:$error:0" "$@"
        [[ -e $scratch/mark ]] || continue
        ((status == 0)) || fail "$call:$error every other time: $(cat "$scratch/err")"
        [[ ! -s $scratch/out ]] ||
            fail "$call:$error every other time: $(cat "$scratch/out")"
        tried "$call" "$error" always 0
    done < <(may_come_always)
}

build_fault() {
    echo "$label"
    $CC -include stdlib.h -x c -E -dM /dev/null | grep __GLIBC__ >/dev/null ||
        skip "fault.c goes before glibc, which $CC has not"
    $CC "${warnings[@]}" -O1 -g -shared -fPIC tests/check/fault.c -o "$scratch/fault.so"
}

faults_in_bakery() {
    local folder=$1 label="$1 bakery" arguments=()
    build_fault
    compile "$folder/bakery.c" "$folder" "$scratch/bakery" $CC -O1 -g
    [[ $folder == 0[1234]* ]] || arguments=(0.02 0.01 0)
    [[ $folder != 06* ]] || arguments+=(--workers 3)
    with_fault "nothing:EIO:1" "$scratch/bakery" "${arguments[@]}"
    batches >"$scratch/wanted"
    strike_all judge_bakery "$scratch/bakery" "${arguments[@]}"
}

faults_in_workday() {
    local folder=$1 label="$1 workday"
    build_fault
    compile tests/check/workday.c "$folder" "$scratch/workday" $CC -O1 -g
    strike_all judge_workday "$scratch/workday"
}

# Where printf() writes there is nothing to load before: strace lets it fail.
faults_in_stdout() {
    local folder=$1 label="$1 stdout" error which status arguments=()
    needs strace
    strace -o "$scratch/trace" true || skip "strace is not allowed here"
    echo "$label"
    compile "$folder/bakery.c" "$folder" "$scratch/bakery" $CC -O1 -g
    [[ $folder == 0[1234]* ]] || arguments=(0 0)
    for error in EIO ENOSPC EPIPE EDQUOT EFBIG EAGAIN EINTR; do
        for which in 1 2; do
            [[ -n $LONG || $error == ENOSPC ]] || continue
            status=0
            timeout 20 strace -f -qq -o "$scratch/trace" -P /dev/null -e trace=write \
                -e "inject=write:error=$error:when=$which" \
                "$scratch/bakery" "${arguments[@]}" >/dev/null 2>"$scratch/err" || status=$?
            grep -q INJECTED "$scratch/trace" || break
            ((status == 1)) || fail "write $error: status $status"
            grep -q '^bakery: cannot write to standard output' "$scratch/err" ||
                fail "write $error: $(cat "$scratch/err")"
            [[ $error != ENOSPC ]] || grep -qE ': (No space left on device|a part of it is lost)$' "$scratch/err" ||
                fail "write $error: another reason: $(cat "$scratch/err")"
            tried write "$error" 1 1
        done
    done
    grep -q "^$label|" "$BATS_FILE_TMPDIR/faults" || fail "not one fault struck"
}

@test "the bakery, while each call fails once" {
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 0[16]* ]] || continue
        faults_in_bakery "$folder"
    done
}

@test "the bakery, while its log cannot be written" {
    for folder in 0[1-6]-*; do
        [[ -n $LONG || $folder == 0[16]* ]] || continue
        faults_in_stdout "$folder"
    done
}

@test "workday.c, while each call fails once or is cut short" {
    for folder in 0[456]-*; do
        [[ -n $LONG || $folder == 06* ]] || continue
        faults_in_workday "$folder"
    done
}
