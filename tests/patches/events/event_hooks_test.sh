#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the hooks of the event collectors cost while nothing is recorded: instructions, counted by callgrind, against
# the same library with the functions of the series before its patch. Then all that a small allreduce, and
# broadcast, of two ranks meets must be within 1% of the instructions that it takes.
# usage: event_hooks_test.sh PREFIX STOCK_SOURCE CC RELEASE_FOLDER DEVICE
set -euo pipefail
prefix=$1 stock=$2 cc=$3 release=$4 device=$5
here=$(dirname "$(realpath "$0")")
repetitions=1000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The series up to the collectors, applied to what the functions are made of
before=$work/patches/$(basename "$release")
mkdir -p "$before" "$work/source"
cp "$release"/*.patch "$before"
sed '/begin-and-end-the-collecting-of-events/,$d' "$release/series" >"$before/series"
cmp -s "$release/series" "$before/series" && { echo "the patch of the event collectors is not in the series" >&2; exit 1; }
{
    echo maint
    echo src/mpi/coll
    echo src/binding
    echo src/mpi/misc/utils.c
    sed -n 's#^+++ b/##p' "$before"/*.patch
} | sort -u | while read -r file; do
    [[ ! -e $stock/$file ]] || (cd "$stock" && cp -r --parents "$file" "$work/source")
done
CHANGEOVER_PATCHES_ROOT=$work/patches "$here/../../../scripts/patches" apply "$(basename "$release")" "$work/source"
(cd "$work/source" && python3 maint/gen_coll.py >/dev/null)

compile() { "$cc" @"$prefix/internal/flags" -I"$prefix/internal/source/src/mpi/coll" -c "$1" -o "$work/$(basename "$1" .c).o"; }
compile "$here/hook_calls.c"
functions=()
for file in src/mpi/coll/mpir_coll src/mpi/coll/helper_fns src/mpi/coll/reduce_local/reduce_local src/mpi/misc/utils; do
    compile "$work/source/$file.c"
    functions+=("$work/$(basename $file).o")
done
# what comes first is taken
"$cc" "$work/hook_calls.o" -L"$prefix/lib" -l:libmpi.a -lpthread -lm -lrt -o "$work/patched"
"$cc" "$work/hook_calls.o" "${functions[@]}" -L"$prefix/lib" -l:libmpi.a -lpthread -lm -lrt -o "$work/without"

count() { # PROGRAM PART [RANKS]: of one repetition, all ranks together
    "$prefix/bin/mpiexec" -n "${3:-1}" valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=/dev/null \
        "$work/$1" "$2" $repetitions 2>&1 </dev/null | sed -n 's/.*Collected : //p' | awk -v n=$repetitions '{ sum += $1 } END { print sum / n }'
}

# Instructions more: a load, a comparison and a branch at each place, and what passes the event on. Exchanges and pairs of
# requests have two messages. The last columns: how often two ranks meet the part in an allreduce, and in a broadcast.
status=0
declare -A together=([allreduce]=0 [bcast]=0)
add() { together[$1]=$(awk -v sum="${together[$1]}" -v more="$2" -v times="$3" 'BEGIN { print sum + times * more }'); }
printf '%-10s %8s %8s %6s\n' part without patched more
while read -r part limit in_allreduce in_bcast; do
    without=$(count without "$part")
    patched=$(count patched "$part")
    more=$(awk -v w="$without" -v p="$patched" 'BEGIN { print p - w }')
    printf '%-10s %8.1f %8.1f %6.1f\n' "$part" "$without" "$patched" "$more"
    awk -v w="$without" -v m="$more" -v limit="$limit" 'BEGIN { exit !(w > 1 && m <= limit) }' || status=1
    add allreduce "$more" "$in_allreduce"
    add bcast "$more" "$in_bcast"
done <<'PARTS'
call 12 2 0
short_call 6 0 2
send 8 0 1
receive 8 0 1
exchange 20 2 0
requests 30 0 0
copy 8 0 0
reduce 10 2 0
PARTS

[[ $device == ch3:sock ]] || exit $status # others spin, and would count how long they wait
for collective in allreduce bcast; do
    awk -v what=$collective -v more="${together[$collective]}" -v all="$(count patched $collective 2)" 'BEGIN {
        printf "%s of 8 bytes on two ranks: %.1f of %.1f instructions, %.2f%%\n", what, more, all, 100 * more / all
        exit !(all > 500 && more > 0 && more <= 0.01 * all) }' || status=1
done
exit $status
