#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A node whose cable is pulled in mid-run is named, what was measured is kept, and the run goes on when it is back.
# usage: lost_node_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"
changeover=$1
cases() { grep -c '"type":"case"' "$work/run/samples.jsonl"; }

expect_ok "up" "$lab" up --nodes 3 --slots 1 --network eth $one
cluster=/run/changeover-lab/$one/cluster.json
echo '{"collectives": [{"name": "bcast", "max_bytes": 4096}], "case_seconds": 0.1, "min_repetitions": 10, "verify_repetitions": 10, "changeover_factor": 3}' >"$work/plan.json"
"$lab" exec $one head "$changeover" tune --cluster "$cluster" --plan "$work/plan.json" --run "$work/run" >"$work/tune" 2>&1 &
for _ in {1..300}; do
    ! grep -q '"type":"case"' "$work/run/samples.jsonl" 2>/dev/null && kill -0 $! || break
    sleep 0.1
done
"$lab" link $one n2 down
wait $!
expect "a lost node is a failure" test $? = 1
expect "the node is named" grep -q "Error: n2-eth of network eth cannot be reached" "$work/tune"
expect "the way to go on is named" grep -q "changeover tune --run $work/run" "$work/tune"
kept=$(cases)
expect "what was measured is kept" test "$kept" -ge 1
expect "nothing is blamed for it" test -z "$(grep '"status":"crashed"' "$work/run/samples.jsonl")"
expect "no process is left" test "$("$lab" status $one | sed -n 's/.* \([0-9]*\) processes.*/\1/p')" = 0

"$lab" link $one n2 up
expect_ok "it goes on" "$lab" exec $one head "$changeover" tune --run "$work/run"
expect "more was measured" test "$(cases)" -gt "$kept"
expect "it is complete" test -e "$work/run/verification.json"
expect_ok "down" "$lab" down $one
finish
