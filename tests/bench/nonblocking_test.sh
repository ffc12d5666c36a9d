#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Nonblocking collectives as users measure them: every algorithm with right results, and what can be hidden of one.
# usage: nonblocking_test.sh MPIEXEC CHANGEOVER_BENCH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 bench=$2

few=(--start barrier --min-repetitions 3 --max-repetitions 3 --warm-up 2)
on() { "$mpiexec" -launcher fork -hosts a:4,b:4 -n "$1" "$bench" "${@:2}" "${few[@]}" --format json; } # RANKS ...
lines_with() { grep -c -- "$1" "$work/output" || true; }

for collective in ibcast ireduce iallreduce iallgather iallgatherv ialltoall ireduce_scatter_block igather iscatter; do
    expect_ok "$collective" on 8 $collective --sizes 4096 --datatype double
    expect "$collective: no result is wrong" test "$(lines_with 'wrong')" = 0
    expect "$collective: several algorithms are measured" test "$(lines_with '"status":"measured"')" -ge 2
done

# names with parameters: each that is accepted ran, by the library's own word, with the right result
for_all() { # COLLECTIVE NAMES
    expect_ok "$1 with parameters" on 8 "$1" --sizes 128Ki --datatype int --algorithms "$2"
    for name in ${2//,/ }; do
        expect "$1 $name" test "$(lines_with "\"algorithm\":\"$name\".*\"status\":\"measured\",\"used\":\"$name\"")" = 1
    done
}
trees=tsp_tree,tsp_tree:k=3,tsp_tree:k=8,tsp_tree:tree_type=knomial_1,tsp_tree:tree_type=knomial_2:k=4:chunk_size=16Ki
for collective in ibcast ireduce iallreduce; do for_all $collective $trees; done
for_all ibcast tsp_ring:chunk_size=1000,sched_binomial
for_all ireduce tsp_tree:buffer_per_child=1,tsp_ring:chunk_size=64Ki
for_all iallreduce tsp_recexch_single_buffer:k=4,tsp_recexch_multiple_buffer:k=8
for_all iallgather tsp_brucks:k=4,tsp_recexch_doubling:k=8
for_all ialltoall tsp_brucks:k=4:buffer_per_phase=1,tsp_scattered:batch_size=2:bblock=2
expect_ok "values of the default" on 8 ibcast --sizes 128Ki --algorithms tsp_tree:k=2:tree_type=kary:chunk_size=0
expect_output "are the algorithm by itself" '"status":"measured","used":"tsp_tree"'
refused() { # NAME REASON
    expect_ok "$1" on 8 ibcast --sizes 1Ki --algorithms "$1"
    expect "$1 is refused" test "$(lines_with '"status":"refused"')" = 1
    expect_output "$1: with the reason" "$2"
}
refused tsp_tree:q=4 "there is no parameter 'q'; tsp_tree has: tree_type, k, chunk_size"
refused tsp_tree:k=1 "k: expected from 2 upwards, got '1'"
refused tsp_tree:tree_type=oak "tree_type: expected one of kary, knomial_1, knomial_2, got 'oak'"
refused tsp_tree:k "'k' in tsp_tree:k is not name=value"
refused tsp_tree:k=2:k=4 "'k' is listed twice"
refused tsp_tree:chunk_size=1Ki "the message is not longer than a chunk"
refused tsp_bush:k=4 "there is no algorithm 'tsp_bush'; MPICH has: sched_binomial"

# the rules of a tuning file, with and without parameters
cat >"$work/tuning.json" <<'RULES'
{"version": 1, "mpir": [{"collective": "ibcast", "bytes": [0, 65536], "algorithm": "tsp_tree",
                         "parameters": {"tree_type": "knomial_1", "k": 4, "chunk_size": 16384}},
                        {"collective": "ibcast", "algorithm": "tsp_tree"}]}
RULES
export MPIR_CVAR_COLL_TUNING_FILE=$work/tuning.json
expect_ok "with a tuning file" on 8 ibcast --sizes 64Ki,128Ki --algorithms default,tuned,tsp_tree:k=8
expect "its parameters are told" test "$(lines_with '"algorithm":"tuned","bytes":65536.*"used":"tsp_tree:tree_type=knomial_1:k=4:chunk_size=16Ki"')" = 1
expect "a rule without parameters has those of the library" test "$(lines_with '"algorithm":"tuned","bytes":131072.*"used":"tsp_tree"')" = 1
expect "what is forced is not in its way" test "$(lines_with '"used":"tsp_tree:k=8"')" = 2
unset MPIR_CVAR_COLL_TUNING_FILE

expect_ok "overlap" on 2 iallreduce --sizes 65536 --datatype double --algorithms default,nosuch --overlap --test-interval 0,16Ki
expect "first the time without computation" test \
    "$(lines_with '"algorithm":"default".*"compute_us":0.0,"tests":0.0,"by_work":0.0},"status":"measured"')" = 1
expect "then two schemes with two intervals" test "$(lines_with '"algorithm":"default".*"scheme":.*"overlap":')" = 4
expect "five tests of 16 KiB" test "$(lines_with '"tests":5.0,"by_work":[01].0},"status":"measured".*"test_interval":16384')" = 2
expect "the best of each scheme" test "$(lines_with '"best":true')" = 2
expect "what cannot be measured is said once" test "$(lines_with '"algorithm":"nosuch".*"status":"refused"')" = 1
expect_error "what blocks hides nothing" "overlap is for nonblocking collectives: ibcast" on 2 bcast --sizes 64 --overlap

serve() { printf '%s\n' "$@" | "$mpiexec" -n 2 "$bench" --serve "${few[@]}"; }
expect_ok "requests" serve \
    '{"id":1,"collective":"ibcast","bytes":[64,4096],"algorithms":["default"],"overlap":{}}' \
    '{"id":2,"collective":"ibcast","bytes":[4096],"algorithms":["default","nosuch"],"overlap":{"schemes":["work"],"test_intervals":[0,"search"]}}' \
    '{"id":3,"collective":"bcast","bytes":[64],"overlap":{}}' '{"id":4,"collective":"ibcast","bytes":[64],"overlap":true}' \
    '{"id":5,"collective":"ibcast","bytes":[64],"overlap":{"intervals":[1]}}' \
    '{"id":6,"collective":"ibcast","bytes":[64],"overlap":{"test_intervals":[-1]}}' \
    '{"id":7,"collective":"ibcast","bytes":[64],"overlap":{"schemes":["luck"]}}'
expect "for each size the time without computation" test "$(lines_with '"id":1,.*"compute_us":0.0')" = 2
expect "and both schemes without a test" test "$(lines_with '"id":1,.*"tests":0.0.*"scheme":"\(time\|work\)","test_interval":0,.*"overlap":')" = 4
expect "a search tries several intervals" test "$(lines_with '"id":2,.*"scheme":"work".*"overlap":')" -ge 4
expect "and marks one" test "$(lines_with '"id":2,.*"best":true')" = 1
expect "an unknown algorithm is refused, the others are measured" test "$(lines_with '"id":2,.*"status":"refused"')" = 1
expect "both are done" test "$(lines_with '"type":"done"')" = 2
expect "five are answered with an error" test "$(lines_with '"type":"error","id":[34567]')" = 5
expect_output "a key that is not there" "there is no key 'intervals' in 'overlap'"
expect_output "an interval that is none" "'test_intervals': expected bytes"
expect_output "a scheme that is not there" "there is no scheme 'luck'"

finish
