#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rules for Open MPI, read by the real library: each changeover is at the size that the rule says, whatever Open MPI
# counts as the size of that collective; on other numbers of ranks nothing changes.
# usage: openmpi_rules_test.sh MPIEXEC EMIT_TOOL OPENMPI_BEHAVIOUR CHANGEOVER_BENCH LIBCHANGEOVER_PRELOAD_OPENMPI
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../../support/shell.sh"
mpiexec=$1 tool=$2 behaviour=$3 bench=$4 preload=$5
options=(--allow-run-as-root --oversubscribe --mca btl "self,vader,tcp" --mca btl_tcp_if_include lo)

run() { # RANKS PROGRAM ...
    timeout 60 "$mpiexec" "${options[@]}" -n "$1" "${@:2}"
}
with() { # FILE COMMAND ...: reads rules
    env OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename="$1" "${@:2}"
}
messages() { # FILE|none RANKS COLLECTIVE BYTES...: lines of bytes and messages
    if [[ $1 == none ]]; then
        timeout 60 "$mpiexec" "${options[@]}" -n "${@:2:1}" "$behaviour" "${@:3}"
    else
        with "$1" timeout 60 "$mpiexec" "${options[@]}" -n "${@:2:1}" "$behaviour" "${@:3}"
    fi
}

# ---- what emit writes

run 4 "$bench" --serve </dev/null 2>/dev/null | head -1 >"$work/header.json"
"$tool" openmpi-config "$work/header.json" >"$work/config.json"
"$tool" emit openmpi "$work/config.json" 1 4 >"$work/rules.conf"
for collective in bcast reduce allreduce allgather allgatherv alltoall reduce_scatter reduce_scatter_block barrier; do
    "$tool" expect openmpi "$work/config.json" 1 4 $collective >"$work/expected"
    mapfile -t sizes < <(cut -d' ' -f1 "$work/expected")
    messages none 4 $collective "${sizes[@]}" | cut -d' ' -f1,2 >"$work/plain"
    messages "$work/rules.conf" 4 $collective "${sizes[@]}" | cut -d' ' -f1,2 >"$work/got"
    # sizes without a rule are as without the file
    awk 'NR == FNR {plain[$1] = $2; next} {print $1, $2 == "default" ? plain[$1] : $3}' "$work/plain" \
        "$work/expected" >"$work/wanted"
    expect "$collective: sizes on both sides of the changeovers" test "$(wc -l <"$work/wanted")" -ge 1
    expect "$collective: expected (<) and found (>) messages" diff "$work/wanted" "$work/got"
    expect "$collective: the rules change it" test "$(cat "$work/plain")" != "$(cat "$work/got")"
done
sizes=(300 1000 9000 50000)
for collective in bcast allgather; do
    for ranks in 2 3 5; do
        messages none $ranks $collective "${sizes[@]}" >"$work/wanted"
        messages "$work/rules.conf" $ranks $collective "${sizes[@]}" >"$work/got"
        expect "$collective on $ranks ranks: as without a file" diff "$work/wanted" "$work/got"
    done
done

# ---- the tuning file, by the preloaded library: scatter, too, but the variable of allgatherv cannot be written in 4.1
"$tool" emit mpich "$work/config.json" 1 4 >"$work/tuning.json"
for collective in bcast reduce allreduce allgather alltoall reduce_scatter reduce_scatter_block barrier scatter; do
    "$tool" expect openmpi "$work/config.json" 1 4 $collective >"$work/expected"
    mapfile -t sizes < <(cut -d' ' -f1 "$work/expected")
    messages none 4 $collective "${sizes[@]}" | cut -d' ' -f1,2 >"$work/plain"
    (export LD_PRELOAD=$preload MPIR_CVAR_COLL_TUNING_FILE=$work/tuning.json CHANGEOVER_PRELOAD_FIRST_CALL=1
        messages none 4 $collective "${sizes[@]}") 2>"$work/errors" | cut -d' ' -f1,2 >"$work/got"
    awk 'NR == FNR {plain[$1] = $2; next} {print $1, $2 == "default" ? plain[$1] : $3}' "$work/plain" \
        "$work/expected" >"$work/wanted"
    expect "$collective, preloaded: expected (<) and found (>) messages" diff "$work/wanted" "$work/got"
    expect "$collective, preloaded: what is missing is said" grep -q "1 of 11 rules .* of allgatherv$" "$work/errors"
done

# ---- by a parameter file
"$tool" emit openmpi-params "$work/config.json" 1 4 "$work/rules.conf" >"$work/params.conf"
"$tool" expect openmpi "$work/config.json" 1 4 bcast | awk '$2 != "default" {print $1, $3}' >"$work/wanted"
mapfile -t sizes < <(cut -d' ' -f1 "$work/wanted")
env OMPI_MCA_mca_base_param_files="$work/params.conf" timeout 60 "$mpiexec" "${options[@]}" -n 4 "$behaviour" bcast \
    "${sizes[@]}" | cut -d' ' -f1,2 >"$work/got"
expect "the parameter file makes Open MPI read the rules" diff "$work/wanted" "$work/got"

# ---- by the parameter file of the installation, for all users: replaced in a mount namespace
settings=$("$(dirname "$mpiexec")/ompi_info" --parsable --path sysconfdir 2>/dev/null | sed -n 's/^path:sysconfdir://p')
if ((EUID == 0)) && [[ -e $settings/openmpi-mca-params.conf ]] && unshare --mount true 2>/dev/null; then
    cat "$settings/openmpi-mca-params.conf" "$work/params.conf" >"$work/all.conf"
    unshare --mount sh -c 'mount --bind "$0" "$1" && shift && exec "$@"' "$work/all.conf" "$settings/openmpi-mca-params.conf" \
        timeout 60 "$mpiexec" "${options[@]}" -n 4 "$behaviour" bcast "${sizes[@]}" | cut -d' ' -f1,2 >"$work/got"
    expect "the file of the installation makes Open MPI read the rules" diff "$work/wanted" "$work/got"
fi

# ---- what emit leaves out, and why: files made by hand, with one changeover
rule() { printf '1\n%d\n1\n4\n2\n0 0 0 0\n%d %d 0 0\n' "$1" "$2" "$3" >"$work/hand.conf"; } # ID FROM ALGORITHM
differs_at() { # COLLECTIVE BYTES: the file changes the call
    messages none 4 "$1" "$2" >"$work/wanted"
    messages "$work/hand.conf" 4 "$1" "$2" >"$work/got"
    ! cmp -s "$work/wanted" "$work/got"
}
same_at() { ! differs_at "$@"; }
rule 9 4000 1 # gather, linear: the total by the sender's arguments
expect "gather of 999 bytes for each of 4 ranks is below 4000" same_at gather 999
expect "gather of 1000 bytes is not" differs_at gather 1000
rule 15 4000 1 # scatter, linear
expect "scatter of 999 bytes for each of 4 ranks is below 4000" same_at scatter 999
expect "scatter of 1000 bytes is not" differs_at scatter 1000
rule 14 5 2 # scan, recursive doubling: an element of 1 byte times 4 ranks, whatever the count
expect "scan: no number of elements makes 5" same_at scan 100000
rule 14 4 2
expect "scan: any number of them makes 4" differs_at scan 8
rule 8 5 2 # exscan
expect "exscan: no number of elements makes 5" same_at exscan 100000
rule 8 4 2
expect "exscan: any number of them makes 4" differs_at exscan 8
rule 4 1 2 # alltoallv, pairwise
expect "alltoallv is never of size 1" same_at alltoallv 100000
printf '1\n4\n1\n4\n1\n0 2 0 0\n' >"$work/hand.conf"
expect "but always of size 0" differs_at alltoallv 100000
finish
