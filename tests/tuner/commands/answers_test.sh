#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Commands answer first, and say what to do next: of the recorded run, also with a second network that takes half of
# the time. Nothing is measured.
# usage: answers_test.sh CHANGEOVER RECORDED_RUN
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1 recorded=$2

mkdir "$work/run" "$work/two"
cp "$recorded"/{manifest.json,samples.jsonl} "$work/run"
python3 - "$recorded" "$work/two" <<'PYTHON'
import json, pathlib, sys
recorded, two = map(pathlib.Path, sys.argv[1:])
manifest = json.loads((recorded / "manifest.json").read_text())
manifest["cluster"]["networks"].append({"name": "fast"})
(two / "manifest.json").write_text(json.dumps(manifest))
lines = (recorded / "samples.jsonl").read_text().splitlines()
cases = [json.loads(line) for line in lines if '"type":"case"' in line]
last = max(case["group"] for case in cases)
for case in cases:
    case.update(network="fast", group=case["group"] + last, samples_us=[t / 2 for t in case["samples_us"]])
others = [json.dumps(case, separators=(",", ":")) for case in cases]
(two / "samples.jsonl").write_text("\n".join(lines + others) + "\n")
PYTHON
cd "$work" || exit 1
first_line() { head -n 1 output | grep -qF -- "$1"; }

# ---- a run without rules says how to get them ----
undecided="the run in run has no rules yet: there is no config.json; decide first: changeover decide --run run"
expect_error "emit" "$undecided" "$changeover" emit --run run --format mpich
expect_error "explain" "$undecided" "$changeover" explain --run run bcast --layout 4x2 --bytes 1Ki
expect_error "summary" "$undecided" "$changeover" summary --run run
expect_error "install-config" "$undecided" "$changeover" install-config --run run --prefix "$work"
expect_error "no run at all" "none is not a run: it has no manifest.json" "$changeover" emit --run none --format mpich
expect_ok "the printed command" "$changeover" decide --run run

# ---- explain: a rule, or what would measure the call ----
expect_ok "explain" "$changeover" explain --run run bcast --layout 4x2 --bytes 64Ki
expect_output "a rule" "bcast of 65536 bytes on 4x2, network default: binomial"
expect "as the file says" diff <("$changeover" explain run/config.json bcast --nodes 4 --ppn 2 --bytes 64Ki) output
expect_ok "another layout" "$changeover" explain --run run bcast --layout 4x1 --bytes 64Ki
expect_output "why" "no rule: nothing was measured on default 4x1"
expect_output "the change of the file" 'add this layout: in cluster.json, "layouts": [{"nodes": 4, "ppn": 2}, {"nodes": 4, "ppn": 1}]'
expect_output "and what measures it" "changeover tune --cluster cluster.json --plan plan.json --run run-4x1"
# as printed, in a cluster file and a plan as the run had them
python3 - <<'PYTHON'
import json, re
manifest = json.load(open("run/manifest.json"))
layouts = re.search(r'"layouts": \[.*\]', open("output").read()).group()
cluster = json.loads(json.dumps(manifest["cluster"]))
cluster["layouts"] = json.loads("{" + layouts + "}")["layouts"]
del cluster["launcher"]["program"], cluster["mpi"]["benchmark"], cluster["mpi"]["changeover"]
json.dump(cluster, open("cluster.json", "w"))
json.dump({"collectives": manifest["plan"]["collectives"]}, open("plan.json", "w"))
PYTHON
tune=$(grep -o 'changeover tune .*' output)
expect_ok "the printed command with the printed change" eval "\"$changeover\" ${tune#changeover } --dry-run"
expect_output "has the new layout" "-hosts node1:1,node2:1,node3:1,node4:1"
expect_ok "a collective that is not in the plan" "$changeover" explain --run run gather --layout 4x2 --bytes 64
expect_output "another plan" "changeover tune --cluster cluster.json --plan plan.json --collectives gather --run run-gather"
expect_ok "a measured size that has no rule" "$changeover" explain --run run bcast --layout 4x2 --bytes 64
expect_output "what was found" "no rule: no algorithm was proven to be faster than the default at this size (the best other one at 64 bytes"
expect_ok "for programs" "$changeover" explain --run run bcast --layout 4x1 --bytes 64Ki --json
expect "is JSON" python3 -c 'import json; assert len(json.load(open("output"))["no_rule"]["steps"]) == 2'

# ---- a name that was left out, or is wrong ----
expect_error "no collective" "name a collective: bcast, allreduce, allgather, " "$changeover" explain --run run --layout 4x2 --bytes 64
expect_error "only a file" "name a collective: " "$changeover" explain run/config.json --layout 4x2 --bytes 64
expect_error "no layout" "rules name 4x2" "$changeover" explain --run run bcast --bytes 64
expect_error "two runs" "not both" "$changeover" explain run/config.json bcast --run run --layout 4x2 --bytes 64
expect_error "no networks" "name two networks of the run two: default, fast; such as: changeover compare --run two default fast" \
    "$changeover" compare --run two
expect_error "a wrong network" "the run two has no network 'fats'; did you mean 'fast'? known: default, fast" \
    "$changeover" compare --run two default fats
expect_error "predict: no network" "name one with --network: default, fast" "$changeover" predict --run two
expect_error "predict: a wrong network" "has no network 'fats'; did you mean 'fast'? known: default, fast" "$changeover" predict --run two --network fats
expect_error "predict: a wrong collective" "no cost model of 'bcats'; did you mean 'bcast'? known: allgather" \
    "$changeover" predict --run run --collective bcats
expect_error "distributions: a wrong case" "it has: default 4x2 allreduce" "$changeover" distributions --run run --case bcats

# ---- compare: the verdict first ----
expect_ok "compare" "$changeover" compare --run two default fast
expect "the verdict is the first line" first_line "B (fast) is faster than A (default), by a factor of 2.00 (geometric mean of "
expect_output "the best algorithms" "  with the best algorithm of each: B/A 0.5 (geometric mean); A is significantly faster at 0, B at "
expect_output "why" "  why: conditions that differ (below): library and device"
cp -r run same
expect_ok "equal runs" "$changeover" compare run same
expect "have no winner" first_line "No significant difference between A (default of run) and B (default of same) at any of "
"$changeover" compare --run two default fast --format json >json 2>&1
expect "for programs" python3 -c '
import json
verdict = json.load(open("json"))["pairs"][0]["verdict"]
assert verdict["faster"] == "B" and verdict["faster_b"] == verdict["sizes"] and abs(verdict["b_by_a"] - 0.5) < 1e-6, verdict'

# ---- predict: another bandwidth moves all that belongs to it, with intervals; times of messages are in us ----
times() { "$changeover" predict --run run --bytes 1Mi --format json "$@" | python3 -c '
import json, sys
for t in json.load(sys.stdin)["predictions"][0]["times"]: print(t["algorithm"], t["seconds"], *t["interval_seconds"])' | sort; }
expect "every algorithm is faster, with an interval" python3 -c '
import sys
a, b = ([line.split() for line in open(name)] for name in sys.argv[1:])
assert a and len(a) == len(b)
for (name, before, *_), (other, after, low, high) in zip(a, b):
    assert name == other and float(after) < float(before) and float(low) < float(after) < float(high)' \
    <(times) <(times --scale between.bandwidth=4)
expect_ok "predict" "$changeover" predict --run run --scale between.bandwidth=4
expect_output "what is scaled" "with between.bandwidth=4 times as much"
expect_output "intervals" "95% of measured times"
expect "messages in us" eval '! grep -E "^message\.(between|within)" output | grep -q ns/byte'

# ---- the report's first screen ----
expect_ok "decide" "$changeover" decide --run two
expect_ok "report" "$changeover" report --run two -o report.html
expect "for how many sizes the gain holds" grep -qE 'faster where a rule applies, at [0-9]+ of [0-9]+ measured sizes' report.html
expect "4x2" grep -qF '4x2 means 4 nodes with 2 ranks on each: 8 in all.' report.html
expect "the better network" grep -qF 'fast is faster than default, by a factor of 2.00' report.html
expect "the summary as well" eval '"$changeover" report --run two --format md | grep -q "^- networks: fast is faster than default, by a factor of"'
finish
