#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What lint finds in selection files of compositions is real: an unpatched MPICH with a ch4 device ends the job, or
# sums are wrong. Where lint finds nothing, results are right. Two nodes that are faked, a rank on each.
# usage: selection_file_test.sh MPIEXEC MPICC CHANGEOVER TREES
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
mpiexec=$1 mpicc=$2 changeover=$3 trees=$4

"$mpicc" "$(dirname "$(realpath "$0")")/sums.c" -o "$work/sums" || exit 1
composition() { # COLLECTIVE TREE
    echo "{\"collective=$1\": {\"comm_type=intra\": $2}}" >"$work/ch4.json"
}
run() {
    MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$1 timeout 60 "$mpiexec" -launcher fork -hosts a:1,b:1 -n 2 "$work/sums"
}
is_bad() { # fails, or prints what is wrong
    ! run "$work/ch4.json" >"$work/output" 2>&1 || grep -q wrong "$work/output"
}

bcast=MPIDI_Bcast_intra_composition allreduce=MPIDI_Allreduce_intra_composition
while IFS='|' read -r -u 3 collective tree found; do
    composition "$collective" "$tree"
    expect_error "lint of $collective $tree" "$found" "$changeover" lint --target 4.0 "$work/ch4.json"
    expect "the library with $collective $tree" is_bad
done 3<<ROWS
bcast|{"composition=${bcast}_alpha": {}}|is for nodes with several ranks
bcast|{"composition=${bcast}_beta": {}}|is for nodes with several ranks
allreduce|{"composition=${allreduce}_alpha": {}}|is for nodes with several ranks
allreduce|{"composition=${allreduce}_omega": {}}|MPICH 4.0 has no
allreduce|{"is_commutative=yes": {"composition=${allreduce}_beta": {}}, "is_commutative=no": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}}|belongs to the file of
allreduce|{"avg_msg_size<8": {"composition=${allreduce}_beta": {}}}|no branch is for all other calls
allreduce|{"avg_msg_size=any": {"composition=${allreduce}_beta": {}}, "count=any": {"composition=${allreduce}_beta": {}}}|is never reached
ROWS

composition bcast "{\"comm_hierarchy=parent\": {\"composition=${bcast}_alpha\": {}}}"
for file in "$work/ch4.json" "$trees/ch4-4.0.2.json"; do
    expect_ok "lint of $file" "$changeover" lint --target 4.0 "$file"
    expect_output "lint of $file" "0 findings"
    expect_ok "the library with $file" run "$file"
    expect "its results are right" test -z "$(grep wrong "$work/output")"
done
expect_error "lint of a file like that of mpich#7456" "is for ranks of one node" "$changeover" lint --target 5.0 "$trees/mpich-7456.json"
finish
