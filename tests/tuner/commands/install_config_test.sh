#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rules of a run become the file that all jobs of an installation read, and the file before it does again.
# usage: install_config_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1
prefix=$work/prefix
file=$prefix/etc/changeover/tuning.json

cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [{"name": "net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1", "FAKE_TIMES_FILE": "$work/times.json",
                                                         "FAKE_HEADER": "{\\"library\\": \\"MPICH Version: 4.0.2; changeover patches\\"}"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
echo '{"collectives": [{"name": "bcast", "max_bytes": "64Ki"}], "size_step": 8}' >"$work/plan.json"
tune() { # RUN TIME_OF_RING
    echo "{\"bcast\": {\"default\": [100, 0, \"binomial\"], \"binomial\": [100, 0], \"scatter_ring_allgather\": [$2, 0]}}" >"$work/times.json"
    "$changeover" "$3" --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$work/$1"
}
install=("$changeover" install-config --prefix "$prefix")

expect_ok "nothing is installed" "${install[@]}" --status
expect_output "nothing is installed" "$file: not installed"
expect_ok "a run" tune first 50 run
expect_error "a run without rules" "config.json" "${install[@]}" --run "$work/first"
expect_ok "rules" "$changeover" decide --run "$work/first"
expect_error "rules that are not verified" "are not verified; try: changeover verify --run $work/first" "${install[@]}" --run "$work/first"
expect "rules that are not verified: are not installed" test ! -e "$file"
expect_ok "verified rules" tune first 50 tune
expect_ok "install" "${install[@]}" --run "$work/first"
expect_output "install" "$file now has the rules of $work/first"
expect "install: the file" cmp "$work/first/tuning.json" "$file"
expect_output "install: status" " rules, checksum fnv1a-"
expect_output "install: who reads it" "Jobs of the MPICH in $prefix read it"
expect_ok "install again" "${install[@]}" --run "$work/first"
expect_output "install again" "has these rules already"

expect_ok "another run" tune second 60 tune
expect_ok "install another one" "${install[@]}" --run "$work/second"
expect "install another one: the file" cmp "$work/second/tuning.json" "$file"
expect_output "install another one: the first is kept" "before it: 1 files; back to the last one: --rollback"
expect_ok "roll back" "${install[@]}" --rollback
expect "roll back: the file" cmp "$work/first/tuning.json" "$file"
expect_error "no further" "no file before" "${install[@]}" --rollback
expect_ok "a variable of the user" env MPIR_CVAR_COLL_TUNING_FILE=/own.json "${install[@]}" --status
expect_output "a variable of the user" "Note: it is set here: /own.json"
if ((EUID != 0)); then
    mkdir -p "$work/closed" && chmod 555 "$work/closed"
    expect_error "a closed folder" "run it as the owner of the installation" "$changeover" install-config --run "$work/first" --prefix "$work/closed"
fi
finish
