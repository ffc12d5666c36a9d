#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A machine that is not here goes through the whole program: platform, tune, resume, verify, check, compare, report. Real
# programs; what they measure is simulated, the same each time, and marked so.
# usage: simulated_tune_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1
sim=$(dirname "$changeover")/changeover-sim
cd "$work" || exit 1

# ---- platforms ----
expect_ok "a platform and its cluster file" "$changeover" platform --nodes 16 --ppn 2 --topology fat-tree:2to1 \
    --bandwidth 1gbit --latency 20us --noise 0.01 -o tree.xml --cluster tree.json
expect_output "what to do next" "changeover tune --cluster tree.json --run simulated"
expect_ok "another network" "$changeover" platform --nodes 16 --ppn 2 --bandwidth 10gbit --latency 2us --noise 0.01 \
    -o star.xml --cluster star.json
expect_error "a topology that there is not" "did you mean 'torus'" "$changeover" platform --nodes 8 --topology tours
expect_error "a bandwidth without a unit" "'100' is not a bandwidth" "$changeover" platform --nodes 8 --bandwidth 100
expect_ok "times of one collective" "$sim" --platform tree.xml --layout 16x2 allgather --sizes 1Ki
expect_output "marked" "# simulated: allgather on tree.xml, 32 ranks, 16x2"
expect_error "no such host" "tree.xml has no host 'x'; it has 16: n0 to n15" "$sim" --platform tree.xml --hosts x:2 --serve
expect_error "no platform" "there is no such platform file" "$sim" --platform none.xml --serve
expect_error "no room" "needs 17 nodes, but tree.xml has 16" "$sim" --platform tree.xml --layout 17x1 bcast
expect_ok "the launcher starts any program" "$sim" --platform tree.xml --hosts n0:2 --launch /bin/echo started
expect_output "it started" "started"

# ---- tune: the layouts that the tests have time for ----
python3 - <<'PYTHON'
import json
for name in "tree", "star":
    cluster = json.load(open(name + ".json"))
    cluster["layouts"] = [{"nodes": 4, "ppn": 1}, {"nodes": 16, "ppn": 2}]
    json.dump(cluster, open(name + ".json", "w"))
PYTHON
options=(--plan quick --collectives bcast,allgather --budget 5m --seed 7)
expect_ok "tune" "$changeover" tune --cluster tree.json --run run "${options[@]}"
expect_output "all say that it is simulated: tune" "SIMULATED: the 16 nodes do not exist"
expect_output "its summary" "SIMULATED: all times are computed by SimGrid"
expect_ok "the summary" "$changeover" summary --run run
expect_output "again" "SIMULATED: all times are computed by SimGrid"
expect "the report" grep -q "SIMULATED: the 16 nodes do not exist" run/report.html
expect_ok "emit" "$changeover" emit --run run --format mpich -o tuned.json
expect_output "emit warns" "the rules are those of a simulation"
expect "the file says so" grep -q "Simulated MPICH" tuned.json
expect_ok "there are rules" python3 -c 'import json; assert len(json.load(open("run/config.json"))["rules"]) > 2'
expect "nothing for jobs to read by accident" test ! -e run/tuning.json
expect_error "no job can load them" "no job of a simulated machine reads a file" "$changeover" verify --run run --loaded
expect_error "nothing to examine" "is simulated: there are no nodes to check" "$changeover" doctor --cluster tree.json

# ---- the same seed measures the same; a run that was killed goes on ----
samples() { python3 -c '
import json, sys
cases = [json.loads(line) for line in open(sys.argv[1] + "/samples.jsonl") if "\"type\":\"case\"" in line]
print(sorted((c["collective"], c["algorithm"], c["bytes"], c["nodes"], c["stage"], c["group"], c["samples_us"]) for c in cases
             if c["stage"] in ("network", "search")))' "$1" | sha256sum; }
expect_ok "the same again" "$changeover" tune --cluster tree.json --run again "${options[@]}"
expect "the same bytes" test "$(samples run)" = "$(samples again)"
"$changeover" tune --cluster tree.json --run stopped "${options[@]}" >output 2>&1 &
for _ in $(seq 200); do sleep 0.02; [[ $(cat stopped/samples.jsonl 2>/dev/null | wc -l) -lt 120 ]] || break; done
kill -9 $! 2>/dev/null; wait $! 2>/dev/null
cp stopped/samples.jsonl killed.jsonl
expect_ok "resume" "$changeover" tune --run stopped
expect_ok "nothing is lost" python3 - <<'PYTHON'
import json
def cases(file):
    found = []
    for line in open(file):
        if '"type":"case"' in line and line.endswith("}\n"):
            case = json.loads(line)
            if case["stage"] == "search":
                found.append((case["collective"], case["algorithm"], case["bytes"], case["nodes"], case["ppn"]))
    return found
before, after = cases("killed.jsonl"), cases("stopped/samples.jsonl")
assert len(after) > len(before) and set(before[:-10]) <= set(after), (len(before), len(after))  # the last group may be torn
PYTHON
expect_ok "and it is complete" python3 -c 'import json; assert json.load(open("stopped/config.json"))["verified"]'

# ---- check and compare ----
expect_ok "check" "$changeover" check --run run
expect_ok "tune the other network" "$changeover" tune --cluster star.json --run star "${options[@]}"
expect_ok "compare" "$changeover" compare run star
expect_output "compare says so" "star, SIMULATED)"

# ---- hints from an earlier run, and a search that ends early ----
searched() { grep '"stage":"search"' "$1/samples.jsonl" | grep -c '"type":"case"'; }
expect_ok "tune with hints" "$changeover" tune --cluster star.json --run hints --prior run "${options[@]}"
expect "it measures less" test "$(searched hints)" -lt "$(searched star)"
expect "it keeps the hints" cmp run/samples.jsonl hints/prior/samples.jsonl
expect_ok "the same command resumes it" "$changeover" tune --cluster star.json --run hints --prior run "${options[@]}"
expect_error "no such run" "none" "$changeover" tune --cluster star.json --run other --prior none "${options[@]}"
expect "nothing was started" test ! -e other
expect_error "hints come first" "was started with no earlier run; omit --prior" \
    "$changeover" tune --run star --prior run
expect_ok "a loss that is accepted" "$changeover" tune --cluster star.json --run coarse --until-loss 20% "${options[@]}"
expect_output "what is expected to be lost" "are expected to lose"
expect "it measures less, too" test "$(searched coarse)" -lt "$(searched star)"
expect_error "another loss" "was started with --until-loss 20%; omit --until-loss" \
    "$changeover" tune --run coarse --until-loss 1%
expect_error "no share" "'some' is not a share" "$changeover" tune --cluster star.json --run other --until-loss some

# ---- calibrated from a run, which is itself a simulation: what comes out is what went in ----
expect_ok "calibrate" "$changeover" platform --from-run star --nodes 32 -o large.xml --cluster large.json
expect_output "as many nodes" "large.xml has 32 nodes, star"
expect "the bandwidth is that of the platform, within 5%" python3 -c '
import re
text = open("large.xml").read()
assert abs(float(re.search(r"bw=\"([0-9.e+]+)Bps", text)[1]) / 1.25e9 - 1) < 0.05, text
assert 0.005 < float(re.search(r"noise.sigma\" value=\"([0-9.e-]+)", text)[1]) < 0.02, text'
expect_ok "its times" "$sim" --platform large.xml --layout 32x2 bcast --sizes 64Ki
expect_ok "predict" "$changeover" predict --run star --collective bcast --layout 16x2 --bytes 1Ki,64Ki --engine simgrid
expect_output "the model and the simulation" "simulated by SimGrid, with contention for shared links"
expect_ok "as JSON" "$changeover" predict --run star --collective bcast --layout 16x2 --bytes 64Ki --engine simgrid --format json
cp output prediction.json
expect_ok "both have all algorithms" python3 -c '
import json
[call] = json.load(open("prediction.json"))["predictions"]
assert {x["algorithm"] for x in call["simulated"]} == {x["algorithm"] for x in call["times"]}, call'
expect_ok "one call in GOAL" "$sim" --platform large.xml --layout 4x2 allgather --sizes 64 --algorithms ring --goal ring.goal
expect "all its messages" test "$(grep -c ' send 64b to ' ring.goal)" -eq 56
expect_error "one call only" "name one size and one algorithm" "$sim" --platform large.xml --layout 4x2 allgather --goal ring.goal
expect_error "no such run" "is not a run" "$changeover" platform --from-run none
expect_error "a run, or numbers" "excludes" "$changeover" platform --from-run star --bandwidth 1gbit
expect_error "no nodes" "--nodes is missing" "$changeover" platform
finish
