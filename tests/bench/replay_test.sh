#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs are recorded and replayed: the replay makes the same calls with the same bytes, in the same order, on the same
# members, which a trace of it shows. Bad input ends it at once. What times are is not tested here.
# usage: replay_test.sh MPIEXEC CHANGEOVER EXAMPLES CHANGEOVER_REPLAY [OTHER_MPIEXEC OTHER_CHANGEOVER_REPLAY] ...
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 changeover=$2 examples=$3 replay=$4
others=("${@:5}")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo UCX_NET_DEVICES=lo

# For each communicator: its members, and what each of them calls. The replay also calls on MPI_COMM_WORLD for itself.
cat >"$work/same_calls.py" <<'PYTHON'
import json, sys

def calls_by_communicator(file):
    lines = [json.loads(line) for line in open(file)]
    program, ranks = lines[0], lines[1:]
    found = [[members, [[] for _ in ranks]] for members in program["communicators"]]
    for r, rank in enumerate(ranks):
        for step in rank["steps"]:
            if step[1] != "wait":
                call = program["calls"][step[1]]
                found[call["communicator"]][1][r].append((call["collective"], call["bytes"], call["root"]))
    return found, sum(call["number"] for call in program["calls"])

(recorded, number), (replayed, _) = (calls_by_communicator(file) for file in sys.argv[1:3])
assert number > 0
for communicator in recorded:
    assert communicator in replayed, f"not replayed: {communicator[0]}, {communicator[1][0][:5]} ..."
    replayed.remove(communicator)
assert len(replayed) <= 1, "more than the replay's own calls"
PYTHON

record() { env MPIR_CVAR_COLL_EVENTS_FILE="$work/$1" "$mpiexec" -n 4 "${@:2}"; }
write() { "$changeover" trace "$work/$1" --replay "$work/$1.jsonl" -o "$work/$1.txt"; }
run() { timeout 60 "$mpiexec" -n 4 "$replay" "$@"; }

for kernel in cg fft training; do
    expect_ok "$kernel: mpicc" "$(dirname "$mpiexec")/mpicc" -Wall -Wextra -Werror -O2 "$examples/$kernel.c" -o "$work/$kernel.bin" -lm
    expect_ok "$kernel" record $kernel "$work/$kernel.bin"
    expect_output "$kernel: its result" "largest error"
    expect_ok "$kernel: written" write $kernel
    expect_output "$kernel: says how to go on" "mpiexec -n 4 changeover-replay $work/$kernel.jsonl"
    expect_ok "$kernel: replayed" record $kernel.again "$replay" "$work/$kernel.jsonl" --repeat 1
    expect_output "$kernel: its times" "its collectives, mean of ranks"
    expect_ok "$kernel: the replay is written" write $kernel.again
    expect_ok "$kernel: the same calls" python3 "$work/same_calls.py" "$work/$kernel.jsonl" "$work/$kernel.again.jsonl"
done

# what each of the kernels is for
expect "sub-communicators" grep -q '"communicators":\[.*\[0,1\].*\[0,2\]' "$work/fft.jsonl"
expect "nonblocking calls" grep -q '"collective":"iallreduce".*"wait"' <(tr -d '\n' <"$work/training.jsonl")
expect "approximations are said" grep -q "120 nonblocking" "$work/training.jsonl"

expect_ok "as JSON, without computation" run "$work/cg.jsonl" --format json --compute none --repeat 2
expect "times, twice" python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert len(r["total"]["repetitions_seconds"]) == 2 and r["calls"][0]["replayed_seconds"] > 0, r' "$work/output"
expect_ok "asleep" run "$work/cg.jsonl" --compute sleep --repeat 1
for ((i = 0; i < ${#others[@]}; i += 2)); do
    expect_ok "${others[i]}" timeout 60 "${others[i]}" -n 4 "${others[i + 1]}" "$work/fft.jsonl" --repeat 1
    expect_output "${others[i]}: all calls" "alltoall 64Ki"
done

# ---- what cannot be replayed ----
expect_error "no file" "$work/none: No such file or directory; write it with: changeover trace" run "$work/none"
expect_error "a folder" "$work: it is empty or cannot be read" run "$work"
expect_error "a trace" "it is a trace; write a program from it" run "$work/cg.0.events"
head -c 3000 "$work/training.jsonl" >"$work/cut.jsonl"
expect_error "a file that is cut" "it is cut or is not JSON; write it again" run "$work/cut.jsonl"
sed '3s/\[\[[0-9]*,[0-9]*\],/[/' "$work/cg.jsonl" >"$work/less.jsonl"
expect_error "ranks whose calls differ" "less.jsonl: line 3: the calls of rank 1 on communicator" run "$work/less.jsonl"
expect_error "another number of ranks" "start it with mpiexec -n 4" timeout 60 "$mpiexec" -n 3 "$replay" "$work/cg.jsonl"
expect_error "wrong use" "--repeat" run "$work/cg.jsonl" --repeat 0
expect_error "wrong use" "--compute" run "$work/cg.jsonl" --compute maybe
expect_error "a trace that is not there" "there is no trace" "$changeover" trace "$work/none" --replay "$work/none.jsonl"
expect_ok "help" run --help
expect_output "teaches" "changeover trace /home/me/t --replay app.jsonl"
finish
