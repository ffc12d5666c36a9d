#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libchangeover-preload in a program of Open MPI, whose handles are pointers: one line, and the program runs on.
# usage: other_library_test.sh LIBRARY
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

expect_ok "the program" mpicc.openmpi -O1 -o "$work/program" "$here/every_collective.c"
expect_ok "with the library" timeout 120 mpiexec.openmpi --oversubscribe -n 2 -x LD_PRELOAD="$1" "$work/program"
expect_output "with the library: results" " of 2, 0 wrong"
expect_output "with the library: says so" "changeover-preload: no rule is used: this program has Open MPI"
expect "with the library: one line" [ "$(grep -c changeover-preload "$work/output")" = 1 ]
finish
