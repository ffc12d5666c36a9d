#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `changeover audit` of a made-up library: planted violations are found, of the default and with the rules, and nothing
# else is; audit.json and the report have them; what fails is noted.
# usage: audit_command_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1
run=$work/run

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }
# violated WITH_RULES: "collective mock-up sizes" of audit.json, a line each
violated() {
    python3 - "$run/audit.json" "$1" <<'PYTHON'
import collections, json, sys
audit = json.load(open(sys.argv[1]))
found = collections.defaultdict(list)
for row in audit["results"]:
    if row["violated"] and row["with_rules"] == (sys.argv[2] == "rules"):
        found[row["collective"], row["mock_up"]].append(str(row["bytes"]))
for (collective, mock_up), sizes in sorted(found.items()):
    print(collective, mock_up, ",".join(sizes))
PYTHON
}
# times FILE BCAST_MOCK_UPS ALLREDUCE_MOCK_UPS: the default of bcast loses to the ring everywhere
times() {
    cat >"$1" <<JSON
{"bcast": {"default": [100, 0, "binomial"], "binomial": [100, 0], "scatter_ring_allgather": [70, 0]$2},
 "allreduce": {"default": [100, 1, "recursive_doubling"], "recursive_doubling": [100, 1], "smp": [101, 1]$3}}
JSON
}
cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [{"name": "net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1",
        "FAKE_HEADER": "{\"library\": \"MPICH Version: 4.0.2;changeover patches\"}",
        "FAKE_TIMES_FILE": "$work/times.json", "FAKE_LOADED_TIMES_FILE": "$work/loaded.json"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
echo '{"collectives": [{"name": "bcast", "max_bytes": "1Mi"}, {"name": "allreduce", "max_bytes": "1Mi"}], "arrivals": [], "guidelines": false}' \
    >"$work/plan.json"

times "$work/times.json" "" ""
times "$work/loaded.json" "" ""
expect_ok "tune" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect "no mock-up is a candidate" test "$(grep -c mockup "$run/samples.jsonl")" = 0
expect "the library is told so, too" test "$(grep -c mockup "$run/config.json")" = 0
expect_ok "a report before the audit" "$changeover" report --run "$run"
expect "says how to audit" grep -q "changeover audit --run" "$run/report.html"

expect_ok "an audit without violations" "$changeover" audit --run "$run"
expect_output "says so" "default: 0 of "
expect_output "how long it takes" "audit: about "
expect "nothing is violated" test -z "$(violated default)"
expect "pairs were measured" grep -q '"stage":"audit".*"collective":"bcast".*"algorithm":"mockup:scatter+allgather"' "$run/samples.jsonl"
expect "in three jobs" test "$(grep -c '"event":"job_header"' "$run/samples.jsonl")" -ge 3

# with the rules, the first violation is gone and the last one is new
times "$work/times.json" ', "mockup:scatter+allgather": [60, 0]' ', "mockup:double_size": [150, 0.5], "mockup:in_place": [98, 1], "mockup:persistent": [140, 1.4]'
times "$work/loaded.json" ', "mockup:two_halves": [90, 0]' ', "mockup:double_size": [150, 0.5]'
expect "violations that the rules make" exits 3 "$changeover" audit --run "$run" --loaded
expect "all that were planted, and no others: default" test "$(violated default | cut -d' ' -f1,2 | tr '\n' ' ')" = \
    "allreduce mockup:double_size allreduce mockup:persistent bcast mockup:scatter+allgather "
expect "only at the sizes where they are" test "$(violated default | grep -c '^allreduce mockup:double_size 1048576$')" = 1
expect "with the rules" test "$(violated rules | cut -d' ' -f1,2 | tr '\n' ' ')" = \
    "allreduce mockup:double_size bcast mockup:two_halves "
expect_output "the text: what is slower than what" "scatter, allgather"
expect_output "the text: what is new, by which rule" "rules: scatter_ring_allgather (new)"
expect_output "the text: counts" " of the default are gone, "
expect "they are of jobs that read the rules" grep -q '"stage":"audit loaded"' "$run/samples.jsonl"
expect_ok "a report after the audit" "$changeover" report --run "$run"
expect "has the violations" grep -q "bcast ≤ scatter, allgather" "$run/report.html"
expect_ok "the costs of the run have the audit" "$changeover" summary --run "$run"
expect_output "by stage" "audit of the rules"

# what cannot be measured is noted, the rest goes on
times "$work/times.json" ', "mockup:two_halves": null' ""
expect_ok "only some collectives" "$changeover" audit --run "$run" --collectives bcast
expect_output "what could not be measured" "mockup:two_halves: no repetition was valid"
expect "the others were" test "$(grep -c '"collective": "allreduce"' "$run/audit.json")" = 0
expect_error "an unknown collective" "did you mean 'bcast'?" "$changeover" audit --run "$run" --collectives bcats
expect_error "one that was not measured" "no collectives that could be audited" "$changeover" audit --run "$run" --collectives scan
expect_ok "without a run" "$changeover" audit --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$work/new"
expect_output "it measures first" "comparisons violate a guideline"
expect "the calls of the plan" test "$(grep -c '"stage":"search"' "$work/new/samples.jsonl")" -ge 10
expect_error "and has no rules" "tune first" "$changeover" audit --cluster "$work/cluster.json" --run "$work/new" --loaded
mv "$run/config.json" "$work"
expect_error "without rules, nothing can read them" "changeover" "$changeover" audit --run "$run" --loaded
finish
