#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Nothing that is not verified reaches the file that jobs read: interrupted, killed, or failing in the middle of a
# verification, a run keeps its files; resumed, it measures nothing twice. And a run of another user starts nothing.
# usage: commit_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1
run=$work/run
export WORK=$work

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }
# started COMMAND...: with its process id in $work/pid, for the orders of verifying-bench
started() { bash -c 'echo $$ >"$0"; exec "$@"' "$work/pid" "$@"; }
verified_cases() { grep -c '"type":"case".*"stage":"verify"' "$run/samples.jsonl"; }
# rules_in FILE: how many a tuning file has; checksum_in FILE: of the configuration that it was written from
rules_in() { grep -c '^{"collective"' "$1"; }
checksum_in() { grep -o 'fnv1a-[0-9a-f]*' "$1" | tail -1; }
# The file that jobs read has the rules of the verified configuration
is_committed() {
    grep -q '"verified": true' "$run/config.json" && [[ ! -e $run/candidates.json ]] &&
        python3 -c 'import json, sys
config, tuning = (json.load(open(sys.argv[1] + name)) for name in ("/config.json", "/tuning.json"))
assert tuning["info"]["checksum"] == config["checksum"] and len(tuning["mpir"]) == len(config["rules"])' "$run"
}
# keep, is_kept: the three files that a verification writes
keep() { rm -rf "$work/kept" && mkdir "$work/kept" && cp "$run"/{config,tuning,verification}.json "$work/kept"; }
is_kept() { for file in config tuning verification; do cmp "$work/kept/$file.json" "$run/$file.json" || return; done; }

cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/verifying-bench", "changeover": "$changeover"},
    "networks": [{"name": "net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1", "WORK": "$work",
        "FAKE_HEADER": "{\"library\": \"MPICH Version: 4.0.2;changeover patches\"}",
        "FAKE_TIMES_FILE": "$work/times.json"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
cat >"$work/plan.json" <<'JSON'
{"collectives": [{"name": "bcast", "max_bytes": "64Ki"}, {"name": "allreduce", "max_bytes": "64Ki"}], "verify_repetitions": 30}
JSON
# times RING_US DOUBLING_US ALLREDUCE_US FILE: of the algorithms that compete with the default, which takes 100 us
times() {
    cat >"$4" <<JSON
{"bcast": {"default": [100, 0, "binomial"], "binomial": [100, 0], "scatter_ring_allgather": [$1, 0],
           "scatter_recursive_doubling_allgather": [$2, 0]},
 "allreduce": {"default": [100, 0, "recursive_doubling"], "recursive_doubling": [100, 0],
               "reduce_scatter_allgather": [$3, 0]}}
JSON
}
tune=("$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run")

# verification rejects the rules, and config.json cannot be written: the proofs alone do not make the run complete
times 50 100 50 "$work/times.json"
times 200 200 200 "$work/verified.json"
echo 'mv "$WORK/run/config.json" "$WORK/decided.json"; mkdir -p "$WORK/run/config.json/occupied"' >"$work/order"
expect "config.json cannot be written" exits 1 "${tune[@]}"
expect_output "the file is named" "config.json cannot be written"
expect "the proofs are there" test -s "$run/verification.json"
expect "jobs have nothing to read" test ! -e "$run/tuning.json"
expect "candidates are removed" test ! -e "$run/candidates.json"
expect "they were there" test "$(<"$work/seen/path")" = "$run/candidates.json" -a "$(rules_in "$work/seen/candidates.json")" -gt 0
expect "for this user only" test "$(<"$work/seen/mode")" = 600
rm -r "$run/config.json"
mv "$work/decided.json" "$run/config.json" # as a killed process leaves it
verified=$(verified_cases)
expect_ok "resume" "${tune[@]}"
expect_output "rejected rules are gone" "No rules"
expect "nothing is verified twice" test "$verified" = "$(verified_cases)"
expect "committed" is_committed
expect "without rules" test "$(rules_in "$run/tuning.json")" = 0
expect "and with a report" test -s "$run/report.html"
rm -r "$run" "$work/verified.json"

# killed before anything is verified: jobs have nothing to read
echo 'kill -KILL $(<"$WORK/pid"); exit' >"$work/order"
expect "killed" exits 137 started "${tune[@]}"
expect "no tuning file" test ! -e "$run/tuning.json"
expect "candidates are left" test -e "$run/candidates.json"
expect_ok "summary" "$changeover" summary --run "$run"
expect_output "summary says what is missing" "are not verified; verify them with: changeover verify --run $run"
expect "a check needs verified rules" exits 2 "$changeover" check --run "$run"
expect "it removes candidates" test ! -e "$run/candidates.json"
echo 'kill -TERM $(<"$WORK/pid")' >"$work/order"
expect "interrupted" exits 1 started "$changeover" verify --run "$run"
expect_output "interrupted" "nothing is lost"
expect "no tuning file yet" test ! -e "$run/tuning.json"
expect "no candidates" test ! -e "$run/candidates.json"
expect_ok "resume after both" "${tune[@]}"
expect "committed after both" is_committed
expect "with rules" test "$(rules_in "$run/tuning.json")" -ge 2
expect_ok "tune again" "${tune[@]}"
expect_output "tune again" "is complete"

# the last steps alone are missing
cp "$run/tuning.json" "$work/tuning.json"
lines=$(wc -l <"$run/samples.jsonl")
cp "$work/seen/candidates.json" "$run/tuning.json"
rm "$run/report.html"
expect_ok "summary of other rules in the tuning file" "$changeover" summary --run "$run"
expect_output "summary names the tuning file" "tuning.json does not have the rules of config.json"
expect_ok "tune writes it" "${tune[@]}"
expect_output "tune says so" "tuning.json now has the verified rules"
expect "it is as before" cmp "$run/tuning.json" "$work/tuning.json"
expect "so is the report" test -s "$run/report.html"
expect "nothing was measured" test "$lines" = "$(wc -l <"$run/samples.jsonl")"

# a retuning that is killed or interrupted while it verifies: what jobs read stays, to the byte
keep
times 150 60 50 "$work/times.json"
times 150 200 50 "$work/verified.json"
expect "a rule for bcast is stale" exits 3 "$changeover" check --run "$run"
echo 'kill -KILL $(<"$WORK/pid"); exit' >"$work/order"
expect "retuning is killed" exits 137 started "$changeover" check --retune --run "$run"
expect "in its verification" test -e "$run/candidates.json"
expect "nothing has changed" is_kept
echo 'kill -TERM $(<"$WORK/pid")' >"$work/order"
expect "retuning is interrupted" exits 1 started "$changeover" check --retune --run "$run"
expect "in its verification, too" test ! -e "$work/order"
expect "nothing has changed yet" is_kept
expect "no candidates are left" test ! -e "$run/candidates.json"
allreduce=$(grep -o '"collective":"allreduce".*}' "$run/tuning.json")
expect_ok "tune finishes it" "${tune[@]}"
expect "jobs read the old rules meanwhile" cmp "$work/seen/tuning.json" "$work/kept/tuning.json"
expect "candidates were others" grep -q scatter_recursive_doubling_allgather "$work/seen/candidates.json"
expect "committed after the retuning" is_committed
expect "rejected rules are in no file that jobs read" exits 1 grep '"collective":"bcast"' "$run/tuning.json"
expect "the other rules stay" test "$allreduce" = "$(grep -o '"collective":"allreduce".*}' "$run/tuning.json")"
expect_ok "tune after the retuning" "${tune[@]}"
expect_output "tune after the retuning" "is complete"

# an edited rule is not verified any more; the journal has all that is needed to verify again
verified=$(verified_cases)
sed -i '0,/"from_bytes": [0-9]*/s//"from_bytes": 12345/' "$run/config.json"
expect "a check needs the rules that were verified" exits 2 "$changeover" check --run "$run"
expect_ok "tune verifies again" "${tune[@]}"
expect_output "tune verifies again" "were edited after they were verified"
expect "committed again" is_committed
rm "$run/verification.json"
expect_ok "verify without proofs" "$changeover" verify --run "$run"
expect "committed with proofs" is_committed
expect "without measuring" test "$verified" = "$(verified_cases)"

# clocks that agree within 3 ms, and calls of 0.1 ms: that no algorithm seems faster is no result, also of the next start
times 100 100 100 "$work/alike.json"
sed 's/times.json/alike.json/; s/changeover patches/&\\", \\"sync_error_us\\": 3000, \\"start\\": \\"/' "$work/cluster.json" >"$work/coarse.json"
coarse=("$changeover" tune --cluster "$work/coarse.json" --plan "$work/plan.json" --run "$work/coarse")
for start in "the first" "another"; do
    expect "coarse clocks, $start start" exits 1 "${coarse[@]}"
    expect_output "coarse clocks, $start start" "the run has no result: not determined: "
    expect_output "coarse clocks, $start start: how coarse" "clocks agree only within 3 ms"
    expect_output "coarse clocks, $start start: remedy" "changeover doctor"
done
sed -i 's/3000/3/' "$work/coarse.json"
expect_ok "fine clocks" "${coarse[@]/%coarse/fine}"
expect_output "fine clocks" "no algorithm is significantly faster"

# a run of another user: nothing is started, everything can be read
if ((EUID == 0)); then
    chown 54321 "$run/manifest.json"
    lines=$(wc -l <"$run/samples.jsonl")
    for command in tune run verify "verify --loaded" check "check --retune"; do
        expect "$command in a run of another user" exits 2 "$changeover" $command --run "$run"
        expect_output "$command names the owner" "belongs to user id 54321"
        expect_output "$command names the program" "$here/verifying-bench"
        expect_output "$command names the remedy" "--trust-run"
    done
    expect "nothing was started" test "$lines" = "$(wc -l <"$run/samples.jsonl")"
    expect_ok "summary of another user's run" "$changeover" summary --run "$run"
    expect_ok "report of another user's run" "$changeover" report --run "$run" -o "$work/report.html"
    expect_ok "emit of another user's run" "$changeover" emit --run "$run" --format mpich -o "$work/emitted.json"
    expect_ok "a run that is trusted" "$changeover" check --trust-run --run "$run"
    expect_output "a run that is trusted" "rules hold"
    cp -r "$run" "$work/copy"
    expect_ok "a copy is one's own" "$changeover" check --run "$work/copy"
fi
finish
