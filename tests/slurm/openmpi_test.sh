#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Open MPI's mpirun inside an allocation of a real Slurm: each layout is where it should be.
# usage: openmpi_test.sh CHANGEOVER MPIRUN BENCHMARK
set -uo pipefail
source "$(dirname "$(realpath "$0")")/slurm.sh"
changeover=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >"$work/openmpi.json" <<JSON
{
    "hosts_from": "slurm",
    "launcher": {"kind": "openmpi", "program": "$2"},
    "mpi": {"library": "openmpi", "benchmark": "$3"},
    // it spins, and there are more ranks than cores
    "networks": [{"name": "default", "environment": {"OMPI_MCA_mpi_yield_when_idle": "1"}}],
    "layouts": [{"nodes": 3, "ppn": 1}, {"nodes": 2, "ppn": 2, "mapping": "round-robin"},
                {"nodes": 3, "ppn": 2, "ranks": 5}, {"nodes": 3, "ppn": 2, "ranks": 5, "mapping": "round-robin"}]
}
JSON
cd "$work"
start_slurm apart 3
expect_ok "mpirun, in an allocation" salloc --nodes=3 --ntasks-per-node=2 "$changeover" env --cluster "$work/openmpi.json"
expect "mpirun started each layout" test "$(grep -c '  library .*Open MPI' "$work/output")" = 4
expect "no job is left" becomes nothing_is_queued
expect "no process is left" nothing_runs
finish
