#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tunes this machine with the plan quick; most of the verified intervals hold in later jobs. 90% is the goal, on a machine
# with nothing else to do; fewer than 75% is a mistake.
# usage: later_jobs_test.sh CHANGEOVER MPIEXEC BENCHMARK
set -euo pipefail
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
"$1" tune --plan quick --ranks 16 --fake-nodes 4 --run "$run/run" >/dev/null
"$(dirname "$(realpath "$0")")/later_jobs.py" "$2" "$3" "$run/run" --least-share 0.75
