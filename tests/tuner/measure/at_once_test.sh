#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rows and columns of a job that call at the same time, with the real library: measured, decided, verified, read by jobs,
# resumed and reported as the layouts that they have.
# usage: at_once_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1
run=$work/run
cat >"$work/plan.json" <<'JSON'
{"collectives": [{"name": "bcast", "min_bytes": 1024, "max_bytes": "8Ki"}], "communicators": ["rows:2", "columns:2"],
 "case_seconds": 0.05, "verify_sizes": 2, "arrivals": [], "min_gain": 0}
JSON
tune=("$changeover" tune --plan "$work/plan.json" --run "$run")

expect_ok "a dry run" "${tune[@]}" --ranks 4 --fake-nodes 2 --dry-run
expect_output "starts the whole job" "-n 4"
expect "for each layout" test "$(grep -c 'changeover-bench' "$work/output")" = "$(grep -c '^Note: layout' "$work/output")"
expect_ok "a tuning" "${tune[@]}" --ranks 4 --fake-nodes 2
expect_output "says what is measured how" "layout 1x2: rows:2 of jobs of 1x4"
expect_output "and of columns" "layout 2x1: columns:2 of jobs of 2x2"
calls() { grep '"type":"case"' "$run/samples.jsonl" | grep '"collective":"bcast"' | grep -v '"link":"'; }
expect "calls are made in the parts" test "$(calls | grep -c '"nodes":2,"ppn":1,.*"communicators":"columns:2"')" -gt 4
expect "all of them" test "$(calls | grep -vc '"communicators":"')" = 0
expect "none has failed" test "$(calls | grep -c '"status":"crashed"\|"status":"wrong')" = 0
expect "jobs had all ranks" test "$(grep '"event":"job_header"' "$run/samples.jsonl" | grep -c '"ranks":4')" -gt 0

# A rule by hand: what the search finds on a busy machine is not known
expect_ok "the same again" "${tune[@]}"
expect_output "is complete" "is complete"
# killed in its first layout
grep -n '"communicators":"' "$run/samples.jsonl" | head -n 3 | tail -n 1 | cut -d: -f1 >"$work/line"
head -n "$(cat "$work/line")" "$run/samples.jsonl" >"$work/cut" && cp "$work/cut" "$run/samples.jsonl"
rm -f "$run"/{config,verification,tuning}.json
expect_ok "a tuning that was killed" "${tune[@]}"
expect "goes on in the same parts" test "$(calls | grep -c '"nodes":2,"ppn":1,.*"communicators":"columns:2"')" -gt 4
expect_ok "a report" "$changeover" report --run "$run" -o "$work/report.html"
expect "says so" grep -q 'columns:2 of jobs of 2x2' "$work/report.html"
sed -i 's/"rows:2", //' "$work/plan.json"
expect_error "other parts are another plan" "omit --plan to resume it" "${tune[@]}"
finish
