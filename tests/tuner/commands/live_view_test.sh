#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a terminal, tune shows lines that are rewritten; a narrow one does not wrap them, and none stays at the end, also if
# it is interrupted. With TERM=dumb or NO_COLOR there are plain lines.
# usage: live_view_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1
# said WHAT PATTERN: a line of the last output, as a regular expression
said() { expect "$1" grep -q -e "$2" "$work/output"; }

cat >"$work/cluster.json" <<'JSON'
{"hosts": ["a", "b", "c"], "launcher": {"kind": "hydra-fork"}, "layouts": [{"nodes": 2, "ppn": 1}, {"nodes": 3, "ppn": 1}]}
JSON
cat >"$work/plan.json" <<'JSON'
{"collectives": [{"name": "bcast", "max_bytes": 512}, {"name": "allreduce", "max_bytes": 512}], "case_seconds": 0.05,
 "verify_repetitions": 20}
JSON
# on_terminal TERM NO_COLOR COLUMNS RUN [INTERRUPT_AT]: tunes there; leaves what was shown in $work/output, line by line,
# and what is on the screen at the end in $work/screen
on_terminal() { python3 "$here/live_view.py" "$work" "$1" "$2" "$3" "${5:-}" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$work/$4"; }
no_codes() { ! grep -q $'\033' "$work/bytes"; }

expect "a terminal" on_terminal xterm "" 100 wide
said "progress by layout" "^default 3x1  grids [0-2] of 2, cells [0-2] of 2$"
said "the best algorithm so far" "^best so far: 8"
said "the time that is left" " left: allreduce"
expect "notes stay" grep -q "^Estimated time: " "$work/screen"
expect "nothing else does" eval '! grep -e "cells [0-9] of" -e "best so far" -e "cases.*: " "$work/screen"'

expect "a narrow terminal, interrupted" on_terminal xterm "" 30 narrow "best so far"
said "a line is cut" "^default 3x1  grids [0-2] of 2,\( c\|$\)"
expect "its lines are gone" eval '! grep -e "grids [0-9] of" -e "best so far" "$work/screen"'
expect "it says how to resume" grep -qi "resume with" "$work/screen"

expect "a dumb terminal" on_terminal dumb "" 100 dumb "that is left"
expect "has no codes" no_codes
said "but plain lines" "^0 cases: messages between nodes"
expect "without colour" on_terminal xterm 1 100 plain "that is left"
expect "has no codes" no_codes
finish
