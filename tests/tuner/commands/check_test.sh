#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `changeover check` and `check --retune` as people use them. fake-bench answers with the times of a file, so that a
# network that changed is a file that changed. Also what happens to an algorithm without a valid repetition.
# usage: check_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1
run=$work/run

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }

# rules COLLECTIVE: of config.json, one a line, without those beyond the measured sizes; cases STAGE COLLECTIVE: how many the journal has
rules() { python3 -c 'import json, sys
for rule in json.load(open(sys.argv[1]))["rules"]:
    if rule["collective"] == sys.argv[2] and rule["basis"] == "measured": print(json.dumps(rule))' "$run/config.json" "$1"; }
cases_of() { grep -c "\"type\":\"case\".*\"stage\":\"$1\".*\"collective\":\"$2\"" "$run/samples.jsonl"; }
# from COLLECTIVE: the first size of its only rule
from() { rules "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["from_bytes"])'; }

cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [{"name": "net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1",
                                                 "FAKE_TIMES_FILE": "$work/times.json"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
cat >"$work/plan.json" <<'JSON'
{"collectives": [{"name": "bcast", "max_bytes": "1Mi"}, {"name": "allreduce", "max_bytes": "1Mi"}], "verify_repetitions": 30}
JSON
# times SCATTER_BASE_US: it is faster than binomial from 2 * (SCATTER_BASE_US - 100) KiB on
times() {
    cat >"$work/times.json" <<JSON
{"bcast": {"default": [100, 1, "binomial"], "binomial": [100, 1], "scatter_ring_allgather": [$1, 0.5], "smp": null},
 "allreduce": {"default": [100, 1, "recursive_doubling"], "recursive_doubling": [100, 1],
               "reduce_scatter_allgather": [150, 0.5]}}
JSON
}

times 150
expect_ok "tune" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect_output "an algorithm without a valid repetition is told" "smp"
expect_output "with its reason" "no repetition was valid"
expect "and recorded with it" grep -q '"algorithm":"smp".*"status":"crashed","reason":"no repetition was valid' "$run/samples.jsonl"
expect "and tried once more, for each size" \
    test "$(grep '"algorithm":"smp"' "$run/samples.jsonl" | grep -o '"bytes":[0-9]*' | sort | uniq -c | awk '$1 != 2' | wc -l)" = 0
expect "one rule for bcast" test "$(rules bcast | wc -l)" = 1
expect "from where it wins" test "$(from bcast)" -gt 90000 -a "$(from bcast)" -lt 130000
expect "one rule for allreduce" test "$(rules allreduce | wc -l)" = 1
expect_ok "nothing changed, so all rules hold" "$changeover" check --run "$run"
expect_output "all rules hold" "4 of 4 rules hold"

# the changeover of bcast moves from 100 KiB to 400 KiB
times 300
allreduce=$(rules allreduce)
searched=$(cases_of search allreduce)
verified=$(cases_of verify allreduce)
cp "$run/config.json" "$work/before.json"
expect "a stale rule is exit code 3" exits 3 "$changeover" check --run "$run"
expect_output "the stale rule is named" "stale: net 2x1 bcast: scatter_ring_allgather from"
expect_output "those of allreduce hold" "2 of 4 rules hold"
expect_output "and what to type" "check --retune"
expect "check changes no rule" cmp -s "$run/config.json" "$work/before.json"

# killed in the middle: the old configuration stays, and it goes on
"$changeover" check --retune --run "$run" >/dev/null 2>&1 &
until grep -q '"event":"stale"' "$run/samples.jsonl" || ! kill -0 $!; do sleep 0.02; done
kill -KILL $!
wait $! 2>/dev/null
expect "no rule has changed" cmp -s "$run/config.json" "$work/before.json"
expect "check knows of it" exits 3 "$changeover" check --run "$run"
expect_output "check knows of it" "not yet tuned again"
expect_ok "retune" "$changeover" check --retune --run "$run"
expect_output "retune ends with a summary" "Verified at"
expect "a new rule" test "$(rules bcast | wc -l)" = 1
expect "from where it wins now" test "$(from bcast)" -gt 360000 -a "$(from bcast)" -lt 450000
expect "it is verified" grep -q '"verified": true' "$run/config.json"
expect "with a gain" eval "rules bcast | grep -q '\"verified_interval\": \[0.[0-9]'"
expect "the other rule is the same" test "$allreduce" = "$(rules allreduce)"
expect "it was not searched again" test "$searched" = "$(cases_of search allreduce)"
expect "nor verified again" test "$verified" = "$(cases_of verify allreduce)"
expect "its proofs are kept" grep -q '"collective": "allreduce"' "$run/verification.json"
expect_ok "lint" "$changeover" lint "$run/config.json"
expect_ok "then all rules hold again" "$changeover" check --run "$run"
expect_output "all rules hold again" "4 of 4 rules hold"

# nothing is better than the default any more
sed -i 's/\[300, 0.5\]/[300, 1]/' "$work/times.json"
expect_ok "a rule that wins nowhere goes" "$changeover" check --retune --run "$run"
expect "no rule for bcast" test "$(rules bcast | wc -l)" = 0
expect "the other rule is still the same" test "$allreduce" = "$(rules allreduce)"

# a benchmark that does not start is no reason to say that the default is best
sed "s|fake-bench|no-bench|" "$work/cluster.json" >"$work/no-bench.json"
expect "nothing could be measured" exits 1 \
    "$changeover" tune --cluster "$work/no-bench.json" --plan "$work/plan.json" --run "$work/nothing"
expect_output "nothing could be measured" "nothing could be measured"
expect "no configuration" test ! -e "$work/nothing/config.json"
expect "check of a run that does not exist" exits 2 "$changeover" check --run "$work/none"
finish
