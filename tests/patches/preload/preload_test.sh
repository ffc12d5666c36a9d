#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libchangeover-preload with an MPICH that nobody here has built: every algorithm gives the right results and nothing stays
# set; whatever is wrong is one line, and the program runs on.
# usage: preload_test.sh LIBRARY MPICC MPIEXEC FOLDER_OF_FILES [RANKS]
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
library=$1 mpicc=$2 mpiexec=$3 files=$4 ranks=${5:-2}

expect_ok "the program" "$mpicc" -O1 -o "$work/program" "$here/every_collective.c"
job() { timeout 120 "$mpiexec" -n "$ranks" "$work/program"; }
with() { env "$@" LD_PRELOAD="$library" MPIR_CVAR_COLL_TUNING_VERBOSE="${verbose:-0}" timeout 120 "$mpiexec" -n "$ranks" "$work/program" ${level:+"$level"}; }
lines() { grep -c "^changeover-preload: " "$work/output"; }

expect_ok "without" job
expect_output "without: results" " of $ranks, 0 wrong"
for file in "$files"/every-algorithm-*.json; do
    verbose=1 expect_ok "$file" with MPIR_CVAR_COLL_TUNING_FILE="$file"
    expect_output "$file: results" " of $ranks, 0 wrong"
    expect "$file: rules are used" [ "$(grep -c 'calls on rank 0$' "$work/output")" -gt 20 ]
done

# one line each, and the results are right
one_line() { # WHAT PATTERN VARIABLE=VALUE...
    expect_ok "$1" with "${@:3}"
    expect_output "$1: results" " 0 wrong"
    expect_output "$1: says so" "$2"
    expect "$1: one line" [ "$(lines)" = 1 ]
}
echo '{"version": 1, "mpir": [{"collective": "bcast", "algorithm": "nonsense"}]}' >"$work/nonsense.json"
echo '{"version": 1, "mpir": [{"collective": "bcast", ' >"$work/torn.json"
mkfifo "$work/fifo"
one_line "no file" "MPIR_CVAR_COLL_TUNING_FILE has to name a tuning file"
one_line "a file that is missing" "$work/missing.json: " MPIR_CVAR_COLL_TUNING_FILE="$work/missing.json"
one_line "an unknown algorithm" "/mpir/0/algorithm: 'nonsense' is no algorithm of bcast here" MPIR_CVAR_COLL_TUNING_FILE="$work/nonsense.json"
one_line "a torn file" "$work/torn.json: " MPIR_CVAR_COLL_TUNING_FILE="$work/torn.json"
one_line "a pipe" "$work/fifo: " MPIR_CVAR_COLL_TUNING_FILE="$work/fifo"
level=3 one_line "threads" "with MPI_THREAD_MULTIPLE" MPIR_CVAR_COLL_TUNING_FILE="$files/every-algorithm-0.json"
one_line "a fallback that is an error" "MPIR_CVAR_COLLECTIVE_FALLBACK" MPIR_CVAR_COLLECTIVE_FALLBACK=error MPIR_CVAR_COLL_TUNING_FILE="$files/every-algorithm-0.json"

expect_ok "off" with MPIR_CVAR_COLL_TUNING_ENABLE=0 MPIR_CVAR_COLL_TUNING_FILE="$files/every-algorithm-0.json"
expect "off: no line" [ "$(lines)" = 0 ]
echo '{"version": 1, "mpir": [{"collective": "bcast", "algorithm": "binomial"}, {"collective": "scan", "algorithm": "recursive_doubling"}]}' >"$work/two.json"
verbose=1 expect_ok "forced by the user" with MPIR_CVAR_SCAN_INTRA_ALGORITHM=recursive_doubling MPIR_CVAR_COLL_TUNING_FILE="$work/two.json"
expect "forced by the user: not by the rule" [ "$(grep -c "scan recursive_doubling: " "$work/output")" = 0 ]
expect "forced by the user: the other rule is used" grep -q "bcast binomial: .* calls" "$work/output"
mpifort=${mpicc/mpicc/mpifort}
if command -v gfortran >/dev/null && command -v "$mpifort" >/dev/null; then
    cat >"$work/sum.f90" <<'PROGRAM'
program sums
    use mpi
    integer :: rank, total, code
    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    if (rank == 0) print *, "sum of ranks", total
    call MPI_Finalize(code)
end program
PROGRAM
    echo '{"version": 1, "mpir": [{"collective": "allreduce", "algorithm": "recursive_doubling"}]}' >"$work/allreduce.json"
    expect_ok "a program in Fortran" "$mpifort" -o "$work/program" "$work/sum.f90"
    verbose=1 expect_ok "in Fortran" with MPIR_CVAR_COLL_TUNING_FILE="$work/allreduce.json"
    expect "in Fortran: the result" grep -q "sum of ranks  *$((ranks * (ranks - 1) / 2))$" "$work/output"
    expect_output "in Fortran: by the rule" "allreduce recursive_doubling: 1 calls on rank 0"
fi
expect_ok "a program without MPI" env LD_PRELOAD="$library" LD_BIND_NOW=1 ls /
expect "a program without MPI: no line" [ "$(lines)" = 0 ]
finish
