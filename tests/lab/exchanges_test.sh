#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bandwidth over a shaped network: never more than its rate, whoever shares it. How close it comes depends on what else
# the machine does, so half of it is enough here.
# usage: exchanges_test.sh MPIEXEC BENCH
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"
mpiexec=$1 bench=$2

# RANKS ARGUMENTS...
bandwidth() {
    "$lab" exec $one head timeout 60 "$mpiexec" -localhost head-eth -hosts n1-eth:4,n2-eth:4 -n "$1" "$bench" bandwidth \
        --start dissemination --min-repetitions 5 --max-repetitions 5 --warm-up 2 --format json "${@:2}"
}
# DIRECTION LEAST MOST, in MB/s
expect_rate() {
    local rate
    rate=$(sed -n "s/.*\"algorithm\":\"$1\".*\"megabytes_per_s\":\([0-9.]*\).*/\1/p" "$work/output")
    expect "$1: $rate MB/s" awk -v "rate=$rate" "BEGIN { exit !(rate > $2 && rate < $3) }"
}

# 100 Mbit/s are 12.5 MB/s in each direction; a window of 1 MiB is longer than what a queue lets pass at once
expect_ok "up" "$lab" up --nodes 2 --slots 4 --network eth:100mbit $one
expect_ok "one pair" bandwidth 5 --sizes 64Ki --parameter window=16 --link between
expect_output "between nodes" '"peer":4,"link":"between"'
expect_rate one_direction 6 13
expect_rate both_directions 12 26
expect_ok "four pairs" bandwidth 8 --sizes 64Ki --parameter window=16 --pairs halves --algorithms one_direction
expect_output "through one interface" '"link":"between","pairs":[[0,4],[1,5],[2,6],[3,7]]'
expect_rate one_direction 6 13
printf '0 1\n2 3\n4 5\n6 7\n' >"$work/pairs"
expect_ok "four pairs within nodes" bandwidth 8 --sizes 64Ki --parameter window=16 --pairs "$work/pairs" --algorithms one_direction
expect_output "go around it" '"link":"within"'
expect_rate one_direction 26 1e9
finish
