#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exchanges of messages as users measure them: every pattern and way to send, pairs, rates; all data checked.
# usage: exchanges_test.sh MPIEXEC CHANGEOVER_BENCH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 bench=$2

few=(--start barrier --min-repetitions 3 --max-repetitions 3 --warm-up 2)
on() { "$mpiexec" -launcher fork -hosts a:3,b:3 -n "$1" "$bench" "${@:2}" "${few[@]}" --format json; } # RANKS ...
lines_with() { grep -c -- "$1" "$work/output" || true; }
# PATTERN VARIANTS RANKS SIZES ARGUMENTS...
expect_all() {
    local variants sizes
    read -ra variants <<<"$2"
    IFS=, read -ra sizes <<<"$4"
    expect_ok "$1 on $3 ranks" on "$3" "$1" --sizes "$4" "${@:5}"
    for variant in "${variants[@]}"; do
        expect "$1 $variant on $3 ranks ${*:5}" test \
            "$(lines_with "\"collective\":\"$1\",\"algorithm\":\"$variant\".*\"status\":\"measured\"")" = ${#sizes[@]}
    done
}

# a message of any length: empty, eager, rendezvous
all_sizes=0,1,65536,262144
ways="send ssend bsend rsend isend sendrecv sendrecv_replace persistent"
expect_all ping_pong "$ways" 2 $all_sizes --datatype byte
expect_all ping_pong "$ways" 4 8,262144 --datatype int --parameter messages=4
expect_all ping_pong "$ways" 3 8,262144 --parameter round_trips=3
expect_all ping_pong "$ways" 2 1024,262144 --parameter messages=3,round_trips=4
expect_all one_way send 4 $all_sizes
expect_all bandwidth "one_direction both_directions" 2 $all_sizes --parameter window=5
expect_all availability "isend irecv" 2 $all_sizes
for ranks in 1 2 5 6; do
    expect_all ring "sendrecv isend" $ranks $all_sizes
    for dimensions in 1 2 3; do
        expect_all halo isend $ranks 0,8,262144 --datatype int --parameter dimensions=$dimensions
    done
done
for root in 0 2; do
    expect_all master_worker "any_source waitany waitsome queue" 4 $all_sizes --root $root --parameter tasks=3
done
expect_all master_worker "any_source waitany waitsome queue" 5 8 --parameter queue_length=3,work_us=100
expect_all local_call "wtime comm_rank iprobe" 2 0
expect_all new_communicator "comm_dup comm_split" 5 0

# pairs
expect_ok "all pairs" on 5 ping_pong --sizes 64 --algorithms send --pairs halves
expect_output "are halves" '"peer":2,"link":"mixed","pairs":[[0,2],[1,3]],"parameters"'
printf '4 0\n1 2 # within a node\n' >"$work/pairs"
for pattern in ping_pong one_way bandwidth availability; do
    expect_ok "$pattern of pairs from a file" on 6 $pattern --sizes 64 --pairs "$work/pairs"
    expect_output "$pattern of those pairs" '"root":4,"in_place":false,"peer":0,"link":"mixed","pairs":[[4,0],[1,2]]'
    expect "$pattern of pairs: measured" test "$(lines_with '"status":"measured"')" -ge 1
    expect "$pattern of pairs: the data is right" test "$(lines_with wrong)" = 0
done
expect_error "no file" "cannot be read" on 4 ping_pong --sizes 64 --pairs "$work/nothing"
printf '0 1\n1 2\n' >"$work/pairs"
expect_error "a rank twice" "rank 1 is in more than one pair" on 4 ping_pong --sizes 64 --pairs "$work/pairs"
printf '0 9\n' >"$work/pairs"
expect_error "a rank that is not there" "there are 4 ranks" on 4 ping_pong --sizes 64 --pairs "$work/pairs"
expect_ok "the slowest pair" on 4 ping_pong --sizes 64 --algorithms send --link slowest
expect_output "is some pair" '"status":"measured"'
serve() { printf '%s\n' "$@" | "$mpiexec" -n 4 "$bench" --serve "${few[@]}"; }
expect_ok "pairs in requests" serve '{"id":1,"collective":"bandwidth","bytes":[64],"pairs":[[3,1]]}' \
    '{"id":2,"collective":"ping_pong","bytes":[64],"pairs":"halves"}' '{"id":3,"collective":"ping_pong","bytes":[64],"pairs":7}'
expect "one pair" test "$(lines_with '"id":1,.*"root":3,.*"peer":1,.*"status":"measured"')" = 2
expect "all pairs" test "$(lines_with '"id":2,.*"pairs":\[\[0,2\],\[1,3\]\],.*"status":"measured"')" = 8
expect_output "neither" "'pairs': expected a list of pairs of ranks"

# what is derived
expect_ok "a table" "$mpiexec" -n 2 "$bench" ping_pong --sizes 64 --algorithms send "${few[@]}"
expect "has its columns" grep -qE 'invalid +half_us +megabytes_per_s +messages_per_s$' "$work/output"
expect_ok "CSV" "$mpiexec" -n 2 "$bench" availability --sizes 64 --algorithms irecv "${few[@]}" --format csv
expect_output "has them, too" 'max_us,calls_in_a_row,communicators,start_skew_us,arrival,arrival_unit_us,waiting_us,overhead_us,availability'
expect "in each line" test "$(grep -c '^availability,irecv,\([^,]*,\)*[^,]*$' "$work/output")" = 1
expect_ok "JSON" on 2 bandwidth --sizes 64 --parameter window=2
expect "has rates" test "$(lines_with '"megabytes_per_s":[0-9.e+-]*,"messages_per_s":[0-9.e+-]*}')" = 2
expect_output "and eager limits" '"eager_limits":['

finish
