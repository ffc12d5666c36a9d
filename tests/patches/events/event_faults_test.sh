#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whatever goes wrong with the files of the event collectors, a job does not notice: each open, write, close, rename and
# unlink of one rank fails once, in every way. The job ends well and says one line, or none if nothing is lost; no file is
# left half written, and no temporary one but where removing it fails.
# usage: event_faults_test.sh MPIEXEC EVENT_WORKLOAD EVENT_FILES FILE_FAULTS
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
mpiexec=$1 workload=$2 files=$3 faults=$4
mkdir "$work/traces"
prefix=$work/traces/t
ranks=3 rank=1
injected=0

run() { env MPIR_CVAR_COLL_EVENTS_FILE="$prefix" LD_PRELOAD="$faults" FAULT_FILE=.events "$@" "$mpiexec" -n $ranks "$workload" allreduces write; }
clean() { rm -rf "$work/traces"; mkdir "$work/traces"; }
warnings() { grep -c '^MPICH: MPIR_CVAR_COLL_EVENTS_FILE=' "$work/output"; }
complete() { # FILE...: those that are there are as long as they say
    python3 - "$@" <<'PYTHON'
import os, struct, sys
for file in filter(os.path.exists, sys.argv[1:]):
    data = open(file, 'rb').read()
    names, communicators, _, syncs = struct.unpack_from('=4I', data, 88)
    at = 512 + 64 * names
    for _ in range(communicators):
        at += 32 + (struct.unpack_from('=i', data, at + 12)[0] + 1) // 2 * 8
    if len(data) != at + 32 * syncs + 40 * struct.unpack_from('=Q', data, 56)[0]:
        sys.exit(file)
PYTHON
}

# ---- how many calls there are ----
expect_ok "counting" run FAULT_COUNTS="$work/counts"
expect "counting: nothing is said but by the program" [ "$(wc -l <"$work/output")" = $ranks ]
expect_ok "counting: the files" "$files" "$prefix" $ranks
number_of() { awk -v rank=$rank -v call="$1" '$1 == rank && $2 == call { print $3 }' "$work/counts"; }

# ---- each one fails ----
for call in open write close rename unlink; do
    number=$(number_of $call)
    expect "$call: is called" [ "${number:-0}" -gt 0 ]
    hows="EIO ENOSPC EDQUOT EINTR"
    [[ $call != write ]] || hows+=" short"
    for how in $hows; do
        for ((k = 1; k <= number; k++)); do
            what="$call $k of $number, $how"
            clean
            expect_ok "$what: the job" run FAULT_CALL=$call FAULT_NUMBER=$k FAULT_HOW=$how FAULT_RANK=$rank
            injected=$((injected + 1))
            expect "$what: the program's own lines" [ "$(grep -c '^written: [01]$' "$work/output")" = $ranks ]
            expect "$what: at most one line" [ "$(warnings)" -le 1 ]
            expect "$what: and no other" [ "$(wc -l <"$work/output")" = $((ranks + $(warnings))) ]
            if [[ $how == short || $how == EINTR && $call != rename && $call != unlink ]]; then
                expect "$what: nothing is lost" [ "$(warnings)" = 0 ]
            elif [[ $call != close && $call != unlink ]]; then
                expect "$what: the loss is said, with the file" [ "$(warnings)" = 1 ]
            fi
            if [[ $call != unlink ]]; then
                expect "$what: no temporary file" [ -z "$(ls "$work/traces" | grep -v '\.events$')" ]
            fi
            expect "$what: no half file" complete "$work"/traces/t.*.events
        done
    done
done

# ---- the rank is killed there: no half file under the name of a whole one ----
for call in open write close rename unlink; do
    for ((k = 1; k <= $(number_of $call); k++)); do
        clean
        expect_error "$call $k: killed" "" run FAULT_CALL=$call FAULT_NUMBER=$k FAULT_HOW=kill FAULT_RANK=$rank
        injected=$((injected + 1))
        expect "$call $k, killed: no half file" complete "$work"/traces/t.*.events
    done
done

# ---- files may not be longer than this: the signal does not end the job ----
clean
limited() { (ulimit -f 24; run); }
expect_ok "a limit for files" limited
expect_output "a limit for files: it is said" "cannot write its events: File too large"
expect "a limit for files: no half file" [ -z "$(ls "$work/traces")" ]
# ---- standard output and error are closed: no text in the files ----
clean
closed() { env MPIR_CVAR_COLL_EVENTS_FILE="$prefix" "$mpiexec" -n $ranks sh -c '"$@" <&- >&- 2>&-' sh "$workload" allreduces; }
expect_ok "closed descriptors" closed
expect_ok "closed descriptors: the files" "$files" "$prefix" $ranks
echo "$injected faults"
finish
