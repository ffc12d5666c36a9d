#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The cluster file that init writes is used without an edit: on this machine. What is wrong with hosts is said. (In a lab:
# ../../lab/jobs_test.sh, in Slurm: ../../slurm/jobs_test.sh.)
# usage: init_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1

expect_ok "this machine" "$changeover" init -o "$work/cluster.json"
expect_output "this machine: what next" "changeover tune --cluster $work/cluster.json"
cp "$work/output" "$work/notes"
expect "this machine: says so" grep -q "// Written by changeover init, from this machine." "$work/cluster.json"
expect_ok "it is used" "$changeover" env --cluster "$work/cluster.json"
expect_output "it is used" "changeover patches"
if grep -q '"ch3:sock"' "$work/output"; then
    expect "the device that suits ranks with a core each" grep -q "^Note: the device of this MPICH is ch3:sock, .* take " "$work/notes"
else
    expect "the device suits" sh -c '! grep "^Note: the device" "$1"' sh "$work/notes"
fi
expect_ok "it tunes without an edit" "$changeover" tune --cluster "$work/cluster.json" --collectives bcast --budget 20s --run "$work/run"
expect "it tunes without an edit: verified" grep -q '"verified": true' "$work/run/config.json"
expect_ok "to standard output" "$changeover" init
expect_output "to standard output" '"layouts": "auto"'
expect_ok "facts" "$changeover" facts
expect_output "facts" '"cores":'

# another MPI library of this machine, which env has named
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for name in mpich openmpi; do
    launcher=$(command -v mpiexec.$name) || continue
    expect_ok "env names it" "$changeover" env --cluster "$work/cluster.json"
    expect_output "env names $name" ", $(realpath "$launcher")"
    expect_ok "init for $name" "$changeover" init --mpi "$launcher" -o "$work/$name.json"
    expect_ok "$name is used" "$changeover" env --cluster "$work/$name.json"
    expect_output "$name is used" "can_switch     true"
done
if launcher=$(command -v mpiexec.openmpi) && ((EUID == 0)); then
    expect_error "Open MPI refuses to run as root" "1 of 1 nodes did not answer" \
        env -u OMPI_ALLOW_RUN_AS_ROOT "$changeover" init --mpi "$launcher" -o "$work/never.json"
    expect_output "Open MPI refuses to run as root: its first sentence" "run as root"
fi
expect_error "no launcher" "cannot be tuned" "$changeover" init --mpi /bin/true
printf '# hosts\na:8\n\nb slots=4\nb\n' >"$work/hosts"
expect_error "hosts that nobody can reach" "2 of 2 nodes did not answer; correct their names" \
    "$changeover" init --hostfile "$work/hosts" --launcher-argument=-launcher-exec --launcher-argument=/bin/false -o "$work/never.json"
expect_output "hosts that nobody can reach: each is named" "b does not answer: "
expect "hosts that nobody can reach: no file" test ! -e "$work/never.json"
# a job of PBS: a line for each core of its nodes. Both of them are this machine.
printf 'a\na\nb\nb\n' >"$work/nodes"
printf '#!/bin/sh\n[ "$1" != -x ] || shift\nshift\nexec sh -c "$*"\n' >"$work/ssh"
chmod +x "$work/ssh"
expect_ok "a job of PBS" env PBS_NODEFILE="$work/nodes" "$changeover" init --launcher-argument=-launcher-exec \
    --launcher-argument="$work/ssh" -o "$work/pbs.json"
expect "a job of PBS: says so" grep -q "from the nodes of a job of PBS" "$work/pbs.json"
expect "a job of PBS: each node once" [ "$(grep -c '"name": "[ab]"' "$work/pbs.json")" = 2 ]
: >"$work/empty"
expect_error "an empty file" "has no hosts; write one on each line" "$changeover" init --hostfile "$work/empty"
expect_error "no host name" "-oProxyCommand" "$changeover" init --hosts=-oProxyCommand=x
finish
