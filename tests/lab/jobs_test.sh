#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Jobs in a lab: MPICH's and Open MPI's launchers, over the network that was chosen; the tuner with the lab's cluster file.
# usage: jobs_test.sh MPIEXEC BENCH CHANGEOVER [OPENMPI_MPIRUN OPENMPI_BENCH]
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"
mpiexec=$1 bench=$2 changeover=$3

in_head() { "$lab" exec $one head timeout 60 "$@"; }
bytes_sent() { "$lab" exec $one n1 cat "/sys/class/net/$1/statistics/tx_bytes"; } # NETWORK
bcast=(bcast --sizes 1Mi --algorithms default --start barrier --min-repetitions 5 --max-repetitions 5)

# A megabyte goes from n1 to n2 five times and more: over this network, and next to nothing over the other
expect_over() { # NETWORK OTHER COMMAND...
    local this other
    this=$(bytes_sent "$1") other=$(bytes_sent "$2")
    expect_ok "$3 over $1" in_head "${@:3}"
    expect_output "$3 ran on two nodes" "ranks: 4, nodes: 2 (n1:2,n2:2)"
    expect "$3 used $1" test $(($(bytes_sent "$1") - this)) -ge 5000000
    expect "$3 did not use $2" test $(($(bytes_sent "$2") - other)) -le 100000
}

expect_ok "up" "$lab" up --nodes 2 --slots 2 $one
cluster=/run/changeover-lab/$one/cluster.json
for networks in "eth fast" "fast eth"; do
    read -r this other <<<"$networks"
    expect_over "$this" "$other" "$mpiexec" -localhost head-$this -hosts n1-$this:2,n2-$this:2 -n 4 "$bench" "${bcast[@]}"
    if (($# == 5)); then
        # programs that were built with sanitizers are told of Open MPI's own leaks
        expect_over "$this" "$other" "$4" ${LSAN_OPTIONS:+-x LSAN_OPTIONS} --allow-run-as-root --host n1-$this:2,n2-$this:2 -np 4 \
            --mca btl_tcp_if_include $this --mca oob_tcp_if_include $this --mca mpi_yield_when_idle 1 "$5" "${bcast[@]}"
    else
        echo "skipped: changeover-bench-openmpi is missing (install Open MPI: scripts/setup --tests)"
    fi
done

# the lab's ssh
ssh=/run/changeover-lab/$one/ssh
expect "it goes where it should, through a shell" test "$(in_head $ssh -x n2-fast 'echo "$(hostname)";' exit)" = n2
expect "without the environment" test "$(SECRET=1 "$lab" exec $one head $ssh n1 'echo $SECRET')" = ""
"$lab" link $one n2 down fast
expect_error "a node that is cut off" "n2-fast of the lab $one does not answer" in_head $ssh n2-fast hostname
"$lab" link $one n2 up
expect_error "from outside" "inside of the lab" $ssh n2-fast hostname

# ending what a job left
token=$(printf '%032x' $$)
job() { CHANGEOVER_JOB=$token in_head "$mpiexec" -hosts n1-eth,n2-eth -n 2 "$@"; }
job sh -c 'trap "" TERM; while :; do sleep 1; done' >/dev/null 2>&1 &
for _ in {1..100}; do
    (($(grep -lsz "^CHANGEOVER_JOB=$token" /proc/[0-9]*/environ | wc -l) < 6)) || break
    sleep 0.05
done
expect_ok "reap" in_head "$mpiexec" -hosts n1-eth,n2-eth -n 2 "$changeover" reap "$token"
wait $!
expect "nobody is left" test -z "$(grep -lsz "^CHANGEOVER_JOB=$token" /proc/[0-9]*/environ)"

# a cluster file from the names of the nodes
expect_ok "changeover init" in_head "$changeover" init --hosts "n[1-2]" -o "$work/cluster.json"
for network in eth fast; do
    expect "init finds $network" grep -q "{\"name\": \"$network\", \"interface\": \"$network\"}" "$work/cluster.json"
done
expect_ok "which is used without an edit" in_head "$changeover" env --cluster "$work/cluster.json"
expect "on every network and layout" test -z "$(grep Error "$work/output")"
printf 'n1:2\nn2:2\n' >"$work/hosts"
expect_ok "from a file of hosts" in_head "$changeover" init --hostfile "$work/hosts" -o "$work/hosts.json"
expect_ok "which tunes without an edit" in_head "$changeover" tune --cluster "$work/hosts.json" --collectives bcast --budget 25s --run "$work/of_hosts"
for network in eth fast; do
    expect "on $network" grep -q "\"network\":\"$network\".*\"status\":\"measured\"" "$work/of_hosts/samples.jsonl"
done
expect_error "a node that is not there" "n3 does not answer" in_head "$changeover" init --hosts "n[1-3]"

# the tuner
expect_ok "changeover env" in_head "$changeover" env --cluster "$cluster"
for cell in "eth 2x1" "eth 2x2" "fast 2x1" "fast 2x2"; do
    expect_output "changeover env" "$cell"
done
expect "changeover env starts everything" test -z "$(grep Error "$work/output")"
echo '{"collectives": [{"name": "bcast", "max_bytes": 4096}], "size_step": 64, "case_seconds": 0.02, "min_repetitions": 6, "verify_repetitions": 10}' >"$work/plan.json"
expect_ok "changeover tune" in_head "$changeover" tune --cluster "$cluster" --plan "$work/plan.json" --run "$work/run"
for network in eth fast; do
    expect "cases of $network were measured" grep -q "\"network\":\"$network\".*\"status\":\"measured\"" "$work/run/samples.jsonl"
done

# a tuning file with rules of both networks, and no variable: each job uses those of the network that it runs on
which=$(dirname "$changeover")/changeover-which
python3 - "$work/run/tuning.json" "$work/tuning.json" <<'PYTHON'
import json, sys
file = json.load(open(sys.argv[1]))
file["mpir"] = [{"collective": "bcast", "network": network, "algorithm": algorithm}
                for network, algorithm in (("eth", "binomial"), ("fast", "scatter_ring_allgather"))]
json.dump(file, open(sys.argv[2], "w"))
PYTHON
for row in "eth 0" "fast 1"; do
    read -r network rule <<<"$row"
    job=("$mpiexec" -localhost head-$network -hosts n1-$network:2,n2-$network:2 -n 4 "$which" bcast --bytes 100)
    expect_ok "a job on $network" in_head env MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json" "${job[@]}"
    expect_output "uses its rule" "rule /mpir/$rule"
    expect "without a word" test "$(grep -c '^MPICH: .*/networks' "$work/output")" = 0
done
expect_ok "the wrong name" in_head env MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json" MPIR_CVAR_COLL_TUNING_NETWORK=eth "${job[@]}"
expect_output "is told" "MPIR_CVAR_COLL_TUNING_NETWORK=eth, but this job uses "
expect_output "with the right one" " (fast), which is fast; its rules may not fit"
expect_ok "down" "$lab" down $one
expect_unchanged "after jobs"
finish
