#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example batch script is cancelled on nodes of a real Slurm, and submitted again: nothing that was finished is
# measured again, and nothing is left on any node. (What is killed inside an allocation: ../kills.)
# usage: resume_test.sh CHANGEOVER BATCH_SCRIPT
set -uo pipefail
source "$(dirname "$(realpath "$0")")/slurm.sh"
changeover=$1
script=$2
run=$work/run
cat >"$work/plan.json" <<'JSON'
{
    // exhaustive: what is to be measured does not depend on times
    "collectives": [{"name": "bcast", "max_bytes": "256Ki"}, {"name": "allreduce", "max_bytes": "16Ki"}],
    "exhaustive": true, "changeover_factor": 4, "case_seconds": 0.05, "verify_repetitions": 15
}
JSON
cd "$work"
start_slurm apart 4

# two layouts: from so few, no rules for others are made, which would take long to verify
echo '{"hosts_from": "slurm", "launcher": {"kind": "hydra-slurm"}, "layouts": [{"nodes": 3, "ppn": 1}, {"nodes": 3, "ppn": 2}]}' \
    >"$work/cluster.json"
submit() { # NODES
    CHANGEOVER=$changeover RUN=$run PLAN=$work/plan.json CLUSTER=$work/cluster.json sbatch --parsable --nodes=3 --nodelist="$1" \
        --ntasks-per-node=2 --output="$work/job.log" "$script"
}
cases() { cat "$run/samples.jsonl" 2>/dev/null | grep -c '"type":"case".*"stage":"search"'; }
has_cases() { (($(cases) >= $1)); }
is_over() { [[ -z $(squeue --noheader --jobs="$1" 2>/dev/null) ]]; }

# cancelled in the middle, politely and not, and submitted again; in the end on other nodes
for signal in TERM KILL; do
    job=$(submit 'cn[1-3]')
    goal=$(($(cases) + 20))
    expect "$job measures" becomes has_cases "$goal"
    if [[ $signal == TERM ]]; then scancel "$job"; else scancel --signal=KILL --full "$job"; fi
    expect "$job is over after SIG$signal" becomes is_over "$job"
    expect "$job left no process" becomes nothing_runs
    expect "$job is not complete" test ! -e "$run/config.json"
    cp "$run/samples.jsonl" "$work/after.$signal"
done
job=$(submit 'cn[2-4]')
expect "the job is over" becomes is_over "$job"
cp "$work/job.log" "$work/output"
expect "the configuration is verified" grep -q '"verified": true' "$run/config.json"
expect "and in the library's format" test -s "$run/mpich-tuned.json"
expect "the job said what it used" grep -q "Using Slurm job $job: 3 nodes (cn2 ... cn4)" "$work/job.log"
for signal in TERM KILL; do
    grep '"type":"case"' "$work/after.$signal" >"$work/before"
    expect "what was finished before SIG$signal is still there" \
        cmp -s "$work/before" <(grep '"type":"case"' "$run/samples.jsonl" | head -n "$(wc -l <"$work/before")")
done
cat >"$work/once.py" <<'PYTHON'
import collections, json, sys
keys = ("stage", "nodes", "ppn", "mapping", "collective", "bytes", "algorithm", "link", "parameters")
times = set()
measured = collections.Counter()
for line in open(sys.argv[1]):
    case = json.loads(line)
    if case["type"] == "case" and case["stage"] == "search":
        key = tuple(str(case.get(key)) for key in keys)
        times.add(key)
        # what is measured apart, because the job ended before the tuner was told to, is measured together afterwards
        measured[key, case["of"]] += case["status"] == "measured"
again = [key for key, n in measured.items() if n > 1]
print(len(times), "cases, again:", again)
# default and five algorithms of bcast at 9 sizes, default and five of allreduce at 7 sizes, on both layouts
layouts = {key[1:4] for key in times}
print(sorted(layouts))
sys.exit(bool(again) or len(layouts) != 2 or len(times) != len(layouts) * (6 * 9 + 6 * 7))
PYTHON
expect_ok "every case was measured once" python3 "$work/once.py" "$run/samples.jsonl"
expect "no process is left" nothing_runs

expect "no job is left" becomes nothing_is_queued
finish
