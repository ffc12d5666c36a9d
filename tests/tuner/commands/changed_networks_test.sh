#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `changeover check --retune` after a network changed: its link parameters are named, all of it is measured again, also
# what has no rule, and nothing from before counts any more. fake-bench answers with the times of a file.
# usage: changed_networks_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1
run=$work/run

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }
cases_of() { grep -c "\"type\":\"case\".*\"stage\":\"$1\",\"network\":\"$2\".*\"collective\":\"$3\"" "$run/samples.jsonl"; } # STAGE NETWORK COLLECTIVE
rules() { python3 -c 'import json, sys
for rule in json.load(open(sys.argv[1]))["rules"]:
    if rule["network"] == sys.argv[2] and rule["collective"] == sys.argv[3]: print(json.dumps(rule))' "$run/config.json" "$@"; } # NETWORK COLLECTIVE

network() { # NAME
    echo "{\"name\": \"$1\", \"environment\": {\"FAKE_NODES\": \"2\", \"FAKE_PPN\": \"1\", \"FAKE_TIMES_FILE\": \"$work/$1.json\"}}"
}
cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [$(network eth), $(network other)],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
cat >"$work/plan.json" <<'JSON'
{"collectives": [{"name": "bcast", "max_bytes": "1Mi"}, {"name": "allreduce", "max_bytes": "1Mi"}], "verify_repetitions": 30}
JSON
# times NETWORK US_PER_KIB SCATTER_BASE_US FACTOR: of a network with this time per KiB; FACTOR: of it, in the other algorithm of allreduce
times() {
    cat >"$work/$1.json" <<JSON
{"ping_pong": {"send": [60, $(python3 -c "print(2 * $2)")]}, "receive_call": {"recv": [2, 0]},
 "bcast": {"default": [100, $2, "binomial"], "binomial": [100, $2], "scatter_ring_allgather": [$3, $(python3 -c "print($2 / 2)")]},
 "allreduce": {"default": [100, $2, "recursive_doubling"], "recursive_doubling": [100, $2],
               "reduce_scatter_allgather": [150, $(python3 -c "print($2 * $4)")]}}
JSON
}

times eth 8 300 1
times other 8 300 1
expect_ok "tune" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect "a rule for bcast" test "$(rules eth bcast | wc -l)" -ge 1
expect "none for allreduce" test "$(rules eth allreduce | wc -l)" = 0
expect_ok "nothing changed, so nothing is measured again" "$changeover" check --retune --run "$run"
expect "no mark" test "$(grep -c '"event":"stale"\|"event":"network_changed"' "$run/samples.jsonl")" = 0

# Ten times as fast: the changeover of bcast moves, and allreduce has one now
times eth 0.8 300 0.5
other=$(rules other bcast)
searched_other=$(cases_of search other bcast)
searched=$(cases_of search eth allreduce)
before_time=$(stat -c %Y%s "$run/report.html")
cp "$run/config.json" "$work/before.json"
expect "stale" exits 3 "$changeover" check --run "$run"
expect_output "the rule" "stale: eth 2x1 bcast: scatter_ring_allgather from"
expect_output "the parameter" "network eth: between.byte (G): 7.8"
expect_output "and its new value" "-> 0.78"
expect_output "all of it" "all cells of network eth are stale"
expect "only this network" eval '! grep -q "network other" "$work/output"'
expect_output "the next command" "check --retune --run"
expect "check changes no rule" cmp -s "$run/config.json" "$work/before.json"

# Only one network
expect_ok "the other one holds" "$changeover" check --network other --run "$run"
expect "only its rules were measured" eval '! grep -q "eth" "$work/output"'
expect_output "all of them" "2 of 2 rules hold"
expect "the changed one by its name" exits 3 "$changeover" check --network eth --run "$run"
expect_output "which is in the next command" "check --retune --network eth --run"
expect "an unknown network" exits 2 "$changeover" check --network ib --run "$run"
expect_output "names those of the run" "the run has no network 'ib'; its networks are: eth, other"

# Nothing is said of rules that need not be checked
cp -r "$run" "$work/one-network"
expect_ok "retune it" "$changeover" check --retune --network eth --run "$work/one-network"
expect "no rule was checked" eval '! grep -q "rules hold" "$work/output"'

# Killed after the marks: old rules stay, and the same command goes on
"$changeover" check --retune --run "$run" >"$work/output" 2>&1 &
until grep -q '"event":"stale".*"collective":"bcast"' "$run/samples.jsonl" || ! kill -0 $!; do sleep 0.02; done
sleep 0.3
kill -KILL $!
wait $! 2>/dev/null
expect "no rule has changed" cmp -s "$run/config.json" "$work/before.json"
expect "check knows of it" exits 3 "$changeover" check --run "$run"
expect_output "both cells of the network" "2 cells are stale and not yet tuned again"
expect_ok "retune" "$changeover" check --retune --run "$run"
expect_output "the summary says it" "network eth changed"
expect_output "with the parameter" "between.byte (G): 7.8"
expect "it was marked once" test "$(grep -c '"event":"network_changed"' "$run/samples.jsonl")" = 1
expect "allreduce was searched again, without a rule" test "$(cases_of search eth allreduce)" -gt "$searched"
expect "and has one now" test "$(rules eth allreduce | wc -l)" -ge 1
expect "it is verified" grep -q '"verified": true' "$run/config.json"
expect "the other network was not searched again" test "$searched_other" = "$(cases_of search other bcast)"
expect "its rule is the same" test "$other" = "$(rules other bcast)"
expect_ok "lint" "$changeover" lint "$run/config.json"
expect "the report is a new one" test "$(stat -c %Y%s "$run/report.html")" != "$before_time"
expect "and says it" grep -q "network eth changed" "$run/report.html"
expect_ok "predict" "$changeover" predict --run "$run" --network eth --bytes 512Ki --format json
expect "by times from afterwards only" python3 -c 'import json, sys
times = {t["algorithm"]: t["seconds"] for t in json.load(open(sys.argv[1]))["predictions"][0]["times"]}
sys.exit(not 0.8 < times["binomial"] / (100e-6 + 512 * 0.8e-6) < 1.25)' "$work/output"
expect_ok "predict" "$changeover" predict --run "$run" --network eth
expect_output "predict says it" "network eth changed"
expect_ok "compare" "$changeover" compare --run "$run" eth other
expect_ok "all rules hold again" "$changeover" check --run "$run"
expect_ok "and the network is the one that was measured" "$changeover" check --retune --run "$run"
expect "no further mark" test "$(grep -c '"event":"network_changed"' "$run/samples.jsonl")" = 1
finish
