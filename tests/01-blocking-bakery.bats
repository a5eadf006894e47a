#!/usr/bin/env bats
# Chapter 1: one thread, one thing after another.

load helper

setup_file() {
    build_chapter 01-blocking-bakery
}

@test "ten minutes of baking and ten customers take twenty minutes" {
    run "$bakery" --quiet
    assert_status 0
    assert_output "summary | 20 minutes; first customer served at minute 11"
}
