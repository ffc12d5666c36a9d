#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A tuning file of two networks and four layouts, in real jobs: on each network the library uses, on the world and on
# its parts, exactly what `explain` says of every size around every edge, and every rule is used somewhere.
# usage: tuning_file_test.sh faked|lab MPIEXEC EMIT_TOOL CHANGEOVER_WHICH CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
place=$1 mpiexec=$2 tool=$3 which=$4 changeover=$5
if [[ $place == lab ]]; then
    source "$here/../../lab/lab.sh"
    expect_ok "up" "$lab" up --nodes 4 --slots 2 --network eth:100mbit --network fast $one
    job() { "$lab" exec $one head timeout 60 "$mpiexec" -localhost "head-$network" "$@"; } # which has the environment
    host() { echo "$1-$network"; }
else
    source "$here/../../support/shell.sh"
    job() { "$mpiexec" -launcher fork -iface lo "$@"; }
    host() { echo "$1"; }
fi
hosts() { # NODES PPN
    local i list=
    for ((i = 1; i <= $1; i++)); do list+=${list:+,}$(host n$i):$2; done
    echo "$list"
}

"$tool" two-networks >"$work/config.json"
"$tool" emit mpich "$work/config.json" 4 1 >"$work/tuning.json"
expect_ok "lint" "$changeover" lint "$work/tuning.json"
expect "lint: no error" test -z "$(grep ^error "$work/output")"
sed -i 's/"version": 1/"version": 2/' "$work/tuning.json"
expect_error "lint of another version" "error: /version: this library reads version 1" "$changeover" lint "$work/tuning.json"
sed -i 's/"version": 2/"version": 1/' "$work/tuning.json"

export MPIR_CVAR_COLL_TUNING_FILE=$work/tuning.json
# agree NODES PPN PART NODES_OF_PART PPN_OF_PART
agree() {
    for collective in bcast allreduce allgather alltoall; do
        "$tool" expect mpich "$work/config.json" "$4" "$5" $collective $network | cut -d' ' -f1,2 >"$work/wanted"
        sizes=$(cut -d' ' -f1 "$work/wanted" | paste -sd,)
        job -hosts "$(hosts "$1" "$2")" -n $(($1 * $2)) "$which" $collective --bytes "$sizes" --on "$3" >"$work/output" 2>&1
        grep -o 'rule /mpir/[0-9]*' "$work/output" >>"$work/rules"
        awk 'NR > 2 {print $1, $2}' "$work/output" >"$work/got"
        expect "$collective on the $3 of $1x$2, network $network" diff "$work/wanted" "$work/got"
        expect "there were sizes" test "$(wc -l <"$work/wanted")" -ge 4
    done
}
for network in eth fast; do
    export MPIR_CVAR_COLL_TUNING_NETWORK=$network
    agree 4 1 world 4 1
    agree 4 2 world 4 2
    agree 2 2 world 2 2
    agree 4 2 node 1 2
    agree 4 2 even 4 1
    agree 4 2 half 2 2
done
rules=$(grep -c '^{"collective"' "$work/tuning.json")
expect "there are rules" test "$rules" -ge 20
expect "each of the $rules rules was used" test "$(sort -u "$work/rules" | wc -l)" = "$rules"
[[ $place != lab ]] || expect_ok "down" "$lab" down $one
finish
