#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rules that keep the bits of reductions, or a limit of memory: said of each rule, and kept if that is asked for.
# usage: reproducible_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1

cat >"$work/times.json" <<'JSON'
{"allreduce": {"default": [100, 0, "recursive_doubling"], "recursive_doubling": [100, 0], "smp": [50, 0], "ring": [80, 0]}}
JSON
cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [{"name": "net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1",
        "FAKE_HEADER": "{\"library\": \"MPICH Version: 4.0.2;changeover patches\"}", "FAKE_TIMES_FILE": "$work/times.json",
        "FAKE_BITS": "{\"default\": \"d\", \"recursive_doubling\": \"d\", \"ring\": \"d\", \"smp\": \"s\"}"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
echo '{"collectives": [{"name": "allreduce", "max_bytes": "64Ki"}], "arrivals": []}' >"$work/plan.json"
tune() { "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" "$@"; }
explain() { "$changeover" explain --run "$1" allreduce --layout 2x1 --bytes 1Ki; }

run=$work/any
expect_ok "a tuning" tune --run "$run" --budget 5m
expect_ok "takes the fastest" explain "$run"
expect_output "smp" "smp"
expect_output "and says that results change" "results: sums are rounded in another order than the default's"
expect "as do the data of the report" grep -q 'changes_bits' "$run/report.html"

expect_ok "decided again for the same results" "$changeover" decide --run "$run" --reproducible same-as-default
expect_output "it says how to go on" "changeover verify --run $run --reproducible same-as-default"
expect_ok "verified" "$changeover" verify --run "$run" --reproducible same-as-default
expect_output "what was left out" "allreduce smp is left out (reproducible: same-as-default): its results have other bits"
expect_ok "the next best that keeps them" explain "$run"
expect_output "is used" "ring"
expect_output "with the same results" "results: the same bits as the default's"
expect "and the file says what it keeps" grep -q '"reproducible": "same-as-default"' "$run/config.json"
expect_ok "verified once more" "$changeover" verify --run "$run"
expect "it still does" grep -q '"reproducible": "same-as-default"' "$run/config.json"
expect_ok "going on with more time" "$changeover" tune --run "$run" --budget 10m
expect "it still does, too" grep -q '"reproducible": "same-as-default"' "$run/config.json"
expect_ok "until another class is asked for" "$changeover" verify --run "$run" --reproducible any
expect_ok "then the fastest" explain "$run"
expect_output "is back" "smp"

# smp allocates a vector here; what ring needs is not known
expect_output "its memory" "memory: 1.0 KiB on the rank that needs most"
expect_ok "decided again for little memory" "$changeover" decide --run "$run" --max-memory 16Ki
expect_output "it says how to go on" "changeover verify --run $run --max-memory 16Ki"
expect_ok "verified" "$changeover" verify --run "$run" --max-memory 16Ki
expect_output "what is not known is left out" "allreduce ring is left out from 8 on (--max-memory 16Ki): how much it allocates is not known"
expect_output "what needs more is left out where it does" "allreduce smp is left out from"
expect "the rule ends there" test "$("$changeover" explain --run "$run" allreduce --layout 2x1 --bytes 16Ki | grep -c 'default (the library')" = 1
expect_ok "and holds below" explain "$run"
expect_output "as before" "smp"
expect "the file says what it keeps" grep -q '"max_memory": 16384' "$run/config.json"
expect_ok "verified once more" "$changeover" verify --run "$run"
expect "it still does" grep -q '"max_memory": 16384' "$run/config.json"
expect_ok "until it may have more" "$changeover" verify --run "$run" --max-memory 0
expect "then it is without" test "$(grep -c max_memory "$run/config.json")" = 0
expect_error "a size that is none" "'much' is not a message size" "$changeover" decide --run "$run" --max-memory much

# The search saw nothing but powers of two, where the bits are the same; they are not at the sizes of the proof
sed 's/\\"ring\\": \\"d\\"/\\"ring\\": [\\"d\\", \\"x\\"]/; s/\\"smp\\": \\"s\\"/\\"smp\\": [\\"d\\", \\"x\\"]/' "$work/cluster.json" >"$work/between.json"
expect "other bits between" grep -q x "$work/between.json"
expect_ok "a tuning of them" "$changeover" tune --cluster "$work/between.json" --plan "$work/plan.json" --run "$work/between"
expect_ok "verified for the same results" "$changeover" verify --run "$work/between" --reproducible same-as-default
expect "what the proofs keep" grep -q "smp from 0 to 64Ki was narrowed to 0 to 16: not verified outside" "$work/between/config.json"

export FAKE_REQUESTS=$work/requests
expect_ok "a tuning for the same results" tune --run "$work/same" --reproducible same-as-default
expect "asks the benchmark for it" grep -q '"reproducible":"same-as-default"' "$work/requests"
expect_ok "and has its rule" explain "$work/same"
expect_output "for ring" "ring"
expect_error "resumed with another class" "was started with --reproducible same-as-default" tune --run "$work/same" \
    --reproducible any
expect_error "resumed with another limit" "was started with --max-memory 0" tune --run "$work/same" --max-memory 1Mi
expect_error "a class that does not exist" "--reproducible" tune --run "$work/other" --reproducible bits
echo '{"collectives": ["allreduce"], "reproducible": "bits"}' >"$work/wrong.json"
expect_error "nor in a plan" "choose any, ranks-agree or same-as-default" "$changeover" tune --cluster "$work/cluster.json" \
    --plan "$work/wrong.json" --run "$work/other"
finish
