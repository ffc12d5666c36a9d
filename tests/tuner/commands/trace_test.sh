#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `changeover trace` on jobs of the patched MPICH: a late rank and a heavy call are found, clocks that are wrong do
# not matter, algorithms are compared, and a plan is narrowed to what the program uses.
# usage: trace_test.sh CHANGEOVER MPIEXEC IMBALANCED_PROGRAM BENCHMARK SHIFTED_CLOCK
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1 mpiexec=$2 program=$3 benchmark=$4 clock=$5
nodes=(-launcher fork -iface lo -hosts a:2,b:2)

# value EXPRESSION: of the JSON of the last trace, as `t`
value() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); t = d["trace"]; print(eval(sys.argv[2]))' "$work/json" "$1"; }
record() { env MPIR_CVAR_COLL_EVENTS_FILE="$work/$1" "${@:2}"; }
analyse() { "$changeover" trace "$work/$1" --format json -o "$work/json" "${@:2}"; }

# ---- a rank that is late by 5 ms ----
expect_ok "the program" record late "$mpiexec" "${nodes[@]}" -n 4 "$program" 200 2 5000 262144
expect_ok "analysis" analyse late
expect "all is matched" [ "$(value 't["unmatched_calls"], t["unmatched_messages"], t["remarks"], t["problems"]')" = "({}, {}, {}, [])" ]
expect "nothing is too early" [ "$(value 't["clocks"]["messages_too_early"]')" = 0 ]
expect "the late rank is named" [ "$(value 't["late_rank"]')" = 2 ]
small='[k for k in t["kinds"] if k["bytes"] == 8][0]'
expect "it was last in 99% of the small calls" \
    [ "$(value "$small"'["arrivals"]["order_of_rank"][2][-1] >= 0.99 * '"$small"'["calls"]')" = True ]
expect "by about 5 ms" \
    [ "$(value '4.5e-3 < max(w["median"] for w in '"$small"'["arrivals"]["wait_seconds_of_rank"]) < 20e-3')" = True ]
expect "costs add up" [ "$(value 'all(v >= 0 for k in t["kinds"] for v in k["costs_seconds"].values())')" = True ]
expect "the heavy call takes the most time but for waiting" \
    [ "$(value 'max(t["kinds"], key=lambda k: k["calls"] * k["call_seconds"])["bytes"]')" = 262144 ]
expect_ok "as text" "$changeover" trace "$work/late"
expect_output "in words, with its host" "imbalance: rank 2 ($(hostname)) was last in"

# ---- what a tuning would measure for it ----
cat >"$work/cluster.json" <<'JSON'
{"hosts": [{"name": "a", "slots": 2}, {"name": "b", "slots": 2}], "launcher": {"kind": "hydra-fork"},
 "layouts": [{"nodes": 2, "ppn": 1}, {"nodes": 2, "ppn": 2}]}
JSON
expect_ok "plan for a profile" "$changeover" tune --cluster "$work/cluster.json" --profile "$work/late" --dry-run
expect_output "only what is used" "1 collectives"
expect_output "with room" "allreduce 4 to 512Ki"
expect "on the layout that is used" [ "$(grep -c changeover-bench "$work/output")" = 1 ]

# ---- tuned as its ranks arrive ----
expect_ok "arrivals" "$changeover" trace "$work/late" --arrivals "$work/arrivals.jsonl" -o "$work/text"
expect_ok "are repeated by the benchmark" "$mpiexec" "${nodes[@]}" -n 4 "$benchmark" allreduce --sizes 8 --algorithms default \
    --arrival-from "$work/arrivals.jsonl" --max-repetitions 20 --ranks --format json
# By 5 ms, of which ten times the usual time of the program's calls is written and repeated. Against the times of the calls that the
# benchmark makes nothing can be said: they may be many times as long on a machine that is busy meanwhile.
expect "the same rank is late, by what was recorded" python3 -c '
import json, statistics, sys
median_of_ranks = lambda calls: [statistics.median(delays) for delays in zip(*calls)]
case = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{\"type\":\"case\"")][0]
small = [of for of in map(json.loads, open(sys.argv[2])) if of["type"] == "class" and of["bytes"] == 8][0]
recorded, repeated = median_of_ranks(small["delays_us"]), median_of_ranks(case["start_of_ranks_us"])
print(recorded, repeated)
sys.exit(not (recorded[2] > 3 * max(recorded[rank] for rank in (0, 1, 3)) and repeated[2] == max(repeated)
              and repeated[2] - statistics.median(repeated) > 0.8 * (recorded[2] - statistics.median(recorded))))' \
    "$work/output" "$work/arrivals.jsonl"
echo '{"collectives": ["allreduce"], "size_step": 256, "changeover_factor": 1000, "case_seconds": 0.05, "verify_sizes": 1}' >"$work/plan.json"
tune=("$changeover" tune --profile "$work/late" --run "$work/run" --budget 20s)
expect_ok "tune for a profile" "${tune[@]}" --cluster "$work/cluster.json" --plan "$work/plan.json"
expect "all is measured as the ranks of the program arrive" \
    [ "$(grep -c '"stage":"\(search\|verify\)"' "$work/run/samples.jsonl")" = "$(grep -c '"arrival":"recorded"' "$work/run/samples.jsonl")" ]
expect "some is" grep -q '"stage":"search".*"status":"measured".*"arrival":"recorded"' "$work/run/samples.jsonl"
expect_ok "gains" analyse late --run "$work/run" --rules "$work/run/config.json"
expect "are of the time after the last arrival" \
    [ "$(value 'all(k["of_seconds"] == k["seconds"] for k in d["gains"]["calls"])')" = True ]

# ---- clocks that are off by seconds and drift ----
expect_ok "with bad clocks" record clocks "$mpiexec" "${nodes[@]}" -genv LD_PRELOAD "$clock" -n 4 "$program" 100 9 0 1024
expect_ok "analysis" analyse clocks
expect "no message before it was sent" [ "$(value 't["clocks"]["messages_too_early"], t["messages"] > 0')" = "(0, True)" ]

# ---- two algorithms in one job ----
expect_ok "the benchmark" env MPIR_CVAR_COLL_EVENTS_COLLECTIVES=allgather MPIR_CVAR_COLL_EVENTS_FILE="$work/both" \
    "$mpiexec" "${nodes[@]}" -n 4 "$benchmark" allgather --algorithms ring,recursive_doubling --sizes 4Ki --max-repetitions 20
expect_ok "comparison" "$changeover" trace "$work/both" --only 4Ki --compare ring recursive_doubling --chrome "$work/chrome.json"
expect_output "bytes through the interface" "interface, by stage: A 3 x 4Ki; B 0 + 16Ki"
expect "Chrome's format" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/chrome.json"

# ---- what cannot be read ----
expect_error "no trace" "there is no trace" "$changeover" trace "$work/none"
truncate -s 700 "$work/late.1.events"
expect_ok "a cut file" "$changeover" trace "$work/late"
expect_output "is said" "late.1.events was cut at byte 700"
finish
