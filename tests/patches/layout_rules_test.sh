#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What rules cost a new communicator: they are found once for each layout. Instructions of MPI_Comm_dup, counted by
# callgrind, are about the same with 1000 rules as with 100000. And communicators of many layouts get the right rules.
# usage: layout_rules_test.sh PROGRAM
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
program=$1
times=20

# rules SPECIAL COMMON: for each of so many numbers of ranks one for short messages, and so many for all
rules() {
    awk -v special="$1" -v common="$2" 'BEGIN {
        printf "{\"version\": 1, \"mpir\": ["
        for (i = 0; i < special + common; i++)
            if (i < special)
                printf "%s\n{\"collective\": \"bcast\", \"ranks\": %d, \"bytes\": [0, 999], \"algorithm\": \"binomial\"}", i ? "," : "", i + 1
            else
                printf "%s\n{\"collective\": \"bcast\", \"bytes\": %d, \"algorithm\": \"binomial\"}", i ? "," : "", 1000 + i - special
        print "\n]}" }'
}

rules 64 60000 >"$work/rules.json"
expect_ok "layouts" env MPIR_CVAR_COLL_TUNING_FILE="$work/rules.json" "$program" check
expect_output "layouts: each gets its rules" "0 wrong"

# On x86_64, glibc clears memory by an instruction that callgrind counts once for each byte
export GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=1000000000
count() { # RULES: instructions of one duplicate
    rules 0 "$1" >"$work/rules.json"
    local file=$work/rules.json
    (($1)) || file=
    MPIR_CVAR_COLL_TUNING_FILE=$file valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=/dev/null \
        "$program" dup $times 2>&1 | sed -n 's/.*Collected : //p' | awk -v n=$times '{ print int($1 / n) }'
}
without=$(count 0)
few=$(count 1000)
many=$(count 100000)
echo "instructions of MPI_Comm_dup and MPI_Comm_free on one rank: $without without rules, $few with 1000, $many with 100000"
expect "they are counted" [ "${without:-0}" -gt 1000 ]
# one rank exchanges no message: all that there is to compare with is a few thousand instructions
expect "1000 rules" [ "$few" -le $((without + 5000)) ]
expect "100000 rules cost what 1000 do" [ "$many" -le $((few + few / 20)) ]
finish
