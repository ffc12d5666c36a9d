#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A tuning of this machine by the quick plan, which wants far more time, keeps its budget within 10%, and has rules or
# says that there are none.
# usage: budget_test.sh CHANGEOVER SECONDS
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1
budget=$2

start=$(date +%s%N)
# a short time may be too short for any rule, which is told
in_time() { "$@" 2>&1 | tee "$work/said"; ((PIPESTATUS[0] == 0)) || grep -q "the run has no result: not determined" "$work/said"; }
expect_ok "tune" in_time "$changeover" tune --plan quick --ranks 16 --fake-nodes 4 --budget "${budget}s" --run "$work/run"
milliseconds=$((($(date +%s%N) - start) / 1000000))
echo "budget $budget s, used $milliseconds ms"
expect "at most 110% of the budget" test "$milliseconds" -le $((budget * 1100))
expect_output "a summary" "Measured"
expect "a verified configuration" grep -q '"verified": true' "$work/run/config.json"
finish
