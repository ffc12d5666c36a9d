#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Several networks in one run, with real jobs: two addresses of this machine, and as root two nodes (network
# namespaces) with two networks between them, which vanish with the processes in them.
# usage: networks_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1

cat >"$work/plan.json" <<'JSON'
{"collectives": [{"name": "bcast", "min_bytes": "1Ki", "max_bytes": "64Ki"}], "size_step": 64,
 "changeover_factor": 64, "case_seconds": 0.02, "min_repetitions": 6, "verify_repetitions": 6, "verify_sizes": 1}
JSON

# cluster LAUNCHER HOSTS NETWORKS
cluster() {
    cat >"$work/cluster.json" <<JSON
{"hosts": [$2], "launcher": $1, "networks": [$3], "layouts": [{"nodes": 2, "ppn": 2}, {"nodes": 2, "ppn": 1}]}
JSON
}
measure() { rm -rf "$work/run" && "$changeover" run --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$work/run"; }
samples_with() { grep -c "\"type\":\"case\".*$1" "$work/run/samples.jsonl"; }
# Whose cases have which interface, and no other
expect_interface() {
    expect "$1 is measured" test "$(samples_with "\"network\":\"$1\"")" -gt 30
    expect "$1 is measured over $2 only" test \
        "$(samples_with "\"network\":\"$1\"")" = "$(samples_with "\"network\":\"$1\".*\"interface\":\"$2\"")"
}
# network.json has the links of all networks
links() { python3 -c 'import json, sys; print(*(l["network"] + "/" + l["link"] for l in json.load(open(sys.argv[1]))["links"]))' "$work/run/network.json"; }

on_this_machine() {
    local other
    other=$(ip -4 -o addr show up scope global 2>/dev/null | awk '{print $2; exit}')
    if [[ -z $other ]]; then
        echo "skipped: this machine has no other address than the loopback's"
        return
    fi
    local fork='{"kind": "hydra-fork"}' hosts='{"name": "a", "slots": 2}, {"name": "b", "slots": 2}'
    cluster "$fork" "$hosts" "{\"name\": \"loopback\"}, {\"name\": \"other\", \"interface\": \"$other\"}"
    expect_ok "two networks in one run" measure
    expect_interface loopback lo
    expect_interface other "$other"
    expect "each has both links" test "$(links)" = "loopback/within loopback/between other/within other/between"
    local before
    before=$(samples_with '"stage":"network"')
    expect_ok "resuming" "$changeover" run --run "$work/run"
    expect "asks for nothing again" test "$(samples_with '"stage":"network"')" = "$before"
    cp "$work/run/network.json" "$work/network.json"
    expect_ok "deciding" "$changeover" decide --run "$work/run"
    expect_ok "the summary" "$changeover" summary --run "$work/run"
    expect_output "names the network" "Network other: ch3:sock on interface $other"
    expect "and shows its parameters" grep -qE '^other +between +1 ' "$work/output"
    expect_ok "a prediction" "$changeover" predict --run "$work/run" --network other --bytes 1Ki
    expect_output "shows them, too" "messages of two ranks, as measured"
    expect_error "of two networks one must be chosen" "--network" "$changeover" predict --run "$work/run"
    expect_ok "the environment" "$changeover" env --cluster "$work/cluster.json"
    expect_output "has the proof" "uses $other ("

    cluster "$fork" "$hosts" "{\"name\": \"good\"}, {\"name\": \"bad\", \"interface\": \"$other\",
        \"environment\": {\"MPICH_INTERFACE_HOSTNAME\": \"127.0.0.1\"}}"
    expect_ok "a library that takes another interface than it is told" measure
    expect_output "is found out" "the job does not use the network bad"
    expect_output "with what it takes" "uses lo (127.0.0.1), not the interface $other"
    expect "and not measured" test "$(samples_with '"network":"bad"')" = 0
    expect "while the good network is" test "$(samples_with '"network":"good"')" -gt 30
}

# Two nodes with the networks slow and fast; the first interface of a node is that of slow
make_nodes() {
    mkdir -p /run/netns
    mount -t tmpfs none /run/netns && hostname head && ip link set lo up || return
    local network node number=0
    echo "127.0.0.1 localhost" >"$work/hosts"
    for network in slow fast; do
        number=$((number + 1))
        ip link add $network-bridge type bridge && ip addr add 10.77.$number.100/24 dev $network-bridge &&
            ip link set $network-bridge up || return
        echo "10.77.$number.100 head" >>"$work/hosts"
    done
    for node in 1 2; do
        ip netns add n$node && ip -n n$node link set lo up || return
        number=0
        for network in slow fast; do
            number=$((number + 1))
            ip link add v$node-$network type veth peer name $network netns n$node &&
                ip link set v$node-$network master $network-bridge up &&
                ip -n n$node addr add 10.77.$number.$node/24 dev $network && ip -n n$node link set $network up || return
            echo "10.77.$number.$node n$node-$network" >>"$work/hosts"
        done
        echo "10.77.1.$node n$node" >>"$work/hosts"
        echo "10.77.3.$node n$node-gone" >>"$work/hosts"
    done
    mount --bind "$work/hosts" /etc/hosts
}

on_two_nodes() {
    if ! make_nodes; then
        echo "skipped: this system does not let us make network namespaces with bridges"
        return
    fi
    local hosts='{"name": "n[1-2]", "slots": 2}'
    local launcher="{\"kind\": \"hydra\", \"arguments\": [\"-launcher\", \"rsh\", \"-launcher-exec\", \"$here/enter-node\"]}"
    cluster "$launcher" "$hosts" '{"name": "by-name", "host_suffix": "-fast"}, {"name": "by-interface", "interface": "fast"},
        {"name": "first", "host_suffix": "-slow"}, {"name": "typo", "interface": "fest"}, {"name": "gone", "host_suffix": "-gone"}'
    expect_ok "networks between nodes" measure
    expect_interface by-name fast
    expect_interface by-interface fast
    expect_interface first slow
    expect "each has both links" test "$(links)" = "by-name/within by-name/between by-interface/within by-interface/between first/within first/between"
    expect "an interface that is not there has no cases" test "$(samples_with '"network":"typo"')" = 0
    expect_output "and is told" "this node has no interface 'fest'"
    expect_output "a name that nobody has cannot be used" "Network gone"
    cluster "$launcher" "$hosts" '{"name": "by-name", "host_suffix": "-fast"}'
    expect_ok "the environment" "$changeover" env --cluster "$work/cluster.json"
    expect_output "names the addresses" "n2 uses fast (10.77.2.2)"
}

if [[ ${2:-} == inside ]]; then
    on_two_nodes
else
    on_this_machine
    if ((EUID == 0)) && unshare --mount --net --uts true 2>/dev/null; then
        expect "two nodes" unshare --mount --net --uts "$0" "$changeover" inside
    else
        echo "skipped: only root can make nodes"
    fi
fi
finish
