#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run is resumed with the options that it was started with: another value is an error that names the option, never
# ignored. And no option starts a run that cannot be opened again.
# usage: resume_options_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }
# refused WHAT OPTION RUN ARGUMENTS...: wrong use, with the remedy
refused() {
    expect "$1" exits 2 "$changeover" tune --run "$work/$3" "${@:4}"
    expect_output "$1: what to do" "omit $2 to resume it, or name another --run"
}

cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [{"name": "net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1", "FAKE_TIMES_FILE": "$work/times.json"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
plan() { # SIZE_STEP
    echo "{\"collectives\": [{\"name\": \"bcast\", \"max_bytes\": \"64Ki\"}, {\"name\": \"allreduce\", \"max_bytes\": \"64Ki\"}], \"size_step\": $1}" >"$work/plan.json"
}
plan 8
echo '{"bcast": {"default": [100, 0, "binomial"], "binomial": [100, 0], "scatter_ring_allgather": [50, 0]}}' >"$work/times.json"
tune=("$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json")

expect_ok "a run" "${tune[@]}" --collectives bcast --budget 10m --seed 7 --run "$work/run"
expect_ok "the same command again" "${tune[@]}" --collectives bcast --budget 10m --seed 7 --run "$work/run"
expect_output "the same command again" "is complete"
expect_ok "the same budget in other words" "$changeover" tune --budget 600s --run "$work/run"
expect_ok "no options" "$changeover" tune --run "$work/run"
expect_ok "only some of them" "${tune[@]}" --run "$work/run"
refused "the default plan, named" --plan run --plan quick
refused "another plan" --plan run --plan full
refused "another seed" --seed run --seed 8
refused "the default seed, named" --seed run --seed 1
refused "a smaller budget" --budget run --budget 9m
expect_output "a smaller budget: which" "the time limit 10m00s"
expect_ok "a larger budget" "$changeover" tune --run "$work/run" --budget 11m
expect_output "goes on" "Going on with the run in $work/run for 60 s; its rules stay until better ones are verified"
expect "and ends well" grep -q '"verified": true' "$work/run/config.json"
expect_ok "once" "$changeover" tune --run "$work/run" --budget 11m
expect_output "once" "is complete"
expect "an extension that was killed" sed -i '/"event":"extension_used"/d' "$work/run/samples.jsonl"
expect_ok "an extension that was killed" "$changeover" tune --run "$work/run"
expect_output "an extension that was killed: is resumed" "Going on with the run in $work/run for 60 s"
expect "its proofs are lost" sed -i '/"stage":"verify"/d' "$work/run/samples.jsonl"
expect_ok "an extension that is too short to repeat them" env FAKE_START=slow "$changeover" tune --run "$work/run" --budget 661s
expect_output "an extension that is too short" "The rules that were verified before stay"
expect "they do" grep -q '"algorithm": "scatter_ring_allgather"' "$work/run/config.json"
refused "what it was before" --budget run --budget 10m
refused "an exhaustive search" --exhaustive run --exhaustive
refused "other collectives" --collectives run --collectives allreduce
plan 16
refused "a plan that was edited" --plan run --plan "$work/plan.json"
plan 8
expect "run refuses as well" exits 2 "$changeover" run --seed 8 --run "$work/run"

expect_ok "an exhaustive run" "${tune[@]}" --collectives bcast --exhaustive --run "$work/exhaustive"
expect_ok "which is resumed with the option" "$changeover" tune --exhaustive --run "$work/exhaustive"
expect_ok "and without" "$changeover" tune --run "$work/exhaustive"
refused "a budget for a run that has none" --budget exhaustive --budget 5m
expect_output "a budget for a run that has none" "no time limit"

# a time of four thousand years, which plans do not have
expect "a budget beyond all limits" exits 2 "${tune[@]}" --budget 40000000h --run "$work/never"
expect_output "a budget beyond all limits is named" "--budget 40000000h"
expect_output "a budget beyond all limits: what to do" "omit --budget for no limit"
expect "nothing was started" test ! -e "$work/never"
finish
