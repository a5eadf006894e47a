#!/usr/bin/env bats
# Part of make check: what a client may send, thought out by a machine.

load helper

http=(05-epoll-netpoller/demos/{http,http_answer,http_body,http_fields,text,uri}.c)
flags_http=(-O1 -g -I05-epoll-netpoller -Itests)

fuzz_http() {
    local seconds=$1 flags=("-fsanitize=fuzzer,address,undefined" -fno-sanitize-recover=undefined)
    needs clang
    clang "${flags[@]}" -x c - -o "$scratch/probe" <<<'
        int LLVMFuzzerTestOneInput(const char *data, unsigned long size);
        int LLVMFuzzerTestOneInput(const char *data, unsigned long size) {
            return data[size] != 0;
        }' || skip "clang has no libFuzzer here"
    clang "${warnings[@]}" "${flags_http[@]}" "${flags[@]}" tests/check/fuzz.c "${http[@]}" \
        -o "$scratch/fuzz"
    mkdir "$scratch/corpus"
    run within $((seconds + 60)) "$scratch/fuzz" -seed=$((SEED % 4294967295 + 1)) -max_total_time="$seconds" -timeout=20 \
        -max_len=20000 -artifact_prefix="$scratch/" -print_final_stats=1 "$scratch/corpus" \
        tests/check/corpus
    assert_status 0
    grep -q '^stat::number_of_executed_units: *[1-9]' <<<"$output"
}

split_http() {
    local rounds=$1
    # shellcheck disable=SC2086 # CC may be several words
    $CC "${warnings[@]}" "${flags_http[@]}" tests/check/splits.c "${http[@]}" -o "$scratch/splits"
    from_seed 300 "$scratch/splits" "$SEED" "$rounds" tests/check/corpus/*
}

@test "the parser of HTTP, fuzzed" {
    if [[ -z $LONG ]]; then fuzz_http 3; else fuzz_http 60; fi
}

@test "any split of any stream of requests gives the same answers" {
    if [[ -z $LONG ]]; then split_http 200; else split_http 10000; fi
}
