#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Emitted files, given to real libraries: they do what `explain` says, and nothing breaks.
# usage: emit_library_test.sh patched MPIEXEC EMIT_TOOL CHANGEOVER_WHICH
#        emit_library_test.sh unpatched|unpatched_long MPIEXEC EMIT_TOOL LIBRARY_BEHAVIOUR UCX_MESSAGES [TARGET]
#        emit_library_test.sh preload MPIEXEC EMIT_TOOL LIBRARY_BEHAVIOUR UCX_MESSAGES LIBCHANGEOVER_PRELOAD [preload-flat]
#        emit_library_test.sh later MPIEXEC EMIT_TOOL LIBRARY_BEHAVIOUR UCX_MESSAGES TARGET
# later: algorithms that 4.0 does not have, against the same ones by control variables
# preload-flat: for a library that takes each rank for a node, so that smp algorithms are not legal
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../../support/shell.sh"
library=$1 mpiexec=$2 tool=$3 program=$4
collectives=(bcast allreduce allgather alltoall)
flat=(-launcher fork -iface lo -hosts a:1,b:1,c:1,d:1 -n 4)
shared=(-launcher fork -iface lo -hosts a:2,b:2,c:2,d:2 -n 8)
file_variable=MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE

"$tool" config >"$work/config.json"
target=
[[ $library != unpatched* ]] || target=${6:-}
"$tool" emit mpich-stock "$work/config.json" 4 1 "" "$target" >"$work/stock.json"

# compare WHAT     $work/got is $work/wanted, which has at least six lines
compare() {
    cases=$((cases + 1))
    if [[ $(wc -l <"$work/wanted") -lt 6 ]] || ! diff "$work/wanted" "$work/got" >"$work/output" 2>&1; then
        fail_case "$1: expected (<) and found (>) differ"
    fi
}

test_patched() {
    which() { "$mpiexec" "${@:3}" "$program" "$1" --bytes "$2" | awk 'NR > 2 {print $1, $2}'; }
    for ppn in 1 2; do
        layout=("${flat[@]}")
        ((ppn == 1)) || layout=("${shared[@]}")
        "$tool" emit env "$work/config.json" 4 $ppn >"$work/env"
        for collective in "${collectives[@]}"; do
            for format in env mpich-stock; do
                "$tool" expect $format "$work/config.json" 4 $ppn $collective | cut -d' ' -f1,2 >"$work/wanted"
                sizes=$(cut -d' ' -f1 "$work/wanted" | paste -sd,)
                if [[ $format == env ]]; then
                    (. "$work/env" && which $collective "$sizes" "${layout[@]}") >"$work/got"
                else
                    (export $file_variable="$work/stock.json" && which $collective "$sizes" "${layout[@]}") >"$work/got"
                fi
                compare "$collective on 4x$ppn by $format"
            done
            # on another layout the file changes nothing
            sizes=1,300,5000,20000,200000
            which $collective $sizes -launcher fork -iface lo -hosts a:3,b:3 -n 6 >"$work/wanted"
            echo >>"$work/wanted" # compare wants six lines
            (export $file_variable="$work/stock.json" &&
                which $collective $sizes -launcher fork -iface lo -hosts a:3,b:3 -n 6 && echo) >"$work/got"
            compare "$collective on 2x3 by mpich-stock"
        done
    done
}

# compare_messages FORMAT VARIABLE=VALUE...    with these variables, each collective sends the messages of its rule; without, others
compare_messages() {
    local changed=0 ppn layout collective sizes
    for ppn in 1 2; do
        layout=("${flat[@]}")
        ((ppn == 1)) || layout=("${shared[@]}")
        for collective in "${collectives[@]}"; do
            "$tool" expect "$1" "$work/config.json" 4 $ppn $collective | cut -d' ' -f1,3 >"$work/wanted"
            mapfile -t sizes < <(cut -d' ' -f1 "$work/wanted")
            LD_PRELOAD=$ucx_messages "$mpiexec" "${layout[@]}" "$program" $collective "${sizes[@]}" >"$work/got"
            cmp -s "$work/wanted" "$work/got" || changed=$((changed + 1))
            env "${@:2}" "$mpiexec" "${layout[@]}" "$program" $collective "${sizes[@]}" >"$work/got"
            compare "messages of $collective on 4x$ppn"
        done
    done
    expect "without they are others" test $changed -ge 6
}

# The device's own compositions come first on ch4, and would hide what MPICH's tree does; off, that tree chooses
# for the user's communicators. (On one node they crash in an MPI_Reduce in place, with and without a file.)
test_unpatched() {
    export UCX_NET_DEVICES=lo MPIR_CVAR_DEVICE_COLLECTIVES=none
    compare_messages unpatched LD_PRELOAD="$ucx_messages" $file_variable="$work/stock.json"

    export $file_variable="$work/stock.json"
    for ranks in 1 3; do
        expect_ok "all collectives on $ranks ranks of one node" timeout 120 "$mpiexec" -n $ranks "$program"
    done
    expect_ok "all collectives on 4x1" timeout 120 "$mpiexec" "${flat[@]}" "$program"
    expect_ok "all collectives on 4x2" timeout 240 "$mpiexec" "${shared[@]}" "$program"
}

test_unpatched_long() {
    export UCX_NET_DEVICES=lo $file_variable="$work/stock.json"
    for ranks in 2 4 5 6 7 8; do
        expect_ok "all collectives on $ranks ranks of one node" env MPIR_CVAR_DEVICE_COLLECTIVES=none \
            timeout 240 "$mpiexec" -n $ranks "$program"
    done
    expect_ok "4x1, device's compositions first" timeout 240 "$mpiexec" "${flat[@]}" "$program"
    expect_ok "4x2, device's compositions first" timeout 240 "$mpiexec" "${shared[@]}" "$program"
}

# The rules of the tuning file itself
test_preload() {
    export UCX_NET_DEVICES=lo MPIR_CVAR_DEVICE_COLLECTIVES=none
    "$tool" emit mpich "$work/config.json" 4 1 >"$work/tuning.json"
    compare_messages "$format" LD_PRELOAD="$preload:$ucx_messages" MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json"
    export LD_PRELOAD=$preload MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json"
    expect_ok "all collectives on 3 ranks of one node" timeout 120 "$mpiexec" -n 3 "$program"
    expect_ok "all collectives on 4x2" timeout 240 "$mpiexec" "${shared[@]}" "$program"
}

# same_messages COLLECTIVE BYTES VARIABLE=VALUE...    with the file as with these control variables
same_messages() {
    local counted=("$mpiexec" "${shared[@]}" "$program" "$1" "$2" "$2")
    (export LD_PRELOAD=$ucx_messages && env "${@:3}" "${counted[@]}") >"$work/wanted"
    (export LD_PRELOAD=$ucx_messages && env $file_variable="$work/later.json" "${counted[@]}") >"$work/got"
    cases=$((cases + 1))
    if [[ $(wc -l <"$work/wanted") -ne 2 ]] || ! diff "$work/wanted" "$work/got" >"$work/output" 2>&1; then
        fail_case "messages of $1 of $2 bytes, ${*:3}: expected (<) and found (>) differ"
    fi
    (export LD_PRELOAD=$ucx_messages && "${counted[@]}") >"$work/output"
    cmp -s "$work/output" "$work/got" || changed=$((changed + 1))
}

test_later() {
    export UCX_NET_DEVICES=lo MPIR_CVAR_DEVICE_COLLECTIVES=none
    "$tool" later >"$work/later-config.json"
    "$tool" emit mpich-stock "$work/later-config.json" 4 2 "" "$6" >"$work/later.json"
    expect "no rule is left out" test "$(grep -c 'left out' "$work/later.json")" = 0
    local changed=0 v=MPIR_CVAR
    same_messages barrier 0 ${v}_BARRIER_INTRA_ALGORITHM=recexch ${v}_BARRIER_RECEXCH_KVAL=4
    same_messages bcast 8192 ${v}_BCAST_INTRA_ALGORITHM=tree
    same_messages bcast 16384 ${v}_BCAST_INTRA_ALGORITHM=tree ${v}_BCAST_TREE_KVAL=4
    same_messages bcast 24576 ${v}_BCAST_INTRA_ALGORITHM=pipelined_tree ${v}_BCAST_TREE_PIPELINE_CHUNK_SIZE=1024
    same_messages allgather 8192 ${v}_ALLGATHER_INTRA_ALGORITHM=k_brucks ${v}_ALLGATHER_BRUCKS_KVAL=4
    same_messages allgather 16384 ${v}_ALLGATHER_INTRA_ALGORITHM=recexch_doubling ${v}_ALLGATHER_RECEXCH_KVAL=4
    same_messages allgather 24576 ${v}_ALLGATHER_INTRA_ALGORITHM=recexch_halving
    same_messages alltoall 8192 ${v}_ALLTOALL_INTRA_ALGORITHM=k_brucks
    same_messages alltoall 16384 ${v}_ALLTOALL_INTRA_ALGORITHM=k_brucks ${v}_ALLTOALL_BRUCKS_KVAL=4
    same_messages allreduce 8192 ${v}_ALLREDUCE_INTRA_ALGORITHM=tree ${v}_ALLREDUCE_TREE_KVAL=4
    same_messages allreduce 16384 ${v}_ALLREDUCE_INTRA_ALGORITHM=tree ${v}_ALLREDUCE_TREE_PIPELINE_CHUNK_SIZE=1024
    same_messages allreduce 24576 ${v}_ALLREDUCE_INTRA_ALGORITHM=recexch ${v}_ALLREDUCE_RECEXCH_KVAL=4
    same_messages allreduce 32768 ${v}_ALLREDUCE_INTRA_ALGORITHM=ring
    same_messages allreduce 45056 ${v}_ALLREDUCE_INTRA_ALGORITHM=k_reduce_scatter_allgather ${v}_ALLREDUCE_RECEXCH_KVAL=4
    expect "without they are others" test "$changed" -ge 10
    export $file_variable="$work/later.json"
    expect_ok "all collectives on 4x2" timeout 240 "$mpiexec" "${shared[@]}" "$program"
}

ucx_messages=${5:-} preload=${6:-} format=${7:-preload}
test_"$library" "$@"
finish
