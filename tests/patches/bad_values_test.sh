#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Numbers that are none: refused at start, with the variable. (tuning_file_test.sh has those of files.)
# usage: bad_values_test.sh MPIEXEC CHANGEOVER_WHICH STOCK_SOURCE
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 which=$2 stock=$3

run() { "$mpiexec" -n 2 "$which" bcast --bytes 65536; }
with() { env "$1" "$mpiexec" -n 2 "$which" bcast --bytes 65536; }

for variable in MPIR_CVAR_BCAST_SHORT_MSG_SIZE MPICH_ALLTOALL_MIN_PROCS; do
    expect_error "$variable=12k" "$variable=12k: it is not a whole number" with "$variable=12k"
    expect_error "$variable=99999999999999" "$variable=99999999999999: it does not fit in 32 bits" with "$variable=99999999999999"
    expect_error "$variable=" "$variable=: it is empty" with "$variable="
done
expect_error "a negative threshold" "MPIR_CVAR_BCAST_SHORT_MSG_SIZE=-1 is negative; set it to 0 or more" with MPIR_CVAR_BCAST_SHORT_MSG_SIZE=-1
expect_error "a negative number of processes" "MPIR_CVAR_ALLTOALL_MIN_PROCS=-1 is negative" with MPIR_CVAR_ALLTOALL_MIN_PROCS=-1
expect_error "another threshold" "MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=-5 is negative" with MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=-5
expect_ok "the largest number" with MPIR_CVAR_BCAST_SHORT_MSG_SIZE=2147483647

# Sizes above 2 GiB: with atoi this was 0, so that no message was short
"$mpiexec" -n 8 "$which" bcast --bytes 65536 >"$work/default"
large() { sed 's/"avg_msg_size<=12288"/"avg_msg_size<=4294967296"/' "$stock/maint/tuning/coll/mpir/generic.json" >"$work/tree.json"
    env "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$work/tree.json" "$mpiexec" -n 8 "$which" bcast --bytes 65536; }
expect "65536 bytes are not short by default" grep -q scatter_recursive_doubling "$work/default"
expect_ok "a threshold of 4 GiB" large
expect_output "matches" "MPIR_Bcast_intra_binomial"

expect_error "wrong use of changeover-which" "is not one of: bcast" "$mpiexec" -n 2 "$which" bkast
expect_ok "changeover-which" run

finish
