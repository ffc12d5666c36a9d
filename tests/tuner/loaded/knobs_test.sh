#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Variables of the library beside its algorithms: a value that helps is found, proven and emitted; one that is slower
# somewhere, or with which no job starts, is named and not used.
# usage: knobs_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1
run=$work/run

# times BCAST_US ALLREDUCE_US FILE: of all algorithms
times() {
    cat >"$3" <<JSON
{"bcast": {"default": [$1, 0, "binomial"], "binomial": [$1, 0], "scatter_ring_allgather": [$1, 0]},
 "allreduce": {"default": [$2, 0, "recursive_doubling"], "recursive_doubling": [$2, 0], "smp": [$2, 0]}}
JSON
}
times 100 100 "$work/usual.json"
times 80 100 "$work/fast.json"
times 200 200 "$work/slow.json"
times 50 110 "$work/mixed.json"
cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [{"name": "net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1",
        "FAKE_HEADER": "{\"library\": \"MPICH Version: 4.0.2;changeover patches\"}",
        "FAKE_TIMES_FILE": "$work/usual.json"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
cat >"$work/plan.json" <<JSON
{"collectives": [{"name": "bcast", "max_bytes": "64Ki"}, {"name": "allreduce", "max_bytes": "64Ki"}], "arrivals": [],
 "knobs": {"FAKE_TIMES_FILE": ["$work/slow.json", "$work/fast.json"]}}
JSON

expect_ok "a plan with knobs" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect_output "the faster value" "FAKE_TIMES_FILE: $work/fast.json is faster"
expect_output "where" "faster at 4 sizes: bcast"
expect_ok "is emitted" "$changeover" emit --run "$run" --format knobs -o "$work/knobs.sh"
expect "and shells set it" [ "$(. "$work/knobs.sh"; echo "$FAKE_TIMES_FILE")" == "$work/fast.json" ]
expect_ok "in a module, too" "$changeover" emit --run "$run" --format module -o "$work/knobs.tcl"
expect "with its value" grep -q "setenv FAKE_TIMES_FILE {$work/fast.json}" "$work/knobs.tcl"
expect_ok "the run is complete" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect_output "and says so" "is complete"
expect "killed behind its rules" sed -i '/"event":"knobs_proven"/d' "$run/samples.jsonl"
expect_ok "it goes on" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect_output "with the knobs" "FAKE_TIMES_FILE: $work/fast.json is faster"
expect_ok "decided again, it keeps them" "$changeover" verify --run "$run"
expect "in its configuration" grep -q '"variable": "FAKE_TIMES_FILE"' "$run/config.json"

expect_ok "a value that is slower somewhere" "$changeover" knobs --run "$run" "FAKE_TIMES_FILE=$work/mixed.json"
expect_output "is not used" "$work/mixed.json is not used"
expect_output "and why" "slower at 4 sizes: allreduce"
expect_ok "no value is proven now" "$changeover" emit --run "$run" --format knobs
expect_output "and that is said" "There are none"
expect_ok "no value is faster" "$changeover" knobs --run "$run" "FAKE_TIMES_FILE=$work/slow.json"
expect_output "so the library's own stays" "no value is faster than the library's own"
expect_ok "no job starts" "$changeover" knobs --run "$run" FAKE_START=exit
expect_output "with its value" "failed with exit: "
expect_output "and its reason" "no such device"

expect_error "no value" "expected a variable and its values" "$changeover" knobs --run "$run" FAKE_TIMES_FILE
echo '{"collectives": ["bcast"], "knobs": {"A B": ["1"]}}' >"$work/wrong.json"
expect_error "no variable" "'A B' is not the name of a variable" "$changeover" tune --cluster "$work/cluster.json" \
    --plan "$work/wrong.json" --run "$work/other"
finish
