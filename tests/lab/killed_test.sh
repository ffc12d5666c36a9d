#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A lab whose 'up' fails, is stopped or is killed at any moment leaves nothing that 'down' does not find.
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"

mkdir "$work/bin"
printf '#!/bin/sh\n[ "$1" != -batch ] || { echo "no interface today" >&2; exit 1; }\nexec %s "$@"\n' "$(command -v ip)" >"$work/bin/ip"
chmod +x "$work/bin/ip"
expect_error "an 'up' that fails" "no interface today" env PATH="$work/bin:$PATH" "$lab" up $one
expect "cleans up after itself" test ! -e "/run/changeover-lab/$one"
expect "nothing is left" nothing_left_of $one
expect_unchanged "a failed 'up'"

start=$(date +%s%N)
expect_ok "up" "$lab" up --nodes 4 $one
up_ms=$((($(date +%s%N) - start) / 1000000))
expect_ok "down" "$lab" down $one

RANDOM=6
incomplete=0
for signal in TERM KILL KILL KILL KILL KILL KILL KILL KILL; do
    "$lab" up --nodes 4 $one >"$work/output" 2>&1 &
    sleep "$(printf '%d.%03d' $((RANDOM % up_ms / 1000)) $((RANDOM % up_ms % 1000)))"
    kill -$signal $! 2>/dev/null
    wait $! 2>/dev/null
    [[ -e /run/changeover-lab/$one/ready ]] || incomplete=$((incomplete + 1))
    if [[ -e /run/changeover-lab/$one ]]; then
        expect_ok "status after a killed 'up'" "$lab" status
        expect_ok "down after a killed 'up'" "$lab" down $one
    fi
    expect "nothing is left" nothing_left_of $one
    expect_unchanged "after SIG$signal"
done
expect "some of them were not complete" test $incomplete -ge 3
expect_ok "up again" "$lab" up --nodes 4 $one
expect_ok "ping" "$lab" exec $one n1 ping -q -c 1 -W 5 n4
expect_ok "down" "$lab" down $one

# run: the status of the command, its input, and signals
expect "run returns the command's status" test "$("$lab" run --nodes 2 -- sh -c 'exit 7' >/dev/null; echo $?)" = 7
expect "run passes input and output" test "$(echo hello | "$lab" run --nodes 2 -- sh -c 'cat; hostname; cat "$CHANGEOVER_LAB_CLUSTER" | grep -c host_suffix' | tr '\n' ' ')" = "hello head 2 "
"$lab" run --nodes 2 -- sh -c "echo \$CHANGEOVER_LAB >$work/running; sleep 1000" &
until [[ -s $work/running ]]; do sleep 0.05; done
kill -TERM $!
wait $!
expect "run ends by a signal" test $? = 143
expect "and so does its lab" test ! -e "$(cat "$work/running")"
expect_unchanged "after run"
finish
