#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Availability over a shaped network: the kernel receives what is sent at once while the program works, and nothing of
# what is longer than MPICH's eager limit. Work that others interrupt looks like overhead: needs a quiet machine.
# usage: availability_test.sh MPIEXEC BENCH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"
mpiexec=$1 bench=$2

availability() {
    "$lab" exec $one head timeout 120 "$mpiexec" -localhost head-eth -hosts n1-eth,n2-eth -n 2 "$bench" availability \
        --algorithms irecv --sizes 32Ki,64Ki,96Ki,128Ki,192Ki,256Ki --min-repetitions 6 --max-repetitions 9 --max-seconds 4
}
expect_ok "up" "$lab" up --nodes 2 --network eth:100mbit $one
expect_ok "availability of a receive" availability
expect_output "ends at the eager limit" "eager limit by availability irecv: between 98304 and 131072 bytes"
finish
