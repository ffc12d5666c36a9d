#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The calls of a real program, recorded by the patched MPICH, on platforms that are not here.
# usage: what_if_test.sh CHANGEOVER MPIEXEC BENCHMARK
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1 mpiexec=$2 benchmark=$3
cd "$work" || exit 1

expect_ok "a program's calls" env MPIR_CVAR_COLL_EVENTS_FILE="$work/t" "$mpiexec" -launcher fork -iface lo -hosts a:2,b:2 -n 4 \
    "$benchmark" bcast --sizes 1Ki,64Ki --algorithms default --max-repetitions 5 --min-repetitions 5
expect_ok "a slow network" "$changeover" platform --nodes 8 --ppn 4 --bandwidth 1gbit --latency 30us -o slow.xml
expect_ok "a fast network" "$changeover" platform --nodes 8 --ppn 4 --bandwidth 100gbit --latency 1us -o fast.xml
expect_ok "which one" "$changeover" what-if t --platform slow.xml,fast.xml
expect_output "marked" "SIMULATED: time of the program's collective calls"
expect_output "the answer" "fast 2x2 is the fastest:"
expect_ok "ranks on a node" "$changeover" what-if t --platform fast.xml --layout 8x1,8x4 --format json
cp output answer.json
expect_ok "totals are the sums of the calls, and tuned is never slower" python3 - <<'PYTHON'
import json
text = open("answer.json").read()
answer = json.loads(text[text.index("{"):])
assert [p["layout"] for p in answer["platforms"]] == ["8x1", "8x4"], answer
for platform in answer["platforms"]:
    assert abs(sum(call["seconds"] for call in platform["calls"]) / platform["seconds"] - 1) < 1e-9
    assert all(call["tuned_seconds"] <= call["seconds"] for call in platform["calls"])
    sizes = {(call["collective"], call["bytes"]) for call in platform["calls"]}
    assert {("bcast", 1024), ("bcast", 65536)} <= sizes, sizes
PYTHON
expect_error "no such platform" "there is no such platform file" "$changeover" what-if t --platform none.xml
expect_error "no room" "needs 9 nodes, but" "$changeover" what-if t --platform fast.xml --layout 9x1
expect_error "no trace" "none" "$changeover" what-if none --platform fast.xml
finish
