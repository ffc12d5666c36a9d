#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whatever the name of a tuning file or selection file leads to, a job starts, with one line from rank 0 and the built-in
# selection: FIFO, socket, device, folder, a file of 2 GB, one that grows while it is read, one that may not be read, one
# that is gone for some ranks. A job that waits for the file fails the test.
# usage: special_files_test.sh MPIEXEC CHANGEOVER_WHICH FILE_FAULTS
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 which=$2 faults=$3
most_seconds=60

start() { timeout -k 5 $most_seconds env "$@" "$mpiexec" -launcher fork -iface lo -hosts a:2,b:2 -n 4 "$which" bcast --bytes 100; }

# expect_start WHAT PATTERN VARIABLE=VALUE...
expect_start() {
    local begin=$EPOCHREALTIME
    expect_ok "$1" start "${@:3}"
    printf '%-60s %s s\n' "$1" "$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')"
    expect_output "$1: built-in selection" built-in
    expect "$1: the lines of the program, and one line" [ "$(wc -l <"$work/output")" = 4 ]
    expect "$1: one line of the library" [ "$(grep -c '^MPICH: ' "$work/output")" = 1 ]
    expect_output "$1: why" "$2"
    expect_output "$1: what is done" "; the built-in selection is used"
}

expect_ok "no file" start
expect "no file: no line" [ "$(wc -l <"$work/output")" = 3 ]
begin=$EPOCHREALTIME
expect_ok "no file" start
printf '%-60s %s s\n' "no file" "$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')"

mkfifo "$work/fifo"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$work/socket"
mkdir "$work/folder"
truncate -s 2G "$work/large"
echo '{"version": 1, "mpir": [{"collective": "bcast", "algorithm": "scatter_ring_allgather"}]}' >"$work/rules"
echo '{"collective=bcast": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}' >"$work/tree"
ln -s "$work/fifo" "$work/link"

declare -A good=([MPIR_CVAR_COLL_TUNING_FILE]="$work/rules" [MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE]="$work/tree")
for variable in MPIR_CVAR_COLL_TUNING_FILE MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE; do
    file=${good[$variable]}
    expect_ok "$variable: a good file" start "$variable=$file"
    expect_output "$variable: a good file is used" scatter_ring_allgather
    for special in fifo socket folder link; do
        expect_start "$variable: $special" "$variable=$work/$special, it is no regular file" "$variable=$work/$special"
    done
    for device in /dev/zero /dev/null /dev/tty; do
        expect_start "$variable: $device" "$variable=$device, it is no regular file" "$variable=$device"
    done
    expect_start "$variable: 2 GB" "it is larger than 16 MiB" "$variable=$work/large"
    with_fault=(LD_PRELOAD="$faults" "$variable=$file" FAULT_FILE="$file" FAULT_NUMBER=1)
    expect_start "$variable: it may not be read" "it cannot be opened (Permission denied)" "${with_fault[@]}" FAULT_CALL=open FAULT_HOW=EACCES
    expect_start "$variable: reading fails" "it cannot be read (Input/output error)" "${with_fault[@]}" FAULT_CALL=read FAULT_HOW=EIO
    cp "$file" "$work/copy"
    expect_start "$variable: it grows" "it changed while it was read" "${with_fault[@]}" FAULT_CALL=read FAULT_HOW=grow
    cp "$work/copy" "$file"
    expect_ok "$variable: a signal while it is read" start "${with_fault[@]}" FAULT_CALL=read FAULT_HOW=EINTR
    expect_output "$variable: it is used after a signal" scatter_ring_allgather
done

# each rank reads the tree: if it is gone for some, none uses it
file=$work/tree
variable=MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
for rank in 0 2 3; do
    expect_start "$variable: gone for rank $rank" "the selection files" LD_PRELOAD="$faults" "$variable=$file" \
        FAULT_FILE="$file" FAULT_CALL=open FAULT_NUMBER=1 FAULT_HOW=ENOENT FAULT_RANK=$rank
done
# rank 0 reads the rules: what others see does not count
file=$work/rules
expect_ok "rules that are gone for rank 2" start LD_PRELOAD="$faults" MPIR_CVAR_COLL_TUNING_FILE="$file" \
    FAULT_FILE="$file" FAULT_CALL=open FAULT_NUMBER=1 FAULT_HOW=ENOENT FAULT_RANK=2
expect_output "rules that are gone for rank 2 are used" "rule /mpir/0"
finish
