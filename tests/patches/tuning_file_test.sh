#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files that tune collectives, in real jobs: every kind of bad file ends the job well, with one line from rank 0, or
# as an error of MPI_Init if the user wants that; partial files, verbosity, ranks that disagree, who opens the file.
# usage: tuning_file_test.sh MPIEXEC CHANGEOVER_WHICH STOCK_SOURCE README
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 which=$2 stock=$3 readme=$4
file=$work/tuning.json
tree=$work/tree.json
hosts=(-launcher fork -iface lo -hosts a:2,b:2)

tuned() { env MPIR_CVAR_COLL_TUNING_FILE="$file" "$@"; }
with_tree() { env MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$tree" "$@"; }

# MPI_Init fails. Hydra may end before it has passed on what was said: the ranks, started by `heard`, say it to a file
heard=$work/heard
printf '#!/bin/sh\nexec "$@" 2>>"%s.text"\n' "$heard" >"$heard"
chmod +x "$heard"
expect_abort() { # WHAT PATTERN COMMAND...
    cases=$((cases + 1))
    : >"$heard.text"
    if env MPIR_CVAR_COLL_TUNING_ERROR=abort "${@:3}" >"$work/output" 2>&1 || ! grep -qF -- "$2" "$heard.text"; then
        cat "$heard.text" >>"$work/output"
        fail_case "$1: no failure, or not with '$2'"
    fi
}

# The job works by the built-in selection, and one line names the file, the place and the remedy; with abort, an error
bad_with() { # VARIABLE FILE WHAT PATTERN
    local run=("$mpiexec" "${hosts[@]}" -n 4 "$which" bcast --bytes 100)
    expect_ok "$3" env "$1=$2" "${run[@]}"
    expect_output "$3: built-in selection" built-in
    expect_output "$3: the file" "MPICH: $1=$2, "
    expect_output "$3: the problem" "$4"
    expect "$3: one line" [ "$(grep -c '^MPICH:' "$work/output")" = 1 ]
    expect "$3: and nothing else" [ "$(wc -l <"$work/output")" = 4 ]
    expect_abort "$3, abort" "$4" env "$1=$2" "$mpiexec" -n 2 "$heard" "$which" bcast --bytes 100
}
bad() { bad_with MPIR_CVAR_COLL_TUNING_FILE "$file" "$@"; }
bad_tree() { bad_with MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE "$tree" "$@"; }
rule() { echo "{\"version\": 1, \"mpir\": [{$1}]}" >"$file"; }
good='"collective": "bcast", "algorithm": "binomial"'

# ---- bad tuning files ----
bad "missing" "it cannot be opened (No such file or directory); check its name"
mkdir "$file"
bad "a folder" "it is no regular file"
rmdir "$file"
: >"$file"
bad "empty" "it is empty; write it again"
echo "version 1" >"$file"
bad "not JSON" "line 1: not JSON"
printf '{"version": 1,\n "mpir": [' >"$file"
bad "truncated" "line 2: the text ends too early; it is truncated"
echo '{"version": 1} {}' >"$file"
bad "text behind the end" "line 1: not JSON"
head -c 300 /dev/urandom >"$file"
bad "random bytes" "not JSON"
rule "$good, \"bytes\": 1, \"bytes\": 2"
bad "a key twice" "line 1: not JSON (an object has the same key twice)"
echo '[]' >"$file"
bad "no object" "/: the file is no JSON object"
echo '{"mpir": []}' >"$file"
bad "no version" "/: the file has no 'version'; add \"version\": 1"
echo '{"version": 2}' >"$file"
bad "unknown version" "/version: this library reads version 1"
echo '{"version": 1, "mpjr": []}' >"$file"
bad "unknown section" "/mpjr: unknown key; the file may have: version"
rule "$good, \"byte\": 3"
bad "unknown key" "/mpir/0/byte: unknown key; a rule may have: collective"
rule '"collective": "bkast", "algorithm": "binomial"'
bad "unknown collective" "/mpir/0/collective: 'bkast' is no collective"
rule '"collective": "bcast", "algorithm": "binomal"'
bad "unknown algorithm" "/mpir/0/algorithm: 'binomal' is no algorithm of bcast here; use one of: binomial, "
rule '"collective": "bcast", "algorithm": "recursive_halving"'
bad "algorithm of another collective" "/mpir/0/algorithm: 'recursive_halving' is no algorithm of bcast here"
rule '"collective": "allreduce", "algorithm": "smp", "operation": "sum"'
bad "unknown operation" "/mpir/0/operation: 'sum' is unknown; use one of: any, built-in, commutative, non-commutative"
rule "$good, \"operation\": \"built-in\""
bad "an operation of bcast" "/mpir/0/operation: bcast has no operation; remove it"
rule "$good, \"bytes\": [0, 4611686018427387905]"
bad "number out of range" "/mpir/0/bytes: the number is out of range"
rule "$good, \"bytes\": 99999999999999999999999"
bad "number of more than 64 bits" "/mpir/0/bytes: the number is out of range"
rule "$good, \"nodes\": -1"
bad "negative number" "/mpir/0/nodes: the number is out of range; it may be 0 to 2147483647"
rule "$good, \"bytes\": [10, 1.5]"
bad "no whole number" "/mpir/0/bytes: a whole number is needed"
rule "$good, \"bytes\": [10, 9]"
bad "empty range" "/mpir/0/bytes: the range is empty"
rule "$good, \"bytes\": \"<=12k\""
bad "operator" "/mpir/0/bytes: a range is needed"
rule '"collective": "barrier", "algorithm": "smp", "bytes": 0'
bad "bytes of a barrier" "/mpir/0/bytes: barrier has no size that all ranks know"
rule "$good, \"parameters\": {\"k\": 2}"
bad "parameter of another algorithm" "/mpir/0/parameters/k: no parameter of MPIR_Bcast_intra_binomial"
rule '"collective": "ibcast", "algorithm": "tsp_tree", "parameters": {"k": 1}'
bad "parameter out of range" "/mpir/0/parameters/k: the number is out of range; it may be 2 to"
echo '{"version": 1, "posix": [{"collective": "scan", "algorithm": "mpir"}]}' >"$file"
bad "section without the collective" "/posix/0/collective: section posix has no algorithm of scan"
echo '{"version": 1, "fingerprint": {"mpi": "x"}}' >"$file"
bad "fingerprint" "/fingerprint/mpi: unknown key"
printf '%s' "$(printf '[%.0s' {1..1000})" >"$file"
bad "nested a thousand deep" "line 1: nested deeper than 16"
truncate -s 100M "$file"
bad "a hundred megabytes" "it is larger than 16 MiB"
printf '{"version": 1, "b\\u0001\\n%s": 1}' "$(printf 'x%.0s' {1..1000})" >"$file"
bad "text that would break the line" "/b??xxx"
rule "$good"
chmod 000 "$file"
if ((EUID)); then bad "unreadable" "it cannot be opened (Permission denied)"; fi
chmod 600 "$file"

# ---- bad selection trees ----
for kind in missing empty; do
    bad_tree "tree: $kind" "it "
    : >"$tree"
done
branch() { # what to put in place of a size of broadcasts
    sed "s/\"avg_msg_size<=12288\"/\"$1\"/" "$stock/maint/tuning/coll/mpir/generic.json" >"$tree"
}
place=/collective=bcast/comm_type=intra/comm_size=pow2/comm_hierarchy=parent
branch "avg_msg_size<=12k"
bad_tree "tree: trailing text" "$place/avg_msg_size<=12k: not a whole number"
branch "avg_msg_size<=9223372036854775808"
bad_tree "tree: number out of range" "$place/avg_msg_size<=9223372036854775808: the number is too large"
branch "avg_msg_size<="
bad_tree "tree: no number" "$place/avg_msg_size<=: the number is missing"
branch "avg_msg_size<=-1"
bad_tree "tree: negative number" "$place/avg_msg_size<=-1: the number is negative"
branch "comm_size<=2147483648"
bad_tree "tree: more processes than there can be" "/comm_size<=2147483648: the number is too large"
branch "avg_msg_size<=MPIR_CVAR_NO_SUCH_SIZE"
bad_tree "tree: unknown variable" "MPIR_CVAR_NO_SUCH_SIZE: no control variable of type int has this name"
branch "avg_msg_size<=MPIR_CVAR_IBCAST_TREE_TYPE"
bad_tree "tree: a variable that is not a number" "no control variable of type int"
branch "foo<3"
bad_tree "tree: unknown operator" "$place/foo<3: unknown operator"
branch "is_commutative=yes"
bad_tree "tree: operator of others" "$place/is_commutative=yes: this collective has no such operator"
sed 's/"collective=bcast"/"collective=bkast"/' "$stock/maint/tuning/coll/mpir/generic.json" >"$tree"
bad_tree "tree: unknown collective" "/collective=bkast: no collective has this name"
sed 's/MPIR_Bcast_intra_binomial/MPIR_Bcast_intra_binomal/' "$stock/maint/tuning/coll/mpir/generic.json" >"$tree"
bad_tree "tree: unknown algorithm" "unknown algorithm"
sed 's/MPIR_Bcast_intra_binomial/MPIR_Reduce_intra_binomial/' "$stock/maint/tuning/coll/mpir/generic.json" >"$tree"
bad_tree "tree: algorithm of another collective" "no algorithm of this collective"
echo '{"collective=bcast": {"comm_size<=3": {"algorithm=MPIR_Bcast_intra_binomial": {}}}}' >"$tree"
bad_tree "tree: chain without end" "/collective=bcast: the chain has no end"
echo '{"collective=bcast": {"comm_size=any": {}}}' >"$tree"
bad_tree "tree: nothing chosen" "/collective=bcast/comm_size=any: nothing is chosen here"
echo '{"collective=bcast": {"algorithm=MPIR_Bcast_intra_binomial": 3}}' >"$tree"
bad_tree "tree: no object" "an object is needed"
head -c 1000 "$stock/maint/tuning/coll/mpir/generic.json" >"$tree"
bad_tree "tree: truncated" "the text ends too early"
printf '%s' "$(printf '{"a":%.0s' {1..1000})" >"$tree"
bad_tree "tree: nested a thousand deep" "nested deeper than 32"

cp "$stock/maint/tuning/coll/mpir/generic.json" "$tree"
expect_ok "the unpatched tree" with_tree "$mpiexec" -n 4 "$which" bcast --bytes 100
expect_output "is used" "selection file"

# ---- trees that do not cover a call, or not with a legal algorithm: the built-in tree does ----
echo '{"collective=allgather": {"algorithm=MPIR_Allgather_intra_recursive_doubling": {}}}' >"$tree"
for ranks in 3 4; do
    expect_ok "a partial tree on $ranks ranks" with_tree "$mpiexec" -n $ranks "$which" allgather --bytes 100
    if ((ranks == 4)); then expect_output "legal" "selection file"; else expect_output "not legal" built-in; fi
    expect_ok "what the tree does not cover" with_tree "$mpiexec" -n $ranks "$which" bcast --bytes 100
    expect_output "built-in" built-in
done

# ---- good tuning files ----
rule "$good"
expect_ok "a rule" tuned "$mpiexec" -n 4 "$which" bcast --bytes 100,1000000
expect_output "its place" "rule /mpir/0 of the tuning file"
expect "for all sizes" [ "$(grep -c '/mpir/0' "$work/output")" = 2 ]
expect_ok "another collective" tuned "$mpiexec" -n 4 "$which" reduce --bytes 100
expect_output "has no rule" built-in
expect_ok "forced" env MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather MPIR_CVAR_COLL_TUNING_FILE="$file" "$mpiexec" -n 4 "$which" bcast --bytes 100
expect_output "wins" "forced by MPIR_CVAR_BCAST_INTRA_ALGORITHM"
expect_ok "off" env MPIR_CVAR_COLL_TUNING_ENABLE=0 MPIR_CVAR_COLL_TUNING_FILE="$file" "$mpiexec" -n 4 "$which" bcast --bytes 100
expect_output "is built-in" built-in
rule "$good, \"bytes\": [0, 10]"
expect_ok "a threshold" env MPIR_CVAR_BCAST_MIN_PROCS=2 MPIR_CVAR_BCAST_SHORT_MSG_SIZE=50 MPIR_CVAR_COLL_TUNING_FILE="$file" "$mpiexec" -n 4 "$which" bcast --bytes 10,100
expect_output "holds where no rule does" "threshold MPIR_CVAR_BCAST_SHORT_MSG_SIZE is set"
expect_output "and not where one does" "rule /mpir/0"
sed -n '/^    {$/,/^    }$/p' "$readme" >"$file"
expect_ok "the example of the documentation" tuned "$mpiexec" -n 4 "$which" allreduce --bytes 100
expect_output "has a rule for it" "rule /mpir/2 of the tuning file"
expect_output "and does not fit this machine" "/fingerprint: "
expect "in one line" [ "$(grep -c '^MPICH:' "$work/output")" = 1 ]

# ---- network ----
lacks() { ! grep -qF -- "$1" "$work/output"; }
# Two nodes, which are this machine: its loopback is the network between them
on_two_nodes() { # VARIABLES... -- ARGUMENTS OF changeover-which
    local settings=()
    while [[ $1 != -- ]]; do settings+=("$1"); shift; done
    tuned env MPICH_INTERFACE_HOSTNAME=127.0.0.1 "${settings[@]}" "$mpiexec" "${hosts[@]}" -n 4 "$which" "${@:2}"
}
networks() { # THE NETWORKS OF THE FILE: its rules are of lightning and of thunder
    echo "{\"version\": 1, \"networks\": $1, \"mpir\": [{$good, \"network\": \"thunder\", \"bytes\": [0, 99]},
        {$good, \"network\": \"lightning\", \"bytes\": [100, null]}]}" >"$file"
}
rule "$good, \"network\": \"lightning\""
expect_ok "the only network" on_two_nodes -- bcast --bytes 100
expect_output "needs no name" "rule /mpir/0"
expect "and no warning" lacks "MPICH:"
expect_ok "another one" on_two_nodes MPIR_CVAR_COLL_TUNING_NETWORK=thunder -- bcast --bytes 100
expect_output "has no rule" built-in
expect_output "and the networks of the file are named" "/networks: there is no network 'thunder' in the file; its networks: lightning"
expect_ok "one node" env MPIR_CVAR_COLL_TUNING_NETWORK=thunder MPIR_CVAR_COLL_TUNING_FILE="$file" "$mpiexec" -n 4 "$which" bcast --bytes 100
expect_output "has no network, so all rules are for it" "rule /mpir/0"
networks '{"thunder": {"subnets": ["10.99.0.0/16", "fd00::/8"]}, "lightning": {"subnets": ["192.0.2.0/25", "127.0.0.0/8"]}}'
expect_ok "a subnet" on_two_nodes -- bcast --bytes 10,100
expect_output "tells the network" "rule /mpir/1"
expect "the only one" lacks "rule /mpir/0"
expect "without a warning" lacks "MPICH:"
expect_ok "the wrong name" on_two_nodes MPIR_CVAR_COLL_TUNING_NETWORK=thunder -- bcast --bytes 10,100
expect_output "is believed" "rule /mpir/0"
expect_output "with a warning that names both" "MPIR_CVAR_COLL_TUNING_NETWORK=thunder, but this job uses 127.0.0.1 (lo), which is lightning; its rules may not fit"
networks '{"thunder": {"subnets": ["128.0.0.0/1"]}, "lightning": {"subnets": ["127.0.0.2/32"]}}'
expect_ok "no network of the file" on_two_nodes -- bcast --bytes 10,100
expect "has no rule" lacks "rule /mpir"
expect_output "and one line says why" "this job uses 127.0.0.1 (lo), which is no network of the file (thunder (128.0.0.0/1), lightning (127.0.0.2/32)): no rule is used between nodes; set MPIR_CVAR_COLL_TUNING_NETWORK to one of them"
expect "one" [ "$(grep -c '^MPICH:' "$work/output")" = 1 ]
networks '{"thunder": {"interfaces": ["lo"]}, "lightning": {"interfaces": ["ib0"]}}'
expect_ok "an interface" on_two_nodes -- bcast --bytes 10,100
expect_output "tells it as well" "rule /mpir/0"
networks '{"thunder": {"provider": "verbs"}, "lightning": {"provider": "tcp"}}'
expect_ok "what the device uses" on_two_nodes -- bcast --bytes 10,100
expect_output "tells it, too" "rule /mpir/1"
networks '{"lightning": {"subnets": ["10.99.0.0/16"]}}'
expect_ok "one network, and the job is on another" on_two_nodes -- bcast --bytes 100
expect_output "is told" "which is no network of the file (lightning (10.99.0.0/16))"
for row in '[]|/networks: an object' '{"a": 1}|/networks/a: an object' '{"a": {"subnets": "10.0.0.0/8"}}|/networks/a/subnets: a list' \
    '{"a": {"subnets": ["10.0.0.0"]}}|is no subnet' '{"a": {"subnets": ["10.0.0.0/33"]}}|is no subnet' '{"a": {"subnets": ["10.0.0/8"]}}|is no subnet' \
    '{"a": {"subnets": ["::/129"]}}|is no subnet' '{"a": {"interface": ["x"]}}|/networks/a/interface: unknown key' '{"": {}}|a name of 1 to 127'; do
    networks "${row%%|*}"
    bad "networks ${row%%|*}" "${row#*|}"
done
rule "$good, \"network\": \"lightning\""
expect_ok "verbose" env MPIR_CVAR_COLL_TUNING_NETWORK=lightning MPIR_CVAR_COLL_TUNING_VERBOSE=2 MPIR_CVAR_COLL_TUNING_FILE="$file" "$mpiexec" -n 4 "$which" bcast --bytes 100
expect_output "verbose: file and network" "MPICH: tuning file $file, network lightning: 1 rules, 1 of them for this network"
expect_output "verbose: communicator" "MPICH: communicator of 4 ranks on 1 nodes, 4 to 4 on each: 1 rules may apply"
expect_output "verbose: choice" "MPICH: bcast of 100 bytes on 4 ranks, 1 nodes: MPIR_Bcast_intra_binomial, by rule /mpir/0"
echo "{\"version\": 1, \"mpir\": [{$good, \"network\": \"thunder\"}, {$good, \"network\": \"lightning\"}]}" >"$file"
expect_ok "the device's network" on_two_nodes MPIR_CVAR_COLL_TUNING_VERBOSE=1 -- bcast --bytes 100
expect_output "is TCP" "network tcp: 2 rules, 0 of them"
expect_output "and no network of the file" "which is no network of the file (thunder, lightning)"

# ---- the file of the installation ----
# A prefix that was moved: the library, and a file beside it
moved=$work/moved
mkdir -p "$moved/lib" "$moved/etc/changeover"
cp "$(dirname "$(dirname "$mpiexec")")"/lib/libmpi.so.12 "$moved/lib"
installed() { # VARIABLES... -- ARGUMENTS OF changeover-which
    local settings=()
    while [[ $1 != -- ]]; do settings+=("$1"); shift; done
    env LD_LIBRARY_PATH="$moved/lib" "${settings[@]}" "$mpiexec" -n 4 "$which" "${@:2}"
}
expect_ok "no file in the prefix" installed MPIR_CVAR_COLL_TUNING_VERBOSE=1 -- bcast --bytes 100
expect "is no problem" lacks "MPICH:"
echo "{\"version\": 1, \"mpir\": [{$good}]}" >"$moved/etc/changeover/tuning.json"
expect_ok "a file in the prefix" installed MPIR_CVAR_COLL_TUNING_VERBOSE=1 -- bcast --bytes 100
expect_output "is read without a variable" "MPICH: tuning file $moved/etc/changeover/tuning.json, "
expect_output "and used" "rule /mpir/0"
expect_ok "none" installed MPIR_CVAR_COLL_TUNING_FILE=none -- bcast --bytes 100
expect_output "is the switch" built-in
rule '"collective": "bcast", "algorithm": "scatter_ring_allgather"'
expect_ok "the file of the user" installed MPIR_CVAR_COLL_TUNING_FILE="$file" -- bcast --bytes 100
expect_output "wins" scatter_ring_allgather
echo '{}' >"$moved/etc/changeover/tuning.json"
expect_ok "a bad file" installed -- bcast --bytes 100
expect_output "is told" "MPIR_CVAR_COLL_TUNING_FILE=$moved/etc/changeover/tuning.json, /: the file has no 'version'"
rm "$moved/etc/changeover/tuning.json"
if ((EUID == 0)) && unshare --mount true 2>/dev/null; then
    cp -a /etc "$work/etc" && mkdir -p "$work/etc/changeover"
    rule "$good" && cp "$file" "$work/etc/changeover/tuning.json"
    with_etc() { unshare --mount sh -c 'mount --bind "$0" /etc && exec "$@"' "$work/etc" "$@"; }
    expect_ok "a file of the system" with_etc env MPIR_CVAR_COLL_TUNING_VERBOSE=1 "$mpiexec" -n 4 "$which" bcast --bytes 100
    expect_output "is read as well" "MPICH: tuning file /etc/changeover/tuning.json, "
fi

# ---- ranks that disagree ----
rule "$good"
mixed() { # SETTINGS OF RANK 3...
    "$mpiexec" -n 3 "$which" bcast --bytes 100000 : -n 1 env "$@" "$which" bcast --bytes 100000
}
expect_ok "another threshold" mixed MPIR_CVAR_BCAST_SHORT_MSG_SIZE=1 MPIR_CVAR_BCAST_MIN_PROCS=2
expect_output "is named" "MPICH: the processes disagree: rank 3 has MPIR_CVAR_BCAST_MIN_PROCS=2, rank 0 has 8; set variables alike"
expect_output "and rank 0's value is used" "what rank 0 has is used"
expect_ok "a forced algorithm" mixed MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather
expect_output "is named" "rank 3 has MPIR_CVAR_BCAST_INTRA_ALGORITHM="
expect_ok "another file" mixed MPIR_CVAR_COLL_TUNING_FILE="$file"
expect_output "is named" "rank 3 has another MPIR_CVAR_COLL_TUNING_FILE than rank 0"
expect_ok "a tree on one rank" mixed MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$tree"
expect_output "is dropped" "the selection files"
expect_abort "abort" "the processes disagree" "$mpiexec" -n 3 "$heard" "$which" bcast : -n 1 env MPIR_CVAR_BCAST_SHORT_MSG_SIZE=1 \
    "$heard" "$which" bcast

# ---- one rank opens the file ----
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    expect_ok "system calls" env MPIR_CVAR_COLL_TUNING_FILE="$file" strace -f -e trace=openat -o "$work/calls" "$mpiexec" -n 8 "$which" bcast --bytes 100
    expect "one rank opens the file" [ "$(grep -c "\"$file\"" "$work/calls")" = 1 ]
fi

finish
