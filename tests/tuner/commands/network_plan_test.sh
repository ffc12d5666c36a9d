#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exchanges of messages as planned cases, with real jobs on this machine: measured, resumed, compared,
# combined, shown.
# usage: network_plan_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1
run=$work/run

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }

cat >"$work/cluster.json" <<'JSON'
{
    "hosts": [{"name": "a", "slots": 2}, {"name": "b", "slots": 2}],
    "launcher": {"kind": "hydra-fork"},
    "layouts": [{"nodes": 2, "ppn": 2}]
}
JSON
# what the plan network has, with few sizes
cat >"$work/plan.json" <<'JSON'
{
    "exchanges": [{"name": "ping_pong", "ways": ["send", "isend"], "max_bytes": "4Ki"},
                  {"name": "ping_pong", "link": "within", "ways": ["send"], "max_bytes": "4Ki"},
                  {"name": "bandwidth", "pairs": "halves", "max_bytes": "4Ki"},
                  {"name": "availability", "max_bytes": "16Ki"},
                  {"name": "halo", "parameters": {"dimensions": 3}, "max_bytes": 64},
                  {"name": "iallreduce", "max_bytes": "1Ki"},
                  {"name": "master_worker", "max_bytes": 16}, "local_call"],
    "size_step": 64, "case_seconds": 0.03, "min_repetitions": 6
}
JSON

expect_ok "the built-in plan" "$changeover" run --plan network --cluster "$work/cluster.json" --dry-run --run "$run"
expect_output "the built-in plan" "exchanges"
expect_ok "run" "$changeover" run --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect_output "run" "next: changeover report"
expect "every exchange was measured" python3 -c 'import json, sys
measured = {}
for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["type"] == "case" and record["stage"] == "exchange":
        assert record["status"] == "measured" or "late" in record["reason"], record["reason"]
        measured.setdefault(record["exchange"], {}).update(record["values"])
for label, value in {"ping_pong between": "half_us", "ping_pong within": "half_us", "bandwidth halves": "messages_per_s",
                     "availability between": "availability", "halo dimensions=3": "messages_per_s",
                     "iallreduce overlap": "overlap", "master_worker": "messages_per_s"}.items():
    assert value in measured[label], (label, measured)
assert "local_call" in measured' "$run/samples.jsonl"
measured=$(grep -c '"type":"case"' "$run/samples.jsonl")
expect_ok "run again" "$changeover" run --run "$run"
expect "a case that was measured is not asked for again" test "$(grep -c '"type":"case"' "$run/samples.jsonl")" -le $((measured + 20))
expect_ok "summary" "$changeover" summary --run "$run"
expect_output "summary" "latency"
expect_ok "distributions" "$changeover" distributions --run "$run" --case ping_pong
expect_output "distributions" ">10x"
expect_ok "distributions for programs" "$changeover" distributions --run "$run" --format json
expect "it is JSON" python3 -m json.tool "$work/output" /dev/null

# another run, compared and combined
expect_ok "another run" "$changeover" run --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$work/other" --seed 2
expect_ok "compare" "$changeover" compare "$run" "$work/other"
expect_output "compare" "ping_pong between 2x2"
expect_output "compare" "availability A"
expect_ok "compare for programs" "$changeover" compare "$run" "$work/other" --format json
expect "it is JSON with exchanges" python3 -c 'import json, sys
pair = json.load(open(sys.argv[1]))["pairs"][0]
assert any(e["exchange"] == "ping_pong between" and e["sizes"][0]["a"]["half_us"] > 0 for e in pair["exchanges"])' "$work/output"
expect_ok "combine" "$changeover" combine "$run" "$work/other" -o "$work/both"
expect_output "combine" "2 runs"
expect_ok "a combination is a run" "$changeover" summary --run "$work/both"
expect "in which nothing is measured" exits 2 "$changeover" run --run "$work/both"
expect "one run is nothing to combine" exits 2 "$changeover" combine "$run"

expect_ok "report" "$changeover" report --run "$run" -o "$work/report.html"
expect "with its section" grep -q 'id="exchanges"' "$work/report.html"
expect_ok "a figure" "$changeover" report --run "$run" --format svg --figure exchange-ping_pong_between-2x2 -o "$work/figure.svg"
expect_ok "tune of such a plan measures only" "$changeover" tune --run "$run"

finish
