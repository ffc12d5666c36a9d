#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# doctor names each planted fault with its node, n2 of three. Faults are real ones in the namespaces of the node, but for
# two that one machine cannot have: another time of day, and a slower processor. These are planted by a preloaded clock in
# front of the program that examines the node.
# usage: doctor_test.sh CHANGEOVER BENCH SHIFTED_CLOCK
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"
clock=$3
mkdir "$work/programs" "$work/bench" "$work/runs" "$work/empty"
cp "$1" "$work/programs/changeover"
cp "$2" "$work/bench/changeover-bench"
bench=$work/bench/changeover-bench

expect_ok "up" "$lab" up --nodes 3 --slots 1 --network eth --network fast $one
on() { "$lab" exec $one "$@"; } # NODE COMMAND...
cat >"$work/cluster.json" <<JSON
{
    "hosts": ["n[1-3]"],
    "launcher": {"kind": "hydra", "arguments": ["-launcher", "ssh", "-launcher-exec", "/run/changeover-lab/$one/ssh"]},
    "mpi": {"benchmark": "$bench"},
    "networks": [{"name": "eth", "interface": "eth"}, {"name": "fast", "interface": "fast"}]
}
JSON
# The nodes are one machine, on which others may work: they do not see its load, nor governors
cp /proc/stat "$work/stat"
for node in n1 n2 n3; do
    on $node mount --bind "$work/stat" /proc/stat
    [[ ! -d /sys/devices/system/cpu/cpufreq ]] || on $node mount --bind "$work/empty" /sys/devices/system/cpu/cpufreq
done

doctor() { on head "$work/programs/changeover" doctor --cluster "$work/cluster.json" --run "$work/runs/tuned" >"$work/output" 2>&1; }
# WHAT CHECK PATTERN: found on n2, and on no other node
expect_found() {
    doctor
    expect "$1: exit code 3" test $? = 3
    expect "$1: is found" grep -qE "^FOUND  $2 +n2: .*$3" "$work/output"
    expect "$1: nothing else" test "$(grep -c '^FOUND' "$work/output")" = 1
    expect "$1: has a remedy" grep -q '^         remedy ' "$work/output"
}
# The program that examines n2, with variables
preload() { # VARIABLE...
    cp "$work/programs/changeover" "$work/real"
    printf '#!/bin/sh\nexec env LD_PRELOAD=%s %s %s "$@"\n' "$clock" "$*" "$work/real" >"$work/wrapper"
    chmod +x "$work/wrapper"
    on n2 mount --bind "$work/wrapper" "$work/programs/changeover"
}

expect_ok "a healthy cluster" doctor
expect_output "a healthy cluster" "Nothing found"
expect "a healthy cluster: all is checked" test "$(grep -c '^fine' "$work/output")" = 12
expect "nothing is left in the folder" test -z "$(ls -A "$work/runs")"

on n2 mount -t tmpfs tmpfs "$work/bench"
expect_found "missing benchmark" benchmark "No such file"
on n2 umount "$work/bench"

library=$(realpath "$("$bench" --version | tail -n 1)")
sed -z 's/^4\.0\.2$/4.0.1/' "$library" >"$work/library"
chmod +x "$work/library"
on n2 mount --bind "$work/library" "$library"
expect_found "another version of MPI" "MPI library" "library MPICH Version: +4.0.1, checksum .*, others MPICH Version: +4.0.2, "
on n2 umount "$library"

on n2 sh -c 'ip link set fast down && ip link set fast name fast9 && ip link set fast9 up'
expect_found "wrong interface" interfaces "has no interface fast .*it has: eth .*fast9"
on n2 sh -c 'ip link set fast9 down && ip link set fast9 name fast && ip link set fast up'

"$lab" link $one n2 down
expect_found "node down" launcher "does not answer: .*n2 of the lab"
"$lab" link $one n2 up

on n2 umount /proc/stat
cores=$(nproc)
"$lab" exec $one n2 taskset -c $((cores - 1)) sh -c 'while :; do :; done' &
busy=$!
doctor
expect "busy core: exit code 3" test $? = 3
expect "busy core: is found" grep -qE "^FOUND  load +n2: .*core $((cores - 1)): [0-9]+%" "$work/output"
expect "busy core: nothing else" test "$(grep -c '^FOUND' "$work/output")" = 1
kill $busy
wait $busy 2>/dev/null
on n2 mount --bind "$work/stat" /proc/stat

preload TEST_CLOCK_AHEAD_S=3600
expect_found "clock far off" clocks "its clock is 3[56][0-9][0-9] s ahead of"
on n2 umount "$work/programs/changeover"

on n2 mount --bind "$work/runs" "$work/runs"
on n2 mount -o remount,ro,bind "$work/runs"
expect_found "unwritable run directory" "run directory" "cannot write to $work/runs: Read-only file system"
on n2 umount "$work/runs"

on n2 mount -t tmpfs tmpfs "$work/runs"
expect_found "run directory that is not shared" "run directory" "is not the same folder as here"
on n2 umount "$work/runs"

preload TEST_CLOCK_SPEED=3
expect_found "slower node" speed "is slower: "
on n2 umount "$work/programs/changeover"

# its packets to the other nodes of the network are dropped, as by a firewall
subnet=$(on n2 ip -4 route show dev fast | cut -d' ' -f1 | head -n 1)
on n2 sh -c "ip route del $subnet dev fast && ip route add blackhole $subnet"
expect_found "firewall" connections "no job with other nodes works on network fast"
on n2 sh -c "ip route del blackhole $subnet && ip route add $subnet dev fast"

expect_ok "healthy again" doctor
expect "no process is left" test "$("$lab" status $one | sed -n 's/.* \([0-9]*\) processes.*/\1/p')" = 0
expect_ok "down" "$lab" down $one
expect_unchanged "after faults"
finish
