#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example of the quick start: built by the patched MPICH's mpicc, it computes the same with rules as without.
# usage: heat_test.sh MPIEXEC SOURCE
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
mpiexec=$1 source=$2

expect_ok "mpicc" "$(dirname "$mpiexec")/mpicc" -Wall -Wextra -Werror -O2 "$source" -o "$work/heat"
echo '{"version": 1, "mpir": [{"collective": "bcast", "algorithm": "scatter_ring_allgather"},
    {"collective": "allreduce", "algorithm": "recursive_doubling"}]}' >"$work/tuning.json"
change() { sed -n 's/.*last change //p' "$work/output"; }
expect_ok "without rules" env MPIR_CVAR_COLL_TUNING_FILE=none "$mpiexec" -n 4 "$work/heat" 50
expect_output "says what it did" "4 ranks, 50 steps: "
without=$(change)
expect_ok "with rules" env MPIR_CVAR_COLL_TUNING_VERBOSE=2 MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json" "$mpiexec" -n 4 "$work/heat" 50
expect_output "uses them" "MPIR_Bcast_intra_scatter_ring_allgather, by rule /mpir/0"
expect_output "both" "MPIR_Allreduce_intra_recursive_doubling, by rule /mpir/1"
expect "the same result ($without)" test -n "$without" -a "$without" = "$(change)"

# Programs that were built with Debian's MPICH run with the patched library as they are. Fortran only where the patched
# library has it.
prefix=$(dirname "$(dirname "$mpiexec")")
relinked() { env LD_LIBRARY_PATH="$prefix/lib/debian" MPIR_CVAR_COLL_TUNING_VERBOSE=2 MPIR_CVAR_COLL_TUNING_FILE="$work/tuning.json" "$mpiexec" -n 4 "$@"; }
if command -v mpicc.mpich >/dev/null; then
    expect_ok "Debian's mpicc" mpicc.mpich -O2 "$source" -o "$work/heat-c"
    expect_ok "Debian's mpicxx" mpicxx.mpich -O2 -x c++ "$source" -o "$work/heat-cxx"
    for program in heat-c heat-cxx; do
        expect_ok "$program of Debian's MPICH" relinked "$work/$program" 50
        expect_output "$program of Debian's MPICH: uses the rules" "MPIR_Bcast_intra_scatter_ring_allgather, by rule /mpir/0"
        expect "$program of Debian's MPICH: the same result" test "$without" = "$(change)"
    done
fi
if [[ -e $prefix/lib/debian/libmpichfort.so.12 ]] && command -v mpifort.mpich >/dev/null; then
    cat >"$work/sum.f90" <<'FORTRAN'
program sums
    use mpi
    integer :: rank, ranks, total, error
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank == 0) print *, "sum of ranks", total
    call MPI_Finalize(error)
end program
FORTRAN
    expect_ok "Debian's mpifort" mpifort.mpich "$work/sum.f90" -o "$work/sum"
    expect_ok "a Fortran program of Debian's MPICH" relinked "$work/sum"
    expect_output "a Fortran program of Debian's MPICH: uses the rules" "MPIR_Allreduce_intra_recursive_doubling, by rule /mpir/1"
    expect_output "a Fortran program of Debian's MPICH: its result" "sum of ranks           6"
    expect_ok "mpifort" "$prefix/bin/mpifort" -x f95 "$work/sum.f90" -o "$work/own"
    expect_ok "a Fortran program" "$mpiexec" -n 4 "$work/own"
fi
expect_ok "one rank" "$mpiexec" -n 1 "$work/heat" 5
finish
