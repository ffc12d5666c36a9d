#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/quickstart on a machine that has nothing: an empty Debian in a folder, an empty cache, a clone of this commit.
# What was installed by hand on this machine cannot hide a missing step there. Needs root and the network.
# usage: fresh_machine_test.sh PROJECT
set -uo pipefail
((EUID == 0)) || { echo "skipped: an empty Debian needs root; run the tests as root" >&2; exit 77; }
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
root=$work/root
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")

# inside COMMAND...     in the empty Debian, in the clone
inside() {
    unshare --mount --pid --fork --kill-child bash -c '
        mount -t proc proc "$0/proc" && mount --rbind /sys "$0/sys" && mount --rbind /dev "$0/dev" || exit
        exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c "cd /root/changeover && exec \"\$@\"" sh "$@"
    ' "$root" "$@"
}

expect_ok "an empty Debian" debootstrap --variant=minbase "$suite" "$root"
((failures == 0)) || { finish; exit 1; }
cp /etc/resolv.conf /etc/hosts "$root/etc/"
expect_ok "a clone" git clone --quiet --no-local "$1" "$root/root/changeover"
expect_ok "quickstart" inside scripts/quickstart
expect_output "quickstart: where the report is" "report          /root/changeover/build/quickstart-run/report.html"
expect "quickstart: the report" [ -s "$root/root/changeover/build/quickstart-run/report.html" ]
expect "quickstart: the tuning file" [ -s "$root/root/changeover/build/quickstart-run/tuning.json" ]
cp "$work/output" "$work/quickstart"
next=$(sed -n 's/^  summary again  *//p' "$work/output")
expect_ok "quickstart: the command that it prints" inside sh -c "${next:-false}"
expect_output "quickstart: the summary of the run" "the measured calls took"
expect "quickstart: a program with the rules" grep -q '^  with     4 ranks, 300 steps: ' "$work/quickstart"
verbose='MPIR_CVAR_COLL_TUNING_VERBOSE=1 MPIR_CVAR_COLL_TUNING_FILE=$PWD/build/quickstart-run/tuning.json'
expect_ok "a job of the user" inside sh -c "$verbose \$(scripts/mpich-prefix)/bin/mpiexec -n 4 build/bin/heat 10"
expect "a job of the user: rules apply" grep -q "communicator of 4 ranks on 1 nodes, 4 to 4 on each: [1-9][0-9]* rules may apply" "$work/output"

# programs in C++ and Fortran, and MPI-IO; Debian's own MPICH is not there
cat >"$root/root/changeover/build/file.cpp" <<'PROGRAM'
#include <mpi.h>
#include <cstdio>
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "build/ranks", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank * sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
}
PROGRAM
cat >"$root/root/changeover/build/sum.f90" <<'PROGRAM'
program sums
    use mpi_f08
    integer :: rank, total
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (rank == 0) print *, "sum of ranks", total
    call MPI_Finalize()
end program
PROGRAM
expect_ok "C++ and MPI-IO" inside sh -c 'p=$(scripts/mpich-prefix)/bin; $p/mpicxx build/file.cpp -o build/file && $p/mpiexec -n 4 build/file'
expect "C++ and MPI-IO: the file" [ "$(od -An -td4 "$root/root/changeover/build/ranks" | tr -s ' ')" = " 0 1 2 3" ]
expect_ok "Fortran" inside sh -c 'p=$(scripts/mpich-prefix)/bin; $p/mpifort build/sum.f90 -o build/sum && $p/mpiexec -n 4 build/sum'
expect_output "Fortran" "sum of ranks           6"

# installed, moved, run again
expect_ok "install" inside scripts/install /opt/changeover
expect_ok "install-config" inside /opt/changeover/bin/changeover install-config --run build/quickstart-run --prefix /opt/changeover/mpich
mv "$root/opt/changeover" "$root/opt/moved"
expect_ok "the moved prefix" inside sh -c 'mv /root/.cache /root/hidden; s=0
    for c in bcast allreduce allgather alltoall; do # which of them have rules depends on the machine
        /opt/moved/mpich/bin/mpiexec -n 4 /opt/moved/bin/changeover-which $c --bytes 8:1Mi:x2 || s=1
    done
    mv /root/hidden /root/.cache; exit $s'
expect_output "the moved prefix: rules are in use" "of the tuning file"
expect_ok "uninstall" inside scripts/install --uninstall /opt/moved
expect "uninstall: only the rules are left" [ "$(cd "$root/opt/moved" && find . -type f)" = ./mpich/etc/changeover/tuning.json ]
expect_ok "again: nothing is installed or built twice" inside scripts/setup
expect "again: nothing is said" [ ! -s "$work/output" ]
finish
