#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A node whose cable is pulled in mid-run is named, what was measured is kept, and the run goes on when it is back. Nodes
# that cannot be reached from the start, and nodes that do not see the run directory, are named as well.
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

# before anything is measured
"$lab" link $one n3 down
expect_error "a node that is down" "Error: n3-eth of network eth cannot be reached" \
    timeout 30 "$lab" exec $one head "$changeover" tune --cluster "$cluster" --plan "$work/plan.json" --run "$work/down"
"$lab" link $one n3 up
sed 's/{"name": "n\[1-3\]"/{"name": "n[1-2]", "slots": 1}, {"name": "m3"/' "$cluster" >"$work/misspelt.json"
expect_error "a misspelt name" "Error: m3-eth of network eth cannot be reached" \
    timeout 30 "$lab" exec $one head "$changeover" tune --cluster "$work/misspelt.json" --plan "$work/plan.json" --run "$work/misspelt"

# nodes that do not see the run directory: the rules cannot be verified, and the run does not say that it has a result
cat >"$work/ssh" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
host=\$1
shift
exec /run/changeover-lab/$one/ssh "\$host" unshare --mount sh -c "'mount -t tmpfs none $work/unseen && exec \$*'"
END
chmod +x "$work/ssh"
sed "s#/run/changeover-lab/$one/ssh#$work/ssh#" "$cluster" >"$work/unseen.json"
echo '{"collectives": [{"name": "allreduce", "max_bytes": 65536}], "case_seconds": 0.1, "min_repetitions": 10, "verify_repetitions": 10, "changeover_factor": 3}' >"$work/plan.json"
expect_error "a run directory that nodes do not see" "where rank 0 runs, cannot read \"$work/unseen/candidates.json\": No such file or directory" \
    "$lab" exec $one head "$changeover" tune --cluster "$work/unseen.json" --plan "$work/plan.json" --run "$work/unseen"
expect_output "its remedy" "must be on a file system that all nodes share"
expect "it is not complete" test ! -e "$work/unseen/verification.json"
expect_ok "down" "$lab" down $one
finish
