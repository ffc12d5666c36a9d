#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The event collectors in real jobs: what is recorded, sampled and lost, on shared nodes and by both schedulers of
# nonblocking calls; clocks that are shifted and drift; folders that cannot be written to.
# usage: events_test.sh MPIEXEC EVENT_WORKLOAD EVENT_FILES SHIFTED_CLOCK
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
mpiexec=$1 workload=$2 files=$3 clock=$4
mkdir "$work/traces"
prefix=$work/traces/t
nodes=(-launcher fork -iface lo -hosts a:2,b:2)

# run RANKS WHAT... [variables in the array `with`]
with=()
run() { env MPIR_CVAR_COLL_EVENTS_FILE="$prefix" "${with[@]}" "$mpiexec" "${nodes[@]}" -n "$1" "$workload" "${@:2}"; }
# record WHAT RANKS PART...     the job works, and the files match; what they hold is in $work/output
record() {
    rm -f "$work"/traces/*
    expect_ok "$1: the job" run "${@:2}"
    expect "$1: nothing is said" [ ! -s "$work/output" ]
    expect "$1: one file a rank" [ "$(ls "$work/traces" | wc -l)" = "$2" ]
    expect_ok "$1: the files" "$files" "$prefix" "$2"
}

# ---- what is recorded ----
record "blocking" 4 allreduces
expect_output "blocking: each call" "rank 3: "
expect_output "blocking: each call" "100 of 100 calls"
expect_output "blocking: start and end" "2 synchronisations"
expect_output "blocking: the algorithm" "allreduce/reduce_scatter_allgather depth 0: 100 calls"

# ---- jobs have a number of their own ----
job() { sed -n 's/^job \([0-9a-f]*\), started at .*/\1/p' "$work/output"; }
first=$(job)
before=$(date +%s)
record "another job" 4 allreduces
expect "another job has another number" [ -n "$first" -a "$first" != "$(job)" ]
started=$(sed -n 's/^job .*, started at \([0-9]*\) s$/\1/p' "$work/output")
expect "its start is today's" [ "$started" -ge "$before" -a "$started" -le "$(date +%s)" ]

record "calls without a message" 4 empty
expect_output "without a message: entry and exit" "rank 3: 20 events, 0 lost, 10 of 10 calls"
expect_output "without a message: the algorithm" "bcast/smp depth 0: 10 calls, 1 sizes, 0 to 0 bytes"

with=(MPIR_CVAR_ALLREDUCE_SMP_MAX_MSG_SIZE=1000000)
record "nested" 4 allreduces
expect_output "nested: around" "allreduce/smp depth 0: 100 calls"
expect_output "nested: in a node" "depth 1, in a node: "
expect_output "nested: between nodes" "depth 1, between nodes: 100 calls"

with=(MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=nb)
record "a blocking call by a nonblocking one" 3 allreduces
expect_output "nb: the outer call" "allreduce/nb depth 0: 100 calls"
expect_output "nb: the inner call" "depth 1 nonblocking: 100 calls"

for algorithms in "sched_binomial sched_recursive_doubling sched_recursive_doubling" \
    "tsp_tree tsp_recexch_single_buffer sched_recursive_doubling" "sched_smp sched_smp sched_recursive_doubling" "tsp_ring tsp_tree sched_recursive_doubling"; do
    read -r ibcast iallreduce ibarrier <<<"$algorithms"
    with=(MPIR_CVAR_IBCAST_INTRA_ALGORITHM="$ibcast" MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM="$iallreduce"
        MPIR_CVAR_IBARRIER_INTRA_ALGORITHM="$ibarrier" MPIR_CVAR_COLLECTIVE_FALLBACK=error)
    [[ $ibcast != sched_smp ]] || with[1]=MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM=auto # its halves have no shared node
    record "$ibcast" 4 overlapping
    expect_output "$ibcast: its name" "ibcast/$ibcast depth 0 nonblocking: 20 calls"
    expect_output "$ibcast: the barrier" "ibarrier/$ibarrier depth 0 nonblocking: 20 calls"
    expect_output "$ibcast: on each half" "depth 0 nonblocking: 40 calls"
done

with=()
record "communicators" 3 communicators
expect_output "communicators: each with its own for its two nodes" "50 of 50 calls, 150 communicators"

record "threads" 3 threads
expect_output "threads: of both" "800 of 800 calls"
expect_output "threads: nonblocking ones" "depth 0 nonblocking: 400 calls"

# ---- sampling ----
with=(MPIR_CVAR_COLL_EVENTS_EVERY=3)
record "every third" 4 barriers
expect_output "every third" "334 of 1000 calls"
with=(MPIR_CVAR_COLL_EVENTS_COLLECTIVES=allreduce,ibcast)
record "chosen collectives" 4 sizes
expect_output "chosen collectives: calls" "30 of 60 calls"
with=(MPIR_CVAR_COLL_EVENTS_COLLECTIVES=allreduce MPIR_CVAR_COLL_EVENTS_MIN_BYTES=100 MPIR_CVAR_COLL_EVENTS_MAX_BYTES=1000)
record "chosen sizes" 4 sizes
expect_output "chosen sizes: calls" "10 of 60 calls"
expect_output "chosen sizes: bytes" "10 calls, 1 sizes, 800 to 800 bytes"
with=()
record "resting" 2 resting
expect_output "resting: calls" "10 of 20 calls"
expect_output "resting: which" "10 calls, 1 sizes, 100 to 100 bytes"
with=(MPIR_CVAR_COLL_EVENTS_MAX=1024)
record "more than there is room for" 4 barriers
expect_output "lost: what is kept" "rank 0: 1024 events, 11976 lost, 1000 of 1000 calls"
with=(MPIR_CVAR_COLL_EVENTS_COLLECTIVES=bcast,broadcast)
expect_ok "an unknown collective" run 2 barriers
expect_output "an unknown collective: warning" "there is no collective 'broadcast'; use names such as"
expect "an unknown collective: one line" [ "$(wc -l <"$work/output")" = 1 ]

# ---- clocks ----
with=(LD_PRELOAD="$clock")
record "shifted clocks" 4 waiting
expect_output "shifted clocks: nothing arrives before it was sent" "aligned: 0 early"

# ---- files ----
with=()
rm -f "$work"/traces/*
expect_ok "write when asked" run 2 allreduces write
expect_output "write when asked: it says so" "written: 1"
expect_error "a job that is killed leaves what was written" "BAD TERMINATION" run 2 allreduces write abort
expect_ok "a job that is killed" "$files" "$prefix" 2
expect_output "a job that is killed: before" "100 of 100 calls"
expect "a job that is killed: both files are its own" [ "$(grep -c ' 1 synchronisations' "$work/output")" = 2 ]
# the files of two jobs would be taken for those of one
expect_error "a job that is killed before it writes" "BAD TERMINATION" run 2 allreduces abort
expect "a job that is killed before it writes: no file of an earlier job is left" [ -z "$(ls "$work/traces")" ]

# mpiexec does not end the others by itself: they find out, and are not stuck in what records their messages
rm -f "$work"/traces/*
timeout 60 env MPIR_CVAR_COLL_EVENTS_FILE="$prefix" "$mpiexec" -disable-auto-cleanup -launcher fork -iface lo -hosts a,b \
    -n 2 "$workload" allreduces die >"$work/output" 2>&1
status=$?
expect "a rank that dies: an error (exit $status), for the others, too" [ "$status" != 0 -a "$status" != 124 ]

one_warning() { # WHAT PATTERN
    expect "$1: one warning" [ "$(grep -c '^MPICH: MPIR_CVAR_COLL_EVENTS_FILE=' "$work/output")" = 1 ]
    expect_output "$1: why" "$2"
}
rm -f "$work"/traces/*
prefix=$work/missing/t
expect_ok "no such folder" run 4 allreduces
one_warning "no such folder" "No such file or directory; name a folder that all processes can write to"
expect "no such folder: nothing is made" [ ! -e "$work/missing" ]
mkdir "$work/gone"
prefix=$work/gone/t
with=(TEST_FOLDER="$work/gone")
expect_ok "a folder that goes" run 4 allreduces no-folder
one_warning "a folder that goes" "cannot write its events: No such file or directory"
prefix=$work/traces/t
with=()
# as on a full disk: longer files than this cannot be written. ThreadSanitizer does not survive that for a file of its own,
# which it does without if there is no such folder.
limited() { (trap '' XFSZ; ulimit -f 24; export TEST_TMPDIR=/nonexistent; run "$@"); }
expect_ok "no room" limited 4 allreduces
one_warning "no room" "cannot write its events: "
expect "no room: no half file" [ -z "$(ls "$work/traces")" ]
echo mine >"$work/mine"
ln -s "$work/mine" "$prefix.0.events"
expect_ok "a link in the place of a file" run 2 allreduces
expect "a link: not followed" [ "$(cat "$work/mine")" = mine ]
expect_ok "a link: replaced" "$files" "$prefix" 2

# ---- off ----
rm -f "$work"/traces/*
expect_ok "off" "$mpiexec" -n 2 "$workload" allreduces write
expect_output "off: there is nothing to write" "written: 0"
finish
