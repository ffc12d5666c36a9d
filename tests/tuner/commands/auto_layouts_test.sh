#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A cluster file without layouts: the tuner starts with the corners, chooses further layouts, and keeps them in the run.
# usage: auto_layouts_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1

echo '{"name": "three", "hosts": [{"name": "n[1-3]", "slots": 3}], "launcher": {"kind": "hydra-fork"}, "layouts": "auto",
       "networks": [{"name": "loopback"}]}' >"$work/cluster.json"
sed 's/"layouts": "auto",//' "$work/cluster.json" >"$work/without.json"
echo '{"name": "short", "collectives": [{"name": "allreduce", "max_bytes": "16Ki"}], "case_seconds": 0.05, "size_step": 16}' \
    >"$work/plan.json"
printf '# nodes ranks jobs\n1 2 5\n2 2 1000\n' >"$work/jobs.txt"
tune=("$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$work/run")
layouts() { grep -o '"event":"layout_chosen".*' "$work/run/samples.jsonl" | grep -o '"nodes":[0-9]*,"ppn":[0-9]*'; }

expect_ok "dry run" "${tune[@]}" --dry-run
expect_output "dry run: one node" "hosts n1:3 -n 3"
expect_output "dry run: one rank on each" "hosts n1:1,n2:1,n3:1 -n 3"
expect_output "dry run: there are more" "and further layouts, chosen by what is measured on these"

expect_ok "tune" "${tune[@]}" --job-mix "$work/jobs.txt" --budget 40s
expect_output "tune: says which" "Next layout: "
expect "tune: chooses what users run" grep -q '"nodes":2,"ppn":1' <(layouts)
expect "tune: nothing twice" test "$(layouts | wc -l)" = "$(layouts | sort -u | wc -l)"
expect "tune: it is measured" grep -q '"stage":"search".*"nodes":2,"ppn":1' "$work/run/samples.jsonl"

expect_ok "the same command again" "${tune[@]}" --job-mix "$work/jobs.txt" --budget 40s
expect_output "the same command again" "is complete"
expect_ok "no layouts mean auto" "$changeover" tune --cluster "$work/without.json" --plan "$work/plan.json" --run "$work/run"
echo "1 2 7" >"$work/jobs.txt"
expect_error "other jobs" "omit --job-mix to resume it, or name another --run" "${tune[@]}" --job-mix "$work/jobs.txt"
echo "1 two" >"$work/jobs.txt"
expect_error "wrong jobs" "jobs.txt, line 1: '1 two' is not NODES RANKS" \
    "$changeover" tune --job-mix "$work/jobs.txt" --run "$work/new"
expect "wrong jobs: nothing was started" test ! -e "$work/new"
finish
