#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Open MPI of another release of Debian on two nodes of a lab, where coll/han takes calls before coll/tuned: what the
# benchmark forces is what runs, and so are the rules that are emitted, by the messages that are sent.
# usage: other_openmpi_test.sh SUITE EMIT_TOOL OPENMPI_BEHAVIOUR CHANGEOVER_BENCH OPENMPI_MESSAGES_TEST
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"
suite=$1 tool=$2 behaviour=$3 bench=$4 messages_test=$5
other_mpi=$(realpath "$(dirname "$0")/../../scripts/other-mpi")

expect_ok "the libraries of $suite" "$other_mpi" up "$suite"
mkdir "$work/lib" # what the programs need besides, which that release may not have
ldd "$behaviour" "$bench" | awk '/libfmt/ {print $3}' | xargs -I{} cp {} "$work/lib"
export LD_LIBRARY_PATH=$work/lib

# mpiexec in the folder of the suite starts its daemons on a node through the lab, and again in that folder: out by the
# mounts of the process that has started it
settings="OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 LD_LIBRARY_PATH=$LD_LIBRARY_PATH"
cat >"$work/agent" <<SCRIPT
#!/bin/bash
while [[ \${1:-} == -* ]]; do shift; done
printf -v command '%q' "\${*:2}"
exec nsenter --mount --target "\$OUTSIDE" -- "\$CHANGEOVER_LAB/ssh" "\$1" "exec $other_mpi exec $suite env $settings sh -c \$command"
SCRIPT
cat >"$work/mpiexec" <<SCRIPT
#!/bin/bash
OUTSIDE=\$\$ PRTE_MCA_plm_ssh_agent=$work/agent $other_mpi exec $suite env $settings mpiexec.openmpi "\$@"
SCRIPT
chmod +x "$work/agent" "$work/mpiexec"

expect_ok "up" "$lab" up --nodes 2 --slots 2 --network eth $one
on_two_nodes() { # VARIABLE=VALUE... -- PROGRAM ...
    local variables=()
    while [[ $1 != -- ]]; do variables+=(-x "$1") && shift; done
    "$lab" exec $one head timeout 120 "$work/mpiexec" --host n1-eth:2,n2-eth:2 --map-by ppr:2:node --mca btl_tcp_if_include eth \
        --mca mpi_yield_when_idle 1 "${variables[@]}" -n 4 "${@:2}" 2>"$work/errors"
}

# ---- what is forced runs, not coll/han
on_two_nodes OMPI_MCA_coll_tuned_use_dynamic_rules=1 -- "$bench" --serve </dev/null | head -1 >"$work/header.json"
expect "there are two nodes" grep -q '"node_of_rank":\["n1","n1","n2","n2"\]' "$work/header.json"
on_two_nodes OMPI_MCA_coll_tuned_use_dynamic_rules=1 -- "$messages_test" --gtest_filter=OpenMpi.SendsTheMessagesOfTheSchedule \
    >"$work/output" 2>&1
expect "all schedules were tried" grep -q '1 test from 1 test suite ran' "$work/output"
# names that are others since 6.0 are not found; what is found has its messages
expect "the messages are those of the schedules" test "$(grep -c ' bytes, root ' "$work/output")" = 0

# ---- rules
"$tool" openmpi-config "$work/header.json" >"$work/config.json"
format=openmpi
! grep -q '"library":"Open MPI v6' "$work/header.json" || format=openmpi-json
"$tool" emit $format "$work/config.json" 1 4 >"$work/rules"
"$tool" emit openmpi-han "$work/config.json" 1 4 >"$work/rules.han"
tuned=(OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename="$work/rules")
han=(OMPI_MCA_coll_han_use_dynamic_file_rules=1 OMPI_MCA_coll_han_dynamic_rules_filename="$work/rules.han")
for collective in bcast reduce allreduce allgather allgatherv alltoall reduce_scatter reduce_scatter_block barrier; do
    "$tool" expect openmpi "$work/config.json" 1 4 $collective >"$work/expected"
    mapfile -t sizes < <(cut -d' ' -f1 "$work/expected")
    on_two_nodes OMPI_MCA_coll_tuned_use_dynamic_rules=0 -- "$behaviour" $collective "${sizes[@]}" | cut -d' ' -f1,2 >"$work/plain"
    on_two_nodes "${tuned[@]}" "${han[@]}" -- "$behaviour" $collective "${sizes[@]}" | cut -d' ' -f1,2 >"$work/got"
    awk 'NR == FNR {plain[$1] = $2; next} {print $1, $2 == "default" ? plain[$1] : $3}' "$work/plain" \
        "$work/expected" >"$work/wanted"
    expect "$collective: expected (<) and found (>) messages" diff "$work/wanted" "$work/got"
    expect "$collective: the rules change it" test "$(cat "$work/plain")" != "$(cat "$work/got")"
done
# without the second file coll/han goes on: where there are rules, they are not what runs
"$tool" expect openmpi "$work/config.json" 1 4 bcast | awk '$2 != "default" {print $1, $3}' >"$work/expected"
mapfile -t sizes < <(cut -d' ' -f1 "$work/expected")
on_two_nodes "${tuned[@]}" -- "$behaviour" bcast "${sizes[@]}" | cut -d' ' -f1,2 >"$work/got"
expect "there are as many lines" test "$(wc -l <"$work/got")" = "${#sizes[@]}"
expect "one file alone is not enough" test "$(cat "$work/expected")" != "$(cat "$work/got")"
finish
