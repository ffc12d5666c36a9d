#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# changeover-bench with another MPI library: measures, switches what can be switched, refuses the rest.
# usage: other_library_test.sh openmpi|mpich MPIEXEC CHANGEOVER_BENCH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
library=$1 mpiexec=$2 bench=$3

case $library in # two ranks on two cores, nothing leaves this machine, and root may do it
openmpi) launch=("$mpiexec" --allow-run-as-root --oversubscribe --mca btl "self,vader,tcp" --mca btl_tcp_if_include lo -n 2) ;;
mpich)
    export UCX_NET_DEVICES=lo
    launch=("$mpiexec" -n 2)
    ;;
esac
run() { "${launch[@]}" "$bench" "$@" --start barrier --min-repetitions 5 --max-repetitions 5 --format json; }
lines_with() { grep -c -- "$1" "$work/output" || true; }

for collective in bcast allreduce; do
    expect_ok "$collective" run $collective --sizes 8,4096 --datatype double
    expect "$collective: the default is measured at both sizes" test "$(lines_with '"algorithm":"default".*"status":"measured".*"n":5')" = 2
    expect "$collective: no result is wrong" test "$(lines_with '"status":"wrong')" = 0
    expect "$collective: the last line is there" test "$(lines_with '^{"type":"end"')" = 1
done

if [[ $library == openmpi ]]; then
    expect_output "Open MPI has a switch" '"can_switch":true'
    expect_output "and no device" '"device":null'
    expect_output "its own numbers are told" '"algorithm_values":{"allgather":{"bruck":2'
    expect "its algorithms are measured, too" test "$(lines_with '"algorithm":"recursive_doubling".*"status":"measured"')" = 2
    expect_ok "parameters" run bcast --sizes 4096 --algorithms pipeline:segment=1Ki,chain:segment=4Ki,knomial:radix=3
    expect "what holds is measured" test "$(lines_with '"algorithm":"pipeline:segment=1Ki".*"status":"measured"')" = 1
    expect "any value is possible" test "$(lines_with '"algorithm":"knomial:radix=3".*"status":"measured"')" = 1
    expect "what fails is refused" test "$(lines_with '"algorithm":"chain:segment=4Ki".*"status":"refused","reason":"the message is not longer')" = 1
    expect_ok "a variable that cannot be written" run allgatherv --sizes 8 --algorithms default,ring
    expect "the default is measured" test "$(lines_with '"algorithm":"default".*"status":"measured"')" = 1
    expect "the other one is refused" test "$(lines_with '"algorithm":"ring".*"status":"refused"')" = 1
    printf '1\n7\n1\n0\n1\n0 6 0 0\n' >"$work/rules"
    export OMPI_MCA_coll_tuned_dynamic_rules_filename=$work/rules
    expect_ok "with a file of rules" run bcast --sizes 8 --algorithms default,binomial
    expect "rules go first: nothing can be forced" test "$(lines_with '"algorithm":"binomial".*"status":"refused","reason":"coll_tuned_dynamic')" = 1
else
    expect_output "MPICH has a switch" '"can_switch":true'
    expect_output "and a device" '"device":"ch'
    expect "its algorithms are measured, too" test "$(lines_with '"algorithm":"recursive_doubling".*"status":"measured"')" = 2
    expect_ok "a precondition that fails" run alltoall --sizes 64 --algorithms pairwise,pairwise_sendrecv_replace
    expect "what holds is measured" test "$(lines_with '"algorithm":"pairwise".*"status":"measured"')" = 1
    expect "what fails is refused" test "$(lines_with '"algorithm":"pairwise_sendrecv_replace".*"status":"refused","reason":"a precondition fails')" = 1
    expect_ok "in place it is the other way round" run alltoall --sizes 64 --in-place --algorithms pairwise,pairwise_sendrecv_replace
    expect "what holds is measured in place" test "$(lines_with '"algorithm":"pairwise_sendrecv_replace".*"status":"measured"')" = 1
    expect "what fails is refused in place" test "$(lines_with '"algorithm":"pairwise".*"status":"refused"')" = 1
    expect_ok "parameters" run ibcast --sizes 64Ki --algorithms tsp_tree:k=2,tsp_tree:k=3:chunk_size=16Ki,tsp_tree:chunk_size=64Ki,tsp_tree:k=1,tsp_tree:oak=1
    expect "they are measured" test "$(lines_with '"algorithm":"tsp_tree:k=3:chunk_size=16Ki".*"status":"measured"')" = 1
    expect_output "a chunk is smaller than the message" "the message is not longer than a chunk"
    expect_output "not every number is possible" "k: expected from 2 upwards, got '1'"
    expect_output "nor every name" "there is no parameter 'oak'; tsp_tree has: k, chunk_size"
    expect_ok "all of them" run ibcast --sizes 256Ki
    expect_output "with chunks" '"algorithm":"tsp_ring:chunk_size=16Ki"'
    expect_ok "an algorithm that is not there" run bcast --sizes 8 --algorithms bynomial
    expect_output "is refused with the known ones" "MPICH has: binomial, scatter_recursive_doubling_allgather, scatter_ring_allgather, smp"
fi

finish
