#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# changeover-bench as its users run it: every collective and algorithm with right results, refusals, serve mode.
# usage: bench_test.sh MPIEXEC CHANGEOVER_BENCH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 bench=$2
check_json=$(dirname "$(realpath "$0")")/check-json

few=(--start barrier --min-repetitions 3 --max-repetitions 3 --warm-up 2)
run() { "$mpiexec" -n "$1" "$bench" "${@:2}" "${few[@]}"; }
lines_with() { grep -c -- "$1" "$work/output" || true; }

for collective in bcast reduce allreduce allgather allgatherv alltoall alltoallv reduce_scatter reduce_scatter_block \
    gather scatter scan exscan; do
    for ranks in 4 5; do
        expect_ok "$collective on $ranks ranks" run $ranks $collective --sizes 0,8,4096 --datatype double --format json
        expect "$collective on $ranks ranks: no result is wrong" test "$(lines_with 'wrong')" = 0
        expect "$collective on $ranks ranks: the default is measured" test "$(lines_with '"algorithm":"default".*"status":"measured"')" = 3
    done
done
expect_ok "version, without mpiexec" "$bench" --version
expect_output "version, without mpiexec" "changeover-bench "
expect_output "version, without mpiexec: the library" "MPICH Version: "
expect "version, without mpiexec: its file" test -f "$(tail -n 1 "$work/output")"
expect_ok "barrier" run 4 barrier --sizes 0 --format json
expect_ok "an ordered operation" run 5 allreduce --sizes 400 --operation ordered --format json
expect "its results are right" test "$(lines_with wrong)" = 0
expect_ok "in place" run 4 alltoall --sizes 64 --in-place --format json
expect "only what works in place is measured" test "$(lines_with '"status":"measured"')" = 2
for collective in reduce allreduce allgather allgatherv alltoallv reduce_scatter reduce_scatter_block gather scan exscan; do
    expect_ok "$collective in place" run 4 $collective --sizes 8,4096 --in-place --datatype int --format json
    expect "$collective in place: no result is wrong" test "$(lines_with 'wrong')" = 0
    expect "$collective in place: the default is measured" test "$(lines_with '"algorithm":"default".*"in_place":true,"status":"measured"')" = 2
done
for collective in reduce allreduce reduce_scatter reduce_scatter_block scan exscan; do
    for operation in user ordered; do
        expect_ok "$collective with operation $operation" run 5 $collective --sizes 8,4096 --operation $operation --datatype int --format json
        expect "$collective with operation $operation: no result is wrong" test "$(lines_with 'wrong')" = 0
        expect "$collective with operation $operation: the default is measured" test \
            "$(lines_with "\"algorithm\":\"default\".*\"operation\":\"$operation\".*\"status\":\"measured\"")" = 2
    done
done
expect_error "bcast has nothing in place" "does not support MPI_IN_PLACE" run 2 bcast --in-place
expect_error "nor has scatter" "does not support MPI_IN_PLACE" run 2 scatter --in-place
for collective in bcast reduce gather scatter; do
    expect_ok "$collective with a rotating root" run 4 $collective --sizes 64 --root rotate --format json
    expect "$collective with a rotating root: all measured" test "$(lines_with '"root":"rotating".*"status":"measured"')" -ge 2
done
expect_ok "another root" run 4 bcast --sizes 64 --root 2 --format json
expect "is the one that is used" test "$(lines_with '"root":2,.*"status":"measured"')" -ge 2

for metric in last root mean median min max span; do
    expect_ok "metric $metric" run 3 bcast --sizes 4096 --root 1 --metric $metric --ranks --format json
    expect "metric $metric is what the times of the ranks say" "$check_json" metric $metric "$work/output"
done
expect_error "an unknown metric" "--metric" run 2 bcast --metric average

long=(--min-repetitions 8 --max-repetitions 8)
for start in barrier dissemination window; do
    expect_ok "start by $start" "$mpiexec" -n 2 "$bench" allreduce --sizes 8 --algorithms default --start $start --format json "${long[@]}"
    expect "the header says so: $start" grep -q "^{\"type\":\"header\".*\"start\":\"$start" "$work/output"
    expect "start by $start: there is a result" test "$(lines_with '"type":"case".*"status":"measured"')" = 1
done
expect_ok "the trimmed mean's rule" "$mpiexec" -n 2 "$bench" bcast --sizes 1024 --start barrier --trimmed-mean --precision 10 --min-repetitions 9 --format json
expect "ends by its own measure" "$check_json" trimmed "$work/output"
expect "as soon as it is met" test "$(lines_with '"ended":"precise".*"n":9,')" -ge 2
expect_ok "what is not met" run 2 bcast --sizes 1024 --algorithms default --precision 1e-9
expect_output "is marked, with the setting to raise" "raise --max-seconds or --max-repetitions"

distinct_sizes() { grep -o '"bytes":[0-9]*' "$work/output" | sort -u | wc -l; }
expect_ok "refinement" run 2 bcast --sizes 1Ki,16Ki,256Ki --algorithms default --refine 4 --precision 1e-9 --format json
expect "adds four sizes" test "$(distinct_sizes)" = 7
expect "each once" test "$(lines_with '"type":"case"')" = 7
expect_ok "no refinement where a line is good enough" run 2 bcast --sizes 1Ki,16Ki,256Ki --algorithms default --refine 4 --precision 1e9 --format json
expect "adds none" test "$(distinct_sizes)" = 3

expect_ok "cold caches" run 2 bcast --sizes 4096 --cold --format json
expect "are measured" test "$(lines_with '"status":"measured"')" -ge 2
expect_error "the memory that they are flushed with counts" "MiB are available" run 2 bcast --sizes 1Mi --algorithms default --memory 4Mi --cold
expect_ok "and only then" run 2 bcast --sizes 1Mi --algorithms default --memory 4Mi

expect_ok "two nodes on this machine" "$mpiexec" -launcher fork -hosts a:2,b:2 -n 4 "$bench" barrier --sizes 0 --algorithms default "${few[@]}" --format json
expect_output "have two ranks each" '"ranks_on_node":[2,2]'
expect "the first two ranks share a node" grep -q '"node_of_rank":\["\([^"]*\)","\1","\1#2","\1#2"\]' "$work/output"
expect "the header has all that results depend on" "$check_json" header "$work/output"
expect_output "TCP counters from before" '"tcp_before":{"retransmits":'
expect_output "and after" '"tcp_after":{"retransmits":'

expect_ok "a table with ranks" run 3 bcast --sizes 64 --algorithms default --ranks
expect "has the finish of each" grep -qE 'finish of ranks, median us: [0-9.]+ [0-9.]+ [0-9.]+$' "$work/output"
expect_ok "CSV with ranks" run 3 bcast --sizes 64 --algorithms default,bynomial --ranks --format csv
expect "has the finish of each in its last column" grep -qE '^bcast,default,.*,[0-9.]+ [0-9.]+ [0-9.]+$' "$work/output"
expect "has as many columns in each line" test "$(grep -v '^#' "$work/output" | tr -cd ',\n' | sort -u | wc -l)" = 1
expect "says in comments how it was made" grep -q '^# ranks: 3, nodes: 1 (' "$work/output"

echo '{"version": 1, "mpir": [{"collective": "bcast", "algorithm": "scatter_ring_allgather"}]}' >"$work/tuning.json"
export MPIR_CVAR_COLL_TUNING_FILE=$work/tuning.json
expect_ok "with a tuning file" run 4 bcast --sizes 64 --algorithms default,tuned,binomial
for name in "default (binomial)" "tuned (scatter_ring_allgather)" "binomial  "; do
    expect_output "with a tuning file" "$name"
done
unset MPIR_CVAR_COLL_TUNING_FILE
expect_ok "without one" run 4 bcast --sizes 64 --algorithms default,tuned
expect_output "without one" "there is no tuning file; name one with MPIR_CVAR_COLL_TUNING_FILE"
expect_ok "all algorithms" run 4 bcast --sizes 16384 --format json
expect "five of them, each confirmed" test "$(lines_with '"algorithm":"\(.*\)".*"used":"\1"')" -ge 4
expect_ok "a precondition that fails" run 3 allgather --sizes 64 --algorithms recursive_doubling --format json
expect_output "is refused, not timed" '"status":"refused"'
expect_output "with the reason" 'MPICH would run'
expect_ok "an unknown algorithm" run 2 bcast --sizes 64 --algorithms bynomial
expect_output "is refused with the known ones" "there is no algorithm 'bynomial'; MPICH has: binomial"

nodes=(-launcher fork -hosts a:2,b:2 -n 4)
exchange() { "$mpiexec" "${nodes[@]}" "$bench" "$@" "${few[@]}" --format json; }
for size in 0 1 65536 262144; do
    expect_ok "ping-pong of $size bytes" exchange ping_pong --sizes $size
    expect_output "is between nodes by itself" '"peer":2,"link":"between","parameters":{"messages":1.0,"delay_us":0.0,"round_trips":1.0},"status":"measured"'
    expect_ok "eight messages of $size bytes within a node" exchange ping_pong --sizes $size --link within --parameter messages=8,delay_us=20
    expect_output "have the other rank there" '"peer":1,"link":"within","parameters":{"messages":8.0,"delay_us":20.0,"round_trips":1.0},"status":"measured"'
    expect_ok "receiving $size bytes" exchange receive_call --sizes $size --root 3 --peer 0
    expect_output "from the rank that is named" '"root":3,"in_place":false,"peer":0,"link":"between"'
done
expect_ok "pauses" exchange ping_pong --sizes 1 --parameter messages=5,delay_us=2000
expect "are in the time" grep -qE '"min_us":[0-9]{4,}\.' "$work/output"
expect_ok "the wait before a receive call" exchange receive_call --sizes 1 --parameter delay_us=20000
expect "is not" grep -qE '"min_us":[0-9]{1,4}\.' "$work/output"
expect_error "a parameter that is not there" "there are: messages, delay_us, round_trips" exchange ping_pong --sizes 1 --parameter window=2
expect_error "a parameter without a number" "NAME=NUMBER" exchange ping_pong --sizes 1 --parameter messages
expect_error "no message" "must be at least 1, got 0" exchange ping_pong --sizes 1 --parameter messages=0
expect_error "a collective has none" "bcast has no parameter 'messages'" exchange bcast --sizes 1 --parameter messages=2
expect_error "a link that is not there" "no link 'outside'" exchange ping_pong --sizes 1 --link outside
expect_error "an exchange with itself" "a pair is two different ranks" exchange ping_pong --sizes 1 --peer 0
expect_error "one node" "no other rank on another node" run 2 ping_pong --sizes 1 --link between
expect_ok "another way to send" exchange ping_pong --sizes 1 --algorithms fastsend
expect_output "is refused with the known ones" "there is no 'fastsend'; ping_pong has: send"

expect_ok "an interface" exchange barrier --sizes 0 --algorithms default --interface lo
expect_output "is used" '"network":{"evidence":"sockets","library":"ch3:sock","nodes":[{"node":'
expect "on every node" test "$(grep -o '"interfaces":\["lo"\],"addresses":\["127.0.0.1"\],"subnets":\["127.0.0.0/8"\],"loopback":true' "$work/output" | wc -l)" = 2
expect_error "an interface that is not there" "this node has no interface 'nosuch0'" exchange barrier --sizes 0 --interface nosuch0

expect_ok "pairs" run 3 bcast --sizes 64,4Ki --algorithms default,binomial --order pairs --format json
expect "are the order of every case" test "$(lines_with '"order":"pairs".*"status":"measured".*"n":3,')" = 4
expect_error "pairs of three" "the order 'pairs' is for two algorithms, got 3" run 2 bcast --sizes 64 --algorithms default,binomial,smp --order pairs
expect_error "an overlap has no pairs" "omit the order 'pairs'" run 2 ibcast --sizes 64 --overlap --algorithms default,tsp_ring --order pairs

expect_ok "calls in a row" run 3 allreduce --sizes 64 --algorithms default,recursive_doubling --calls-in-a-row 10 --format json
expect "are in every case, with the skew of the start" test \
    "$(lines_with '"calls_in_a_row":10,.*"status":"measured",.*"start_skew_us":')" = 2
expect_error "calls in a row of an exchange" "ping_pong is an exchange of messages" run 2 ping_pong --sizes 64 --calls-in-a-row 2
expect_error "an overlap has single calls" "omit the calls in a row" run 2 ibcast --sizes 64 --overlap --calls-in-a-row 2

expect_ok "arrivals" run 3 allreduce --sizes 8,4Ki --algorithms default,recursive_doubling --arrival one-late:4 --format json
expect "are in every case, with the time that their width counts in, and the waiting" test \
    "$(lines_with '"arrival":{"pattern":"one-late","width":4.0,"unit_us":[0-9.]*},"status":"measured",.*"waiting_us":')" = 4
expect_ok "calls back to back" run 3 bcast --sizes 64 --algorithms default --arrival back-to-back --format json
expect "are ten in a row" test "$(lines_with '"calls_in_a_row":10,"arrival":{"pattern":"back-to-back"}')" = 1
expect_error "arrivals by node on one node" "by-node needs several nodes" run 2 bcast --sizes 64 --arrival by-node
expect_ok "arrivals by node" "$mpiexec" "${nodes[@]}" "$bench" bcast --sizes 64 --algorithms default "${few[@]}" --arrival by-node:500 --ranks --format json
expect "delay the ranks of the second node" "$check_json" late 2,3 "$work/output"
cat >"$work/arrivals.jsonl" <<'JSON'
{"type":"arrivals","version":1,"trace":"t"}
{"type":"class","collective":"bcast","bytes":64,"ranks":3,"calls":2,"seconds":1,"delays_us":[[0,0,90000],[0,0,80000]]}
JSON
expect_ok "recorded arrivals" run 3 bcast --sizes 64,1Ki --algorithms default --arrival-from "$work/arrivals.jsonl" --ranks --format json
expect "delay the rank that was late" "$check_json" late 2 "$work/output"
expect "name the calls" test "$(lines_with '"arrival":{"pattern":"recorded","recorded":"bcast of 64 bytes, 2 calls"}')" = 2
expect_ok "recorded arrivals in turn with a pattern, by request" bash -c "echo '{\"collective\": \"bcast\", \"bytes\": [64],
    \"algorithms\": [\"binomial\"], \"max_repetitions\": 6, \"min_repetitions\": 6,
    \"arrival\": {\"pattern\": \"together+recorded\", \"from\": \"$work/arrivals.jsonl\"}}' | tr -d '\n' | $mpiexec -n 3 $bench --serve"
expect "have a median each" test "$(lines_with '"by_arrival_us":{"recorded":[0-9.]*,"together":[0-9.]*}')" = 1
expect_error "recorded arrivals of other numbers of ranks" "has no calls of bcast by 2 ranks; there are: bcast of 3 ranks" \
    run 2 bcast --sizes 64 --arrival-from "$work/arrivals.jsonl"
expect_error "recorded arrivals without a file" "needs a file of arrivals" run 2 bcast --sizes 64 --arrival recorded
expect_error "an overlap has no arrivals" "omit the arrival pattern" run 2 ibcast --sizes 64 --overlap --arrival half

for communicators in rows:2 columns:2; do
    for collective in bcast reduce allreduce allgather alltoall reduce_scatter scan; do
        expect_ok "$collective in $communicators at once" run 6 $collective --sizes 8,4096 --communicators $communicators --format json
        expect "$collective in $communicators: no result is wrong" test "$(lines_with wrong)" = 0
        expect "$collective in $communicators: the default is measured" test \
            "$(lines_with "\"algorithm\":\"default\".*\"communicators\":\"$communicators\",\"communicator_ranks\":3,\"status\":\"measured\"")" = 2
    done
done
expect_ok "parts with a power of two of ranks, in a job without" run 6 allgather --sizes 64 --algorithms recursive_doubling --communicators columns:3 --format json
expect "have algorithms of their own" test "$(lines_with '"used":"recursive_doubling"')" = 1
expect_ok "a rotating root" run 4 bcast --sizes 64 --algorithms default --communicators rows:2 --root rotate --format json
expect "is in each of them" test "$(lines_with '"status":"measured"')" = 1
echo '{"version": 1, "mpir": [{"collective": "bcast", "ranks": [2, 2], "algorithm": "scatter_ring_allgather"}]}' >"$work/tuning.json"
expect_ok "a rule for parts" env MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json" "$mpiexec" -n 4 "$bench" bcast --sizes 64 \
    --algorithms tuned --communicators columns:2 "${few[@]}" --format json
expect_output "is used by them" '"used":"scatter_ring_allgather"'
expect_ok "arrivals" run 4 bcast --sizes 64 --algorithms default --communicators rows:2 --arrival half:100 --ranks --format json
expect "are of all ranks" "$check_json" late 2,3 "$work/output"
expect_error "a root that no part has" "there is no rank 2 for the root; there are 2 ranks" run 4 bcast --communicators rows:2 --root 2
expect_error "parts of different length" "4 ranks cannot be divided into 3 rows" run 4 bcast --communicators rows:3
expect_error "no such parts" "expected world, rows:R or columns:C" run 4 bcast --communicators nodes
expect_error "an exchange has none" "communicators are for collectives" run 4 ping_pong --communicators rows:2
expect_error "an overlap has none" "omit the communicators" run 4 ibcast --sizes 64 --overlap --communicators rows:2
expect_ok "the metric root" run 4 bcast --sizes 64 --algorithms default --communicators rows:2 --metric root
expect_output "is of one communicator" "the metric root is of one communicator"

# more ranks than cores can hardly start at one moment: where nearly no start is in time, there is a reason in place of a
# time, and the program ends within seconds
many=$((16 * $(nproc)))
if [ $many -le 64 ]; then
    expect_ok "windows for more ranks than cores" timeout 100 "$mpiexec" -n $many "$bench" alltoall --sizes 8,1Ki \
        --algorithms default,brucks --start window --precision 1e-9 --max-seconds 60 --max-repetitions 32 --format json
    late="\"refused\",\"reason\":\"ranks start late: [0-9]* of [0-9]* starts were more than [0-9.]* us late; there are more ranks ($many) than cores ([0-9]*): use --start barrier\""
    expect "each case has a time or the reason, with the remedy" test \
        "$(($(lines_with "\"type\":\"case\".*$late") + $(lines_with '"status":"measured".*"samples_us"')))" = 4
fi

expect_error "an unknown collective" "there is no collective 'bkast'" run 2 bkast
expect_error "a bad size" "'12q' is not a message size" run 2 bcast --sizes 12q
expect_error "a size that is no multiple" "not a multiple of an element of 8 bytes" run 2 allreduce --sizes 12 --datatype double
expect_error "a root that is not there" "there is no rank 7" run 2 bcast --root 7
expect_error "more memory than allowed" "MiB are available" run 2 alltoall --sizes 64Mi --memory 16Mi
expect_error "an option that is not there" "not expected" run 2 bcast --frobnicate

expect_ok "a list of what can be measured" run 2 --list
expect_output "has the definition of the message size" "  message size: bytes that one rank contributes (OSU: Size (osu_allgather); IMB: #bytes (Allgather))"
expect_output "the algorithms of the library" "  algorithms: default, binomial, "
expect_output "and parameters" "  parameter window: messages at the same time (default 64, at least 1)"
expect_ok "a list of one" run 2 bcast --list
expect "has only that" test "$(grep -c '^[a-z]' "$work/output")" = 1
expect_error "a list of something unknown" "there is no collective 'bkast'" run 2 bkast --list

serve() { printf '%s\n' "$@" | "$mpiexec" -n 3 "$bench" --serve "${few[@]}"; }
expect_ok "serve mode" serve '{"id":1,"collective":"bcast","bytes":[64],"algorithms":["default"]}' 'this is not JSON' '[]' \
    '{"id":"x","collective":"bkast","bytes":[1]}' '{"collective":"bcast","bytes":[64],"bites":3}' \
    '{"id":2,"collective":"bcast","bytes":"64"}' '{"id":4,"collective":"ping_pong","bytes":[64],"link":"within","parameters":{"messages":2},"warm_up":1}' '' '{"id":{"a":3},"collective":"allreduce","bytes":[8,16],"algorithms":["default"],"datatype":"double"}'
expect "the header has all that results depend on" "$check_json" header "$work/output"
expect "every line is JSON of a known type" test "$(lines_with '^{"type":"\(header\|case\|done\|error\|end\)".*}$')" = "$(wc -l <"$work/output")"
expect "three requests are done" test "$(lines_with '"type":"done"')" = 3
expect "one of them an exchange" test "$(lines_with '"id":4,.*"algorithm":"send",.*"parameters":{"messages":2.0,"delay_us":0.0,"round_trips":1.0},"status":"measured"')" = 1
expect "their cases carry the id" test "$(lines_with '"type":"case","id":{"a":3}')" = 2
expect "five are answered with an error" test "$(lines_with '"type":"error"')" = 5
expect_output "an unknown key is named" "there is no key 'bites'"
long_request() { { head -c 40000 /dev/zero | tr '\0' x; echo; echo '{"id":9,"collective":"bcast","bytes":[8],"algorithms":["default"]}'; } | "$mpiexec" -n 2 "$bench" --serve "${few[@]}"; }
expect_ok "a request that is too long" long_request
expect_output "is an error" "at most 32 KiB"
expect_output "and the next one is served" '"type":"done","id":9'

# a rank that dies ends the job; what was written is whole lines
killed() { { echo '{"collective":"bcast","bytes":[1024],"max_seconds":30,"min_repetitions":1000000,"max_repetitions":1000000}'; sleep 20; } |
    "$mpiexec" -n 3 "$bench" --serve --start barrier >"$work/killed" 2>"$work/killed.err" & job=$!
    sleep 3
    # the launcher's proxy has the ranks as its children
    kill -KILL "$(pgrep -n -P "$(pgrep -P $job)")"
    wait $job; }
killed
expect "a killed rank ends the job" test $? != 0
expect "leaves complete lines" test -z "$(tail -c 1 "$work/killed" | tr -d '\n')"
expect "and the launcher says so" grep -q "BAD TERMINATION" "$work/killed" "$work/killed.err"

finish
