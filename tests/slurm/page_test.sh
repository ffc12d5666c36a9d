#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The commands of tuner/docs/slurm.md, from its text, in a real Slurm whose two nodes are this machine; with short
# measurements in place of long ones.
# usage: page_test.sh SOURCE_FOLDER BIN_FOLDER MPICH_PREFIX
set -uo pipefail
source "$(dirname "$(realpath "$0")")/slurm.sh"
source=$1 bin=$2 prefix=$3
cd "$work" || exit 1
ln -s "$source/scripts" "$source/tuner" .
mkdir -p shared/changeover
cat >app.c <<'C'
#include <mpi.h>
int main(int argc, char **argv) {
    double value = 1;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
C
expect_ok "a program" "$prefix/bin/mpicc" app.c -o app
export PATH=$bin:$PATH
start_slurm together 2

expect_ok "the commands of the page" python3 "$source/tests/support/page_commands.py" "$source/tuner/docs/slurm.md" \
    --replace "/shared/ => $work/shared/" --replace "--prefix \"\$(scripts/mpich-prefix)\" => --prefix $work/shared/prefix" \
    --replace "--nodes=4 --ntasks-per-node=8 => --nodes=2 --ntasks-per-node=2" \
    --replace "--budget 2h => --collectives bcast --budget 25s" --least 6
cat "$work/output" slurm-*.out
expect_output "the allocation is named" "2 nodes (cn1 ... cn2), up to 2 ranks on each"
expect_output "the rules are installed" "shared/prefix/etc/changeover/tuning.json now has the rules of"
expect "the batch job has finished the run" grep -q "is complete" slurm-*.out
expect "it is verified" grep -q '"verified": true' shared/changeover/tuned/config.json
expect "no job is left" becomes nothing_is_queued
finish
