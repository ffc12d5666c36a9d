#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random legal rules of the layers of a ch4 device, each file in real jobs on one node and on two: the library accepts it,
# all results are right, and what ran is what `explain` says.
# usage: device_rules_test.sh FILES MPIEXEC DEVICE_RULES EMIT_TOOL CHANGEOVER_BENCH CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
files=$1 mpiexec=$2 rules=$3 tool=$4 bench=$5 changeover=$6

requests() { # ROOT
    local few='"algorithms": ["tuned"], "min_repetitions": 2, "max_repetitions": 2, "warm_up": 1'
    local sizes=[64,1000,4096,32768] collective
    for collective in bcast reduce; do
        echo "{\"collective\": \"$collective\", \"bytes\": $sizes, \"root\": $1, $few}"
    done
    echo "{\"collective\": \"allreduce\", \"bytes\": $sizes, $few}"
    echo "{\"collective\": \"barrier\", \"bytes\": [0], $few}"
}
calls=0
for ((seed = 1; seed <= files; seed++)); do
    nodes=$((1 + seed % 2)) ppn=$((2 + seed / 2 % 2 * (2 - nodes)))
    "$rules" config $seed $nodes $ppn >"$work/config.json"
    expect_ok "seed $seed: emit" "$tool" emit mpich "$work/config.json" $nodes $ppn
    cp "$work/output" "$work/tuning.json"
    if ((seed == 1)); then
        expect_ok "lint" "$changeover" lint "$work/tuning.json"
        expect "lint: no error" test -z "$(grep ^error "$work/output")"
    fi
    hosts=$(for ((i = 0; i < nodes; i++)); do echo "n$i:$ppn"; done | paste -sd,)
    requests $((seed % (nodes * ppn))) >"$work/requests"
    MPIR_CVAR_COLL_TUNING_FILE=$work/tuning.json MPIR_CVAR_COLL_TUNING_NETWORK=eth \
        "$mpiexec" -launcher fork -iface lo -hosts "$hosts" -n $((nodes * ppn)) "$bench" --serve --start barrier \
        <"$work/requests" >"$work/samples" 2>"$work/errors"
    expect "seed $seed: the library accepts the file" test "$(grep -c 'built-in selection is used' "$work/errors")" = 0
    expect_ok "seed $seed, ${nodes}x$ppn: results are right, and explain is" sh -c \
        '"$1" check "$2" "$3" "$4" <"$5"' sh "$rules" "$work/config.json" $nodes $ppn "$work/samples"
    calls=$((calls + $(sed -n 's/.* of \([0-9]*\)$/\1/p' "$work/output" | tail -n 1)))
done
echo "$files files, $calls cases"
finish
