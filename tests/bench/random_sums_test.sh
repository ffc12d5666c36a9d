#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is said of the bits of reductions holds for 10,000 random vectors, each added by all algorithms: in jobs of 2 to 17
# ranks on one node, and of several nodes.
# usage: random_sums_test.sh MPIEXEC BENCH_MPI_TEST [VECTORS_OF_A_JOB]
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 program=$2
export RANDOM_SUMS=${3:-417}
jobs=0

# sums OPTIONS...: of mpiexec
sums() {
    local name="$*"
    expect_ok "sums in a job: $name" "$mpiexec" "$@" "$program" --gtest_filter='RandomSums.*'
    expect "they were compared" grep -q '^random sums:' "$work/output"
    echo "$name: $(grep '^random sums:' "$work/output")"
    grep '^random sums:' "$work/output" >>"$work/all"
    jobs=$((jobs + 1))
}
for ranks in {2..17}; do
    sums -n "$ranks"
done
sums -launcher fork -hosts a:2,b:2 -n 4
sums -launcher fork -hosts a:2,b:2,c:2,d:2 -n 8
sums -launcher fork -hosts a:3,b:3,c:3 -n 9
sums -launcher fork -hosts a:8,b:8 -n 16
sums -launcher fork -hosts a:4,b:4,c:4,d:4 -n 16
sums -launcher fork -hosts a:5,b:5,c:5,d:2 -n 17
sums -launcher fork -hosts a:1,b:1,c:1,d:1,e:1,f:1,g:1 -n 7
sums -launcher fork -hosts a:3,b:3,c:1 -n 7
expect "all jobs ran" test "$(wc -l <"$work/all")" = "$jobs"
awk '{vectors += $3; sums += $5; same += $11} END {
    printf "%d vectors, %d sums, %d of them said to have the bits of the default\n", vectors, sums, same}' "$work/all"
finish
