#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A network that became ten times as fast after it was tuned: check names what moved, check --retune measures all of it
# again, and predictions come from the new times only. usage: changed_network_test.sh MPIEXEC BENCH CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"
mpiexec=$1 bench=$2 changeover=$3
run=$work/run

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }
# Of messages of two ranks between nodes: nanoseconds for a byte, by the largest ones
time_per_byte() { python3 -c 'import json, sys
links = [link for link in json.load(open(sys.argv[1]))["links"] if link["link"] == "between"]
print(round(1e9 * links[0]["log_gp"][-1]["gap_seconds_per_byte"]["value"]))' "$run/network.json"; }
# Milliseconds of a broadcast of 64 KiB by binomial on three nodes: by the model, and by the benchmark
predicted() { "$changeover" predict --run "$run" --collective bcast --layout 3x1 --bytes 64Ki --format json | python3 -c 'import json, sys
print([t["seconds"] for t in json.load(sys.stdin)["predictions"][0]["times"] if t["algorithm"] == "binomial"][0] * 1e3)'; }
measured() { "${in_lab[@]}" "$mpiexec" -localhost head-eth -hosts n1-eth,n2-eth,n3-eth -n 3 "$bench" bcast --sizes 64Ki \
    --algorithms binomial --min-repetitions 20 --max-repetitions 20 --format json | python3 -c 'import json, statistics, sys
cases = [line for line in map(json.loads, sys.stdin) if line["type"] == "case"]
print(statistics.median(cases[0]["samples_us"]) / 1e3)'; }

expect_ok "up, at 10 Mbit/s" "$lab" up --nodes 3 --slots 1 --layout 3x1 --network eth:10mbit $one
in_lab=("$lab" exec $one head)
cluster=/run/changeover-lab/$one/cluster.json
expect_ok "tune" "${in_lab[@]}" "$changeover" tune --cluster "$cluster" --collectives bcast,allgather --budget 40s --run "$run"
was=$(predicted)
cp "$run/report.html" "$work/report.html"
cp "$run/tuning.json" "$work/tuning.json"
lines=$(wc -l <"$run/samples.jsonl")

expect_ok "another switch: 100 Mbit/s" "$lab" rate $one eth 100mbit
expect "check finds it" exits 3 "${in_lab[@]}" "$changeover" check --run "$run"
cp "$work/output" "$work/check.txt"
cat "$work/check.txt"
expect_output "with what moved" "network eth: between.byte (G): "
expect_output "all of it is stale" "all cells of network eth are stale"
read -r before after < <(sed -nE 's/.*between.byte \(G\): ([0-9]+)[.0-9]* -> ([0-9]+)[.0-9]* ns.*/\1 \2/p' "$work/check.txt")
expect "by about ten times" test "$before" -gt 300 -a "$before" -lt 1000 -a "$after" -gt 50 -a "$after" -lt 130
expect "jobs go on with the old rules" cmp -s "$run/tuning.json" "$work/tuning.json"

expect_ok "retune" "${in_lab[@]}" "$changeover" check --retune --run "$run"
expect_output "the summary says why" "network eth changed"
expect "the new time per byte" test "$(time_per_byte)" -gt 60 -a "$(time_per_byte)" -lt 120
expect "the report is another one" eval '! cmp -s "$run/report.html" "$work/report.html"'
expect "and says why" grep -q "network eth changed" "$run/report.html"
expect "the rules are verified" grep -q '"verified": true' "$run/config.json"
for collective in bcast allgather; do
    expect "$collective was searched again" test \
        "$(tail -n +$((lines + 1)) "$run/samples.jsonl" | grep -c "\"stage\":\"search\".*\"collective\":\"$collective\"")" -gt 0
done

# The prediction and what is measured now, without the tuner
now=$(predicted)
real=$(measured)
echo "64 KiB to 3 nodes: $was ms predicted before; now $now ms predicted, $real ms measured"
expect "the prediction is of the new network" python3 -c "import sys; sys.exit(not 0.5 < $now / $real < 2 or $was < 4 * $now)"
expect_ok "predict" "$changeover" predict --run "$run"
expect_output "predict says it" "network eth changed"
expect_ok "down" "$lab" down $one
finish
