#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A verification audits the rules that hold: a bump that is planted between two proven sizes, in jobs that read the rules
# only, is left out of the rule; one at a proven size is reported; what the journal has is not measured again.
# usage: verify_guidelines_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1

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
echo '{"collectives": [{"name": "bcast", "max_bytes": "1Mi"}], "arrivals": []}' >"$work/plan.json"
echo '{"bcast": {"default": [100, 0, "binomial"], "binomial": [100, 0], "scatter_ring_allgather": [70, 0]}}' >"$work/times.json"
# loaded BUMPS: with the rules; {"SIZE": FACTOR}
loaded() { echo "{\"bcast\": {\"default\": [70, 0, \"scatter_ring_allgather\", $1]}}" >"$work/loaded.json"; }
tune() { "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$@"; }
# of the journal: how many cases of the audit there are, with the rules or without (ours, default)
audited() {
    python3 - "$1/samples.jsonl" "$2" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
rows = [row for row in rows if row.get("stage") == "guidelines"]
print(sum(("setting" in row) == (sys.argv[2] == "ours") for row in rows))
PYTHON
}
# between RUN: a size that was audited but not proven, inside of the rule
between() {
    python3 - "$1" <<'PYTHON'
import json, sys
proven = {proof["bytes"] for proof in json.load(open(sys.argv[1] + "/verification.json"))["proofs"]}
rows = [json.loads(line) for line in open(sys.argv[1] + "/samples.jsonl")]
sizes = {row["bytes"] for row in rows if row.get("stage") == "guidelines"} - proven
print(max(sizes))
PYTHON
}
rules() { grep -c '"from_bytes"' "$1/config.json"; }

loaded '{}'
expect_ok "a tuning without a bump" tune "$work/flat"
expect_output "says what the audit costs" "verification, guidelines"
expect "there are comparisons, in a job with the rules" test "$(audited "$work/flat" ours)" -ge 6
expect "and none without them" test "$(audited "$work/flat" default)" = 0
expect "nothing is reported" test "$(grep -c 'guideline\|narrowed around' "$work/flat/config.json")" = 0
count=$(rules "$work/flat")
middle=$(between "$work/flat")

loaded "{\"$middle\": 1.4}"
expect_ok "a bump between proven sizes" tune "$work/bump"
expect_output "the rule is narrowed" "was narrowed around"
expect_output "and why" "times as long"
expect "it became two" test "$(rules "$work/bump")" = $((count + 1))
expect "neither holds there" test "$("$changeover" explain --run "$work/bump" bcast --layout 2x1 --bytes "$middle" | grep -c 'default (the library')" = 1
expect "the rest has its rule" test "$("$changeover" explain --run "$work/bump" bcast --layout 2x1 --bytes 1Mi | grep -c ring)" -ge 1
expect "the report says so, too" grep -q "was narrowed around" "$work/bump/report.html"
expect "jobs without the rules decided it" test "$(audited "$work/bump" default)" -ge 6
before=$(audited "$work/bump" ours)
expect_ok "verified again" "$changeover" verify --run "$work/bump"
expect "by what the journal has" test "$(audited "$work/bump" ours)" = "$before"
expect "with the same result" test "$(rules "$work/bump")" = $((count + 1))

loaded '{"1048576": 1.4}'
expect_ok "a bump at a proven size" tune "$work/end"
expect_output "is reported" "guideline: with the rules, bcast of 1Mi on 2x1 takes"
expect "the rule stays" test "$(rules "$work/end")" = "$count"

loaded "{\"$middle\": 1.4}"
echo '{"collectives": [{"name": "bcast", "max_bytes": "1Mi"}], "arrivals": [], "guidelines": false}' >"$work/plan.json"
expect_ok "a plan without guidelines" tune "$work/without"
expect "does not audit" test "$(audited "$work/without" ours)" = 0
expect "and its rule stays" test "$(rules "$work/without")" = "$count"
finish
