#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The mock-ups of the benchmark under mpiexec, and an audit of the library of this build: whatever it finds, all is
# measured, and all results are right.
# usage: audit_library_test.sh MPIEXEC CHANGEOVER CHANGEOVER_BENCH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
mpiexec=$1 changeover=$2 bench=$3
run=$work/run

few=(--start barrier --min-repetitions 3 --max-repetitions 3 --warm-up 2 --format json)
run_bench() { "$mpiexec" -n "$1" "$bench" "${@:2}" "${few[@]}"; }

expect_ok "mock-ups by name" run_bench 3 allreduce --sizes 8,4096 --datatype double \
    --algorithms default,mockup:reduce+bcast,mockup:reduce_scatter_block+allgather,mockup:two_halves
expect "half of a single element is refused" test "$(grep -c '"algorithm":"mockup:two_halves".*"status":"refused"' "$work/output")" = 1
expect "the others are right" test "$(grep -c '"status":"measured"' "$work/output")" = 7
expect "they say what ran" grep -q '"algorithm":"mockup:reduce+bcast".*"used":"mockup:reduce+bcast"' "$work/output"
expect_ok "all algorithms" run_bench 2 bcast --sizes 64
expect "have no mock-ups among them" test "$(grep -c '"algorithm":"mockup' "$work/output")" = 0
expect_ok "a mock-up of another collective" run_bench 2 bcast --sizes 64 --algorithms mockup:reduce+bcast
expect_output "names those that there are" "the mock-ups of bcast are: mockup:scatter+allgather"
expect_ok "in place" run_bench 2 allreduce --sizes 64 --in-place --algorithms default,mockup:two_halves
expect_output "has none" "a mock-up has separate buffers"

echo '{"version": 1, "mpir": [{"collective": "allreduce", "algorithm": "reduce_bcast"}]}' >"$work/tuning.json"
with_file=(env MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json")
expect_ok "a job with rules" "${with_file[@]}" MPIR_CVAR_COLL_TUNING_ENABLE=1 "$mpiexec" -n 3 "$bench" allreduce --sizes 64 \
    --algorithms default,recursive_doubling "${few[@]}"
expect "has them in its default" grep -q '"algorithm":"default".*"used":"reduce_bcast"' "$work/output"
expect "and not in other algorithms" grep -q '"algorithm":"recursive_doubling".*"used":"recursive_doubling"' "$work/output"
expect_ok "where nobody says so" "${with_file[@]}" "$mpiexec" -n 3 "$bench" allreduce --sizes 64 --algorithms default "${few[@]}"
expect "default is without rules" test "$(grep -c reduce_bcast "$work/output")" = 0

cat >"$work/cluster.json" <<'JSON'
{"hosts": [{"name": "a", "slots": 2}], "launcher": {"kind": "hydra-fork"}, "layouts": [{"nodes": 1, "ppn": 2}]}
JSON
cat >"$work/plan.json" <<'JSON'
{"collectives": [{"name": "allreduce", "max_bytes": 4096}, {"name": "gather", "max_bytes": 4096}, "barrier"],
 "size_step": 32, "changeover_factor": 8, "case_seconds": 0.02, "min_repetitions": 6, "verify_repetitions": 12,
 "verify_sizes": 2, "arrivals": []}
JSON
expect_ok "run" "$changeover" run --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect_ok "audit" "$changeover" audit --run "$run"
expect_output "its result" "comparisons violate a guideline"
expect "nothing failed" test "$(grep -c 'not measured' "$work/output")" = 0
for mock_up in reduce+bcast reduce_scatter_block+allgather double_size two_halves in_place nonblocking persistent allgather allreduce; do
    expect "mockup:$mock_up was measured" grep -q "\"mock_up\": \"mockup:$mock_up\"" "$run/audit.json"
done
expect "all results are right" test "$(grep -c '"status":"wrong\|"status":"crashed' "$run/samples.jsonl")" = 0
expect_ok "report" "$changeover" report --run "$run"
expect "with a map by size" grep -q "gather ≤ allgather" "$run/report.html"
finish
