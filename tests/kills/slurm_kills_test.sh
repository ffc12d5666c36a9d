#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The kills of kills_test.py inside allocations of a real Slurm: jobs that hydra, srun or Open MPI's mpirun starts.
# usage: slurm_kills_test.sh CHANGEOVER KILLS_OF_EACH SEED LAUNCHER[=PROGRAM]...
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../slurm/slurm.sh"
changeover=$1
kills=$2
seed=$3
here=$(dirname "$(realpath "$0")")
cd "$work"
export TMPDIR=$work
start_slurm apart 2
for launcher in "${@:4}"; do
    program=()
    [[ $launcher != *=* ]] || program=(--program "${launcher#*=}")
    expect "$launcher" salloc --quiet --nodes=2 --ntasks-per-node=2 python3 -B "$here/kills_test.py" --changeover "$changeover" \
        --launcher "${launcher%%=*}" "${program[@]}" --kills "$kills" --seed "$seed"
    expect "$launcher: no job is left" becomes nothing_is_queued
    expect "$launcher: no process is left" nothing_runs
done
finish
