#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Labs as people use them: names, bandwidth, links, two at once, and nothing left. usage: networks_test.sh
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"

bytes_received() { "$lab" exec "$1" "$2" cat "/sys/class/net/$3/statistics/rx_bytes"; } # LAB NODE NETWORK

# Mbit/s that a node receives, headers included, while TCP streams flow; the middle of two seconds
received_mbits() { # LAB NETWORK TO FROM...
    local name=$1 network=$2 to=$3 from port=5201 before start after end clients=()
    for from in "${@:4}"; do
        "$lab" exec "$name" "$to" iperf3 --server --one-off --port $port >/dev/null 2>&1 &
        clients+=($!)
        sleep 0.3
        "$lab" exec "$name" "$from" iperf3 --client "$to-$network" --port $port --time 2 >"$work/output" 2>&1 &
        clients+=($!)
        port=$((port + 1))
    done
    sleep 0.6
    start=$(date +%s%N) before=$(bytes_received "$name" "$to" "$network") # in this order: never more than it is
    sleep 1
    after=$(bytes_received "$name" "$to" "$network") end=$(date +%s%N)
    wait "${clients[@]}"
    echo $(((after - before) * 8000 / (end - start)))
}

# A busy machine may be late for a while, and the buckets are small: a limit must hold in each try, and be reached in one of ten
expect_rate() { # WHAT LEAST MOST ARGUMENTS_OF_RECEIVED_MBITS...
    local mbits try
    cases=$((cases + 1))
    for try in {1..10}; do
        mbits=$(received_mbits "${@:4}")
        echo "$1: $mbits Mbit/s"
        ((mbits <= $3)) || break
        ((mbits < $2)) || return 0
        sleep "$try"
    done
    fail_case "$1: $mbits Mbit/s, not $2 to $3"
}

for time in first second; do
    expect_ok "up, the $time time" "$lab" up --nodes 3 --network eth:100mbit --network fast $one
    expect_output "up prints the cluster file" "/run/changeover-lab/$one/cluster.json"
    for network in eth fast; do
        expect_ok "ping over $network" "$lab" exec $one n1 ping -q -c 1 -W 5 n2-$network
        expect_ok "ping from the head over $network" "$lab" exec $one head ping -q -c 1 -W 5 n3-$network
    done
    if [[ $time == second ]]; then
        expect_ok "a second lab" "$lab" up --nodes 2 --slots 1 --network eth $two
        expect "two labs have different addresses" test "$("$lab" exec $one n1 getent hosts n2-eth)" != "$("$lab" exec $two n1 getent hosts n2-eth)"
        expect_ok "ping in the second lab" "$lab" exec $two n1 ping -q -c 1 -W 5 n2
        expect_error "the second lab has no n3" "no node 'n3'" "$lab" exec $two n3 true
        expect_ok "end the second lab" "$lab" down $two
        expect_ok "the first one lives" "$lab" exec $one n1 ping -q -c 1 -W 5 n2-eth
        expect_ok "down" "$lab" down $one
        expect "nothing is left" nothing_left_of $one
        expect_unchanged "the $time time"
        break
    fi

    # a node
    expect "a node has its own name" test "$("$lab" exec $one n2 hostname)" = n2
    expect "and the folder of the caller" test "$(cd "$work" && "$lab" exec $one n2 pwd)" = "$work"
    expect "and only its own interfaces" test "$("$lab" exec $one n2 ls /sys/class/net | sort | tr '\n' ' ')" = "eth fast lo "
    expect "a node's memory is its own" "$lab" exec $one n1 sh -c '! test -e /dev/shm/changeover-lab-test && touch /dev/shm/changeover-lab-test'
    expect "a node's memory is its own" "$lab" exec $one n2 test ! -e /dev/shm/changeover-lab-test
    expect "names are known in the lab only" test -z "$(getent hosts n2-fast)"
    expect_error "the name is taken" "there is a lab '$one' already" "$lab" up $one
    expect_error "a node that is not there" "no node 'n9'" "$lab" exec $one n9 true
    expect_ok "status" "$lab" status
    expect_output "status" "$one: 3 nodes"
    expect_ok "status of a lab" "$lab" status $one
    expect_output "status of a lab" "rate 100mbit"

    # bandwidth
    expect_rate "one stream at 100mbit" 90 110 $one eth n2 n1
    expect_rate "two nodes send to one" 90 110 $one eth n2 n1 n3
    expect_rate "the network without a limit" 300 1000000 $one fast n2 n1
    expect_ok "another rate" "$lab" rate $one eth 20mbit
    expect_rate "one stream at 20mbit" 18 22 $one eth n3 n1
    expect_ok "no limit" "$lab" rate $one eth none
    expect_rate "one stream without a limit" 300 1000000 $one eth n2 n1
    expect_ok "a limit again" "$lab" rate $one fast 50mbit
    expect_rate "one stream at 50mbit" 45 55 $one fast n2 n1
    expect_error "a network that is not there" "no network 'ib'" "$lab" rate $one ib 1gbit

    # links
    expect_ok "pull a cable" "$lab" link $one n2 down eth
    expect_error "a node without its cable" "100% packet loss" "$lab" exec $one n1 ping -q -c 1 -W 1 n2-eth
    expect_ok "the other network works" "$lab" exec $one n1 ping -q -c 1 -W 5 n2-fast
    "$lab" status $one >"$work/output"
    expect_output "status tells it" "(down)"
    expect_ok "plug it in" "$lab" link $one n2 up
    expect_ok "the node is back" "$lab" exec $one n1 ping -q -c 1 -W 5 n2-eth

    # the end
    "$lab" exec $one n3 sh -c 'trap "" TERM HUP; while :; do sleep 1; done' &
    sleep 0.2
    expect_ok "down, with a stubborn process" "$lab" down $one
    wait $!
    expect "the stubborn process was killed" test $? = 137
    expect "nothing is left" nothing_left_of $one
    expect_error "a lab that is not there" "there is no lab '$one'" "$lab" down $one
    expect_unchanged "the $time time"
done

# wrong use and what is missing
expect_error "a bad rate" "is not a rate" "$lab" up --network eth:fast $one
expect_error "a network twice" "twice" "$lab" up --network a --network a $one
expect_error "too many ranks" "does not fit" "$lab" up --nodes 2 --layout 4x1 $one
chmod 755 "$work" && cp "$lab" "$work/lab"
expect_error "without privilege" "CAP_SYS_ADMIN" setpriv --reuid=65534 --regid=65534 --clear-groups "$work/lab" up $one
if unshare --net -- tc qdisc add dev lo root netem delay 1ms 2>/dev/null; then
    expect_ok "delay" "$lab" up --nodes 2 --network eth:100mbit,delay=20ms $one
    expect "a round trip takes two delays" test "$("$lab" exec $one n1 ping -q -c 3 n2 | sed -nE 's#^rtt [^=]*= ([0-9]+).*#\1#p')" -ge 40
    expect_ok "down" "$lab" down $one
else
    expect_error "delay without netem" "this kernel cannot delay packets" "$lab" up --network eth:delay=1ms $one
fi
expect_unchanged "after wrong use"
finish
