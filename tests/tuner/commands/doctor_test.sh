#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# doctor on this machine. (Faults of nodes and networks: ../../lab/doctor_test.sh.)
# usage: doctor_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1
# Other tests keep the cores busy, and machines have their governors: none of the faults below
doctor() {
    "$changeover" doctor "$@" >"$work/output" 2>&1
    local status=$?
    cat "$work/output" >>"$work/all"
    ((status == 0 || status == 3)) || echo "exit $status" >>"$work/output"
}
found() { grep -q "^FOUND  $1" "$work/output"; }
fine() { grep -q "^fine   $1" "$work/output"; }

mkdir "$work/folder"
doctor --run "$work/folder/run"
for check in launcher hardware benchmark "MPI library" interfaces cores clocks speed "run directory" connections; do
    expect "this machine: $check" fine "$check"
done
expect "this machine: nothing is left in the folder" test -z "$(ls -A "$work/folder")"
doctor --fake-nodes 2 --run "$work/run"
expect "faked nodes: connections" fine connections
doctor --ranks 1000 --run "$work/run"
expect "more ranks than cores" found cores

cat >"$work/cluster.json" <<'JSON'
{"hosts": [{"name": "a", "slots": 2}], "launcher": {"kind": "hydra-fork"}, "mpi": {"benchmark": "/no/such/bench"},
 "layouts": [{"nodes": 1, "ppn": 2}]}
JSON
doctor --cluster "$work/cluster.json" --run /proc/none
expect "no benchmark" found "benchmark      a: the benchmark does not run: /no/such/bench "
expect "no benchmark: no job is tried" grep -q "^not tried: connections" "$work/output"
expect "a folder that cannot be written" found "run directory  $(hostname): this command cannot write to /proc: "
"$changeover" doctor --cluster "$work/cluster.json" >/dev/null 2>&1
expect "the exit code says so" test $? = 3
expect_error "no such cluster file" "missing.json" "$changeover" doctor --cluster "$work/missing.json"

sed 's/"launcher": {[^}]*}/"launcher": {"kind": "hydra", "arguments": ["-launcher-exec", "\/bin\/false"]}/' "$work/cluster.json" >"$work/ssh.json"
doctor --cluster "$work/ssh.json" --run "$work/run"
expect "a launcher that fails" found "launcher       a: does not answer: "
expect "with the command to try" grep -q -- "-launcher-exec /bin/false -hosts a:1 -n 1 .*/changeover --version" "$work/output"
finish
