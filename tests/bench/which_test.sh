#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# changeover-which knows every collective of the table, blocking and nonblocking, and says what decided.
# usage: which_test.sh MPIEXEC CHANGEOVER_WHICH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 which=$2

on() { "$mpiexec" -n "$1" "$which" "${@:2}"; } # RANKS ...
for collective in bcast reduce allreduce allgather allgatherv alltoall alltoallv reduce_scatter reduce_scatter_block \
    gather scatter scan exscan; do
    for name in $collective i$collective; do
        expect_ok "$name" on 4 $name --bytes 1Ki,64Ki
        expect_output "$name: its size is defined" "MPI_$name on 4 ranks; message size: bytes"
        expect "$name: two choices" test "$(grep -cE '^ +(1024|65536)  MPIR_[A-Za-z_]+ +built-in$' "$work/output")" = 2
    done
done
expect_ok "a barrier" on 4 barrier
expect "has one line" test "$(grep -c '^ *0  MPIR_Barrier' "$work/output")" = 1
expect_ok "thresholds that compare another size" on 4 allgather --bytes 8
expect_output "are explained" "thresholds compare it times the number of ranks"
expect_ok "part of the ranks" on 4 bcast --bytes 8 --on half
expect_output "are fewer ranks" "MPI_bcast on 2 ranks"
expect_ok "one rank" on 1 bcast --bytes 8
expect_output "sends nothing" "none (one rank)"
expect_ok "a forced algorithm" env MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather "$mpiexec" -n 4 "$which" bcast --bytes 8
expect_output "is named with its variable" "forced by MPIR_CVAR_BCAST_INTRA_ALGORITHM"
expect_error "an exchange is no collective" "is not one of: bcast" on 2 ping_pong
expect_error "a bad size" "'12q' is not a message size" on 2 bcast --bytes 12q
expect_error "a size that is too large" "must be at most 1Gi, got 2Gi" on 2 bcast --bytes 2Gi

finish
