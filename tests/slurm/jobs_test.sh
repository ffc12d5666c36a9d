#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tuning inside allocations of a real Slurm whose three nodes are this machine: hydra and srun start the jobs.
# usage: jobs_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/slurm.sh"
changeover=$1
run=$work/run
exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }
cd "$work"
start_slurm together 3

# with no cluster file: the allocation
expect_ok "tune in an allocation" salloc --nodes=3 --ntasks-per-node=2 "$changeover" tune --plan quick --budget 60s --run "$run"
expect_output "tune says what it uses" "Slurm job"
expect_output "tune says what it uses" "3 nodes (cn1 ... cn3), up to 2 ranks on each"
expect_output "tune says that the nodes are one machine" "The 3 nodes are one machine"
expect_output "tune" "Measured"
expect "the configuration is verified" grep -q '"verified": true' "$run/config.json"
expect "hydra started its proxies through Slurm" grep -q '"kind": *"hydra-slurm"' "$run/manifest.json"
for ppn in 1 2; do
    expect "3x$ppn was measured" grep -q "\"nodes\":3,\"ppn\":$ppn,.*\"status\":\"measured\"" "$run/samples.jsonl"
done
expect_ok "a complete run is shown anywhere" "$changeover" tune --run "$run"
expect_output "a complete run is shown anywhere" "is complete"
expect "no job is left" becomes nothing_is_queued
expect "no process is left" nothing_runs

# what cannot be
expect "an allocation for one rank" exits 2 salloc --ntasks=1 "$changeover" tune --run "$work/one"
expect_output "an allocation for one rank" "is for one rank"
expect "measuring outside of an allocation" exits 2 "$changeover" verify --run "$run"
expect_output "measuring outside of an allocation" "is not in one"
expect "an allocation that is too small for the run" exits 2 salloc --nodes=2 --ntasks-per-node=2 "$changeover" verify --run "$run"
expect_output "an allocation that is too small for the run" "ask for --nodes=3"
# ... which all that measures looks at
expect "verify --loaded outside of an allocation" exits 2 "$changeover" verify --loaded --run "$run"
expect_output "verify --loaded outside of an allocation" "is not in one"
expect "verify --loaded in one that is too small" exits 2 salloc --nodes=2 --ntasks-per-node=2 "$changeover" verify --loaded --run "$run"
expect_output "verify --loaded in one that is too small" "ask for --nodes=3"

# a cluster file from the allocation, used without an edit
in_allocation() { salloc --nodes=3 --ntasks-per-node=2 "$@"; }
expect_ok "init in an allocation" in_allocation "$changeover" init -o "$work/init.json"
expect "init takes the hosts from Slurm" grep -q '"hosts_from": "slurm"' "$work/init.json"
expect_ok "tune with its file" in_allocation "$changeover" tune --cluster "$work/init.json" --collectives bcast --budget 25s --run "$work/of_init"
expect "tune with its file: verified" grep -q '"verified": true' "$work/of_init/config.json"
expect "tune with its file: all nodes" grep -q '"nodes":3,.*"status":"measured"' "$work/of_init/samples.jsonl"
in_allocation "$changeover" doctor --cluster "$work/init.json" --run "$work/of_init" >"$work/output" 2>&1 # of a machine that may be busy
for check in launcher benchmark clocks "run directory" connections; do
    expect_output "doctor in an allocation" "fine   $check"
done

# srun starts the ranks
cat >"$work/slurm.json" <<'JSON'
{
    "hosts_from": "slurm",
    "launcher": {"kind": "slurm", "arguments": ["--mpi=pmi2"]},
    "layouts": [{"nodes": 3, "ppn": 1}, {"nodes": 2, "ppn": 2}, {"nodes": 3, "ppn": 2, "mapping": "round-robin"},
                {"nodes": 3, "ppn": 2, "ranks": 5}, {"nodes": 3, "ppn": 2, "ranks": 5, "mapping": "round-robin"}]
}
JSON
expect_ok "srun, in an allocation" salloc --nodes=3 --ntasks-per-node=2 "$changeover" env --cluster "$work/slurm.json"
expect "srun started each layout" test "$(grep -c '  library ' "$work/output")" = 5
expect_ok "srun, from inside a step" salloc --nodes=3 --ntasks-per-node=2 srun --nodes=1 --ntasks=1 "$changeover" env --cluster "$work/slurm.json"
expect "a cluster file for allocations, outside of one" exits 2 "$changeover" env --cluster "$work/slurm.json"
expect_output "a cluster file for allocations, outside of one" "not inside an allocation"
expect "no job is left" becomes nothing_is_queued
expect "no process is left" nothing_runs
finish
