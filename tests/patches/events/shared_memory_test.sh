#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Steps of release_gather are events on a ch4 device: the messages of each call match, and `changeover trace`
# says who waits.
# usage: shared_memory_test.sh MPIEXEC CHANGEOVER_BENCH EVENT_FILES CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
mpiexec=$1 bench=$2 event_files=$3 changeover=$4

record() { # COLLECTIVE BYTES ALGORITHM
    rm -f "$work"/t.*.events
    MPIR_CVAR_COLL_EVENTS_FILE=$work/t MPIR_CVAR_COLL_EVENTS_COLLECTIVES=$1 "$mpiexec" -n 3 "$bench" "$1" --sizes "$2" \
        --algorithms "$3" --start barrier --warm-up 2 --min-repetitions 5 --max-repetitions 5 </dev/null >"$work/samples" 2>&1
}
# collective, bytes, composition, and the algorithm that events name
while read -r collective bytes algorithm name; do
    expect_ok "$collective" record "$collective" "$bytes" "$algorithm"
    expect_ok "$collective: messages match" "$event_files" "$work/t" 3
    expect_output "$collective: the algorithm" "$name depth 0"
    expect_ok "$collective: trace" "$changeover" trace "$work/t" --only "$name"
    expect_output "$collective: all calls are analysed" "messages matched"
    expect "$collective: there are some" test "$(sed -n 's/.* \([0-9,]*\) messages matched.*/\1/p' "$work/output" | tr -d ,)" -gt 0
    expect_output "$collective: who was last" "most often last: rank"
done <<'CALLS'
bcast 4096 alpha+release_gather bcast/alpha
reduce 4096 alpha+release_gather reduce/alpha
allreduce 4096 gamma+release_gather allreduce/release_gather
CALLS
finish
