#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rules with ranges of layouts: the library that reads the emitted file and `explain` name the same rule, in random
# questions about communicators that need not exist, and in calls on the parts of a job of 4 nodes x 3.
# usage: range_rules_test.sh MPIEXEC RANGE_RULES CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../../support/shell.sh"
mpiexec=$1 program=$2 changeover=$3
export MPIR_CVAR_COLL_TUNING_FILE=$work/tuning.json MPIR_CVAR_COLL_TUNING_NETWORK=eth
grid=(-launcher fork -iface lo -hosts a:3,b:3,c:3,d:3 -n 12)
for seed in 1 2 3 4 5; do
    expect_ok "write, seed $seed" "$program" write "$work/config.json" "$work/tuning.json" $seed
    expect_ok "the library reads the file, seed $seed" env MPIR_CVAR_COLL_TUNING_ERROR=abort "$changeover" lint "$work/tuning.json"
    expect "no error in it" test -z "$(grep ^error "$work/output")"
    expect_ok "questions, seed $seed" "$program" ask "$work/config.json" 10000
    expect_output "questions: all agree" "10000 asked"
    expect_output "questions: all agree" " 0 wrong"
    expect_ok "grid, seed $seed" "$mpiexec" "${grid[@]}" "$program" grid "$work/config.json"
    expect_output "grid: all agree" "3840 asked"
    expect_output "grid: all agree" " 0 wrong"
done
expect_ok "explain" "$changeover" explain "$work/config.json" bcast --nodes 4 --ppn 2 --ranks 7 --bytes 64
expect_output "explain: fewer ranks on the last node" "bcast of 64 bytes on 4x2-1, network eth"
expect_error "explain: too few ranks" "write 7 to 8" "$changeover" explain "$work/config.json" bcast --nodes 4 --ppn 2 --ranks 6 --bytes 64
finish
