#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a tuning takes, and why: the estimate before it, what a time limit leaves out, the use of time that is left,
# and the costs after it.
# usage: time_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1
# said WHAT PATTERN: a line of the last output, as a regular expression
said() { expect "$1" grep -q -e "$2" "$work/output"; }
run=$work/run

cat >"$work/cluster.json" <<'JSON'
{"hosts": ["a", "b"], "launcher": {"kind": "hydra-fork"}, "layouts": [{"nodes": 2, "ppn": 1}]}
JSON
cat >"$work/plan.json" <<'JSON'
{"collectives": [{"name": "bcast", "max_bytes": 512}], "case_seconds": 0.05, "verify_repetitions": 20}
JSON
# Far more than the limit of the search has time for, and hardly a rule to verify
cat >"$work/long.json" <<'JSON'
{"collectives": [{"name": "bcast", "max_bytes": 8192}], "case_seconds": 0.5, "precision": 0.001, "size_step": 2, "race": false,
 "verify_repetitions": 20, "budget_seconds": 20}
JSON
tune=("$changeover" tune --cluster "$work/cluster.json")

expect_ok "dry run" "${tune[@]}" --plan "$work/plan.json" --dry-run --run "$run"
for text in "messages of two ranks" "search on 2x1" "verification of about" "Basis: 20 ms for each case, as races usually take" "assumed"; do
    said "the estimate" "$text"
done
expect "all of it is comments and commands" eval '! grep -v -e "^#" -e "^/.*changeover-bench" "$work/output"'
expect_ok "dry run with a limit" "${tune[@]}" --plan "$work/long.json" --dry-run --run "$run"
said "what the limit leaves out" "With the time limit of 20 s: about 20 s; it leaves out about [0-9]*% of the sizes of the grids"
expect_ok "dry run with a long limit" "${tune[@]}" --plan "$work/plan.json" --budget 1h --dry-run --run "$run"
said "a long limit" "nothing is left out"

expect_ok "tune" "${tune[@]}" --plan "$work/plan.json" --run "$run"
said "the estimate at the start" "^Estimated time: "
said "the estimate once the messages are known" "^Estimated time that is left: .*by the messages of two ranks that were measured.*(measured)"
said "the costs" "^Time of all jobs, by stage:"
said "the costs of the search" "^  search  *[01]  *[0-9]"
expect_ok "dry run of a run that is complete" "$changeover" tune --dry-run --run "$run"
expect "what was measured is not estimated again" eval '! grep -q -e "search on" -e "messages of" "$work/output"'
said "its start of jobs was measured" "to start a job (measured)"
expect_ok "summary" "$changeover" summary --run "$run"
said "the costs, again" "^  all jobs  "

expect_ok "tune with a limit" "${tune[@]}" --plan "$work/long.json" --run "$work/limited"
said "what the limit leaves out, at the start" "^The time limit leaves out about [0-9]*% of the sizes of the grids"
said "time that is left is used" "of the time limit are left: going on with what is known less precisely"
expect "the configuration is verified" grep -q '"verified": true' "$work/limited/config.json"
finish
