#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that nobody here has built: ScaLAPACK's test of inverses, of Debian, with Debian's MPICH. With the preloaded
# library its results are the same, and calls of four collectives are made by rules.
# usage: scalapack_test.sh LIBRARY MPIEXEC
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
library=$1 mpiexec=$2
program=$(dpkg -L scalapack-mpi-test 2>/dev/null | grep '/mpich-tests/xdinv$')
[[ -x $program ]] || { echo "skipped: scalapack-mpi-test is missing (install it: scripts/setup --tests)" >&2; exit 77; }
cp /usr/share/scalapack/INV.dat "$work" && cd "$work" || exit 1

cat >"$work/tuning.json" <<'JSON'
{"version": 1, "mpir": [
    {"collective": "bcast", "algorithm": "scatter_ring_allgather"},
    {"collective": "allreduce", "algorithm": "recursive_doubling"},
    {"collective": "reduce", "algorithm": "binomial"},
    {"collective": "barrier", "algorithm": "dissemination"}
]}
JSON
export UCX_NET_DEVICES=lo OPENBLAS_NUM_THREADS=1
results() { awk '/^(WALL|CPU) / {print $1, $2, $3, $4, $5, $9, $10, $11}' "$1"; } # without times
expect_ok "without" timeout 300 "$mpiexec" -n 2 "$program"
cp "$work/output" "$work/plain"
expect "tests pass" test "$(grep -c 'PASSED$' "$work/plain")" -gt 100
expect_ok "with the preloaded library" env LD_PRELOAD="$library" MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json" \
    MPIR_CVAR_COLL_TUNING_VERBOSE=1 timeout 300 "$mpiexec" -n 2 "$program"
expect "the same tests have the same results" diff <(results "$work/plain") <(results "$work/output")
for rule in "bcast scatter_ring_allgather" "allreduce recursive_doubling" "reduce binomial" "barrier dissemination"; do
    expect "$rule: calls are made by the rule" grep -q "$rule: [1-9][0-9]* .*calls" "$work/output"
done
finish
