#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a ch4 device composes, switched in one job: every composition is measured with right results and confirmed by the
# library, what is not legal is refused before a call, and the default is named by its layers.
# usage: mpich_device_test.sh MPIEXEC CHANGEOVER_BENCH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
mpiexec=$1 bench=$2

few=(--start barrier --min-repetitions 3 --max-repetitions 3 --warm-up 2 --format json)
one_node() { "$mpiexec" -n 3 "$bench" "$@" "${few[@]}"; }
two_nodes() { "$mpiexec" -launcher fork -iface lo -hosts a:2,b:2 -n 4 "$bench" "$@" "${few[@]}"; }
lone_rank() { "$mpiexec" -launcher fork -iface lo -hosts a:2,b:1 -n 3 "$bench" "$@" "${few[@]}"; }
one_each() { "$mpiexec" -launcher fork -iface lo -hosts a:1,b:1 -n 2 "$bench" "$@" "${few[@]}"; }
measured() { # NAME...
    local name
    for name in "$@"; do
        grep -F "\"algorithm\":\"$name\"," "$work/output" | grep -qF '"status":"measured"' || return 1
    done
}
refused() { # NAME REASON
    grep -F "\"algorithm\":\"$1\"," "$work/output" | grep '"status":"refused"' | grep -qF -- "$2"
}
all_right() { expect "$1: nothing else ran, no result is wrong" test "$(grep -c '"status":"wrong' "$work/output")" = 0; }

for job in two_nodes lone_rank; do
    for collective in bcast reduce allreduce barrier; do
        sizes=8,4096,131072
        [[ $collective != barrier ]] || sizes=0
        expect_ok "$collective, $job" $job $collective --sizes $sizes
        all_right "$collective, $job"
        expect "$collective, $job: compositions" measured alpha+release_gather alpha+mpir
        if [[ $collective != barrier && $collective != allreduce ]]; then
            expect "$collective, $job: beta" measured beta+release_gather beta+mpir
        fi
    done
done
for collective in bcast reduce; do
    expect_ok "$collective with a rotating root" two_nodes $collective --sizes 64,65536 --root rotate
    all_right "$collective with a rotating root"
    expect "$collective with a rotating root: compositions" measured alpha+release_gather beta+mpir
done
expect_ok "in place" two_nodes allreduce --sizes 64,65536 --in-place
all_right "in place"
expect "in place: a composition" measured alpha+release_gather

expect_ok "an algorithm between nodes" two_nodes bcast --sizes 65536 --algorithms \
    default,beta/binomial+release_gather,beta/scatter_ring_allgather+release_gather,alpha/binomial+mpir
all_right "an algorithm between nodes"
expect "an algorithm between nodes" measured beta/binomial+release_gather beta/scatter_ring_allgather+release_gather alpha/binomial+mpir

expect_ok "one node" one_node allreduce --sizes 8,65536
all_right "one node"
expect "one node: within it" measured gamma+release_gather alpha+release_gather
expect "one node: the default is named by its layers" grep -q '"algorithm":"default",.*"used":"[a-z]*+release_gather"' "$work/output"
expect_ok "one node: nothing between" one_node bcast --sizes 8 --algorithms default,alpha/binomial+release_gather
expect "one node: nothing between" refused alpha/binomial+release_gather "there is one node"

expect_ok "what is not legal" two_nodes allreduce --sizes 4096 --algorithms \
    default,gamma+release_gather,delta+mpir,beta+mpir,alpha/no_such+mpir,alpha+ring,alpha+release_gather:k=few
all_right "what is not legal"
expect "gamma across nodes" refused gamma+release_gather "needs all ranks on one node"
expect "no such composition" refused delta+mpir "there is no composition 'delta'"
expect "one without parts" refused beta+mpir "there is no composition 'beta'"
expect "no such algorithm" refused alpha/no_such+mpir "there is no algorithm 'no_such'"
expect "no such way inside of nodes" refused alpha+ring "is not COMPOSITION"
expect_ok "an ordered operation" two_nodes reduce --sizes 4096 --operation ordered --datatype int
all_right "an ordered operation"
expect "an ordered operation" refused beta+release_gather "needs an operation that commutes"
expect_ok "one rank on each node" one_each bcast --sizes 64 --algorithms default,alpha+mpir
expect "one rank on each node" refused alpha+mpir "needs several ranks on a node"
expect "its default has no layers" grep -q '"algorithm":"default",.*"used":"[a-z_]*"' "$work/output"

expect_ok "parts of the ranks that call together" two_nodes bcast --sizes 4096 --communicators rows:2
all_right "parts of the ranks that call together"
finish
