#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Instructions of one selection, counted by callgrind: the patched library needs at most 5% more than the unpatched; with
# a tuning file of 1000 rules at most 25% more in a case and 10% in all. Counts, not times: the same on a busy machine.
# usage: selection_instructions_test.sh PROGRAM [1000 rules]
set -euo pipefail
program=$1
limit=1.05
if (($# > 1)); then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "$(dirname "$(realpath "$0")")/many-rules" >"$work/rules.json"
    export MPIR_CVAR_COLL_TUNING_FILE=$work/rules.json
    limit=1.25
fi
repetitions=20000

# count LIBRARY COLLECTIVE BYTES
count() {
    valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=/dev/null "$program" "$@" $repetitions 2>&1 |
        sed -n 's/.*Collected : //p'
}

printf '%-22s %9s  %8s %8s  %s\n' collective bytes stock patched ratio
status=0
all_stock=0
all_patched=0
while read -r collective bytes; do
    stock=$(count stock "$collective" "$bytes")
    patched=$(count patched "$collective" "$bytes")
    all_stock=$((all_stock + stock))
    all_patched=$((all_patched + patched))
    awk -v c="$collective" -v b="$bytes" -v s="$stock" -v p="$patched" -v n=$repetitions -v limit=$limit 'BEGIN {
        printf "%-22s %9d  %8.1f %8.1f  %.3f\n", c, b, s / n, p / n, p / s
        exit !(s > n && p > n && p <= limit * s) }' || status=1
done <<'CASES'
bcast 100
bcast 100000
bcast 1000000
allreduce 8
allreduce 100000
reduce 100
reduce 100000
allgather 100
allgather 100000
alltoall 100
alltoall 1000
alltoall 100000
reduce_scatter_block 100
barrier 0
gather 1000
iallreduce 100000
CASES
echo "in all: $all_stock to $all_patched"
((all_patched * 100 <= all_stock * 110)) || status=1
exit $status
