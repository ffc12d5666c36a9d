#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libchangeover-preload-openmpi with the distribution's Open MPI: every algorithm gives the right results; whatever is wrong,
# also a program or a file of MPICH, is one line, and the program runs on.
# usage: openmpi_test.sh LIBRARY LIBRARY_FOR_MPICH CHANGEOVER_BENCH [RANKS]
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../../support/shell.sh"
library=$1 of_mpich=$2 bench=$3 ranks=${4:-4}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export CHANGEOVER_PRELOAD_FIRST_CALL=1 # a rule is used at once

expect_ok "the program" mpicc.openmpi -O1 -o "$work/program" "$here/../every_collective.c"
job() { timeout 120 mpiexec.openmpi --oversubscribe -n "$ranks" "$@"; } # [OPTION...] PROGRAM ...
with() { env "$@" MPIR_CVAR_COLL_TUNING_VERBOSE="${verbose:-0}" timeout 120 mpiexec.openmpi --oversubscribe \
    -n "${few:-2}" -x LD_PRELOAD="${loaded:-$library}" ${program:-"$work/program"} ${level:+"$level"}; }
lines() { grep -c "^changeover-preload: " "$work/output"; }

# ---- file N has the N-th algorithm of each collective
job "$bench" --serve </dev/null 2>/dev/null | head -1 >"$work/header.json"
python3 - "$work/header.json" "$work/every" <<'PYTHON'
import json, sys
header = json.load(open(sys.argv[1]))
chosen = {collective: sorted(values, key=values.get) for collective, values in header["algorithm_values"].items()}
for n in range(max(map(len, chosen.values()))):
    rules = [{"collective": collective, "algorithm": names[n]} for collective, names in chosen.items() if n < len(names)]
    json.dump({"version": 1, "openmpi": rules}, open(f"{sys.argv[2]}-{n}.json", "w"))
PYTHON
for file in "$work"/every-*.json; do
    few=$ranks verbose=1 expect_ok "$(basename "$file")" with MPIR_CVAR_COLL_TUNING_FILE="$file"
    expect_output "$(basename "$file"): results" " of $ranks, 0 wrong"
    expect "$(basename "$file"): it is read" [ "$(grep -c "tuning file" "$work/output")" = 1 ]
    grep 'calls on rank 0$' "$work/output" >>"$work/used"
done
expect "there are many algorithms" test "$(ls "$work"/every-*.json | wc -l)" -ge 9
expect "most of them were used" test "$(sort -u -k7,8 "$work/used" | wc -l)" -ge 40

# ---- one line each, and the results are right
one_line() { # WHAT PATTERN VARIABLE=VALUE...
    expect_ok "$1" with "${@:3}"
    expect_output "$1: results" " 0 wrong"
    expect_output "$1: says so" "$2"
    expect "$1: one line" [ "$(lines)" = 1 ]
}
file=MPIR_CVAR_COLL_TUNING_FILE
good=$file=$work/every-1.json
echo '{"version": 1, "openmpi": [{"collective": "bcast", "algorithm": "nonsense"}]}' >"$work/nonsense.json"
echo '{"version": 1, "openmpi": [{"collective": "bcast", ' >"$work/torn.json"
echo '{"version": 1, "mpir": [{"collective": "bcast", "algorithm": "binomial"}]}' >"$work/mpich.json"
echo '{"version": 1, "openmpi": [{"collective": "ibcast", "algorithm": "binomial"}]}' >"$work/ibcast.json"
mkfifo "$work/fifo"
one_line "no file" "MPIR_CVAR_COLL_TUNING_FILE has to name a tuning file"
one_line "a file that is missing" "$work/missing.json: " $file="$work/missing.json"
one_line "an unknown algorithm" "/openmpi/0/algorithm: 'nonsense' is no algorithm of bcast here; use one of: basic_linear" $file="$work/nonsense.json"
one_line "a nonblocking collective" "section openmpi has no algorithm of ibcast" $file="$work/ibcast.json"
one_line "a torn file" "$work/torn.json: " $file="$work/torn.json"
one_line "a pipe" "$work/fifo: " $file="$work/fifo"
one_line "a file of MPICH" "$work/mpich.json: its rules are for MPICH, and this program has Open MPI" $file="$work/mpich.json"
level=3 one_line "threads" "with MPI_THREAD_MULTIPLE" "$good"
one_line "rules of Open MPI's own" "coll_tuned_dynamic_rules_filename is set" OMPI_MCA_coll_tuned_dynamic_rules_filename=/dev/null "$good"
one_line "dynamic rules off" "coll_tuned_use_dynamic_rules is switched off" OMPI_MCA_coll_tuned_use_dynamic_rules=0 "$good"
one_line "no coll/tuned" "no control variable that chooses an algorithm" OMPI_MCA_coll=^tuned "$good"
loaded=$of_mpich one_line "the library for MPICH" "this program has Open MPI; preload libchangeover-preload-openmpi.so" "$good"
# as on the first of two nodes
program="env OMPI_COMM_WORLD_LOCAL_SIZE=1 $work/program"
one_line "several nodes" "on several nodes, all ranks need this library: mpiexec -x LD_PRELOAD -x CHANGEOVER_PRELOAD=always" "$good"
verbose=1 expect_ok "several nodes, all with the library" with CHANGEOVER_PRELOAD=always "$good"
expect_output "several nodes: rules are used" "calls on rank 0"
program=
expect_ok "several nodes, by a list of variables" env LD_PRELOAD="$library" MPIR_CVAR_COLL_TUNING_VERBOSE=1 "$good" \
    OMPI_MCA_mca_base_env_list="LD_PRELOAD;MPIR_CVAR_COLL_TUNING_FILE" \
    timeout 120 mpiexec.openmpi --oversubscribe -n 2 env OMPI_COMM_WORLD_LOCAL_SIZE=1 "$work/program"
expect_output "several nodes, by a list of variables: rules are used" "calls on rank 0"

expect_ok "off" with MPIR_CVAR_COLL_TUNING_ENABLE=0 "$good"
expect "off: no line" [ "$(lines)" = 0 ]
verbose=1 expect_ok "forced by the user" with OMPI_MCA_coll_tuned_bcast_algorithm=2 "$good"
expect "forced by the user: not by the rule" [ "$(grep -c ", bcast .* calls on rank 0" "$work/output")" = 0 ]
expect_output "forced by the user: other rules are used" "calls on rank 0"
verbose=1 CHANGEOVER_PRELOAD_FIRST_CALL=1000 expect_ok "few calls" with "$good"
expect "few calls: none by a rule" [ "$(grep -c "calls on rank 0" "$work/output")" = 1 ]

# ---- other programs
if command -v gfortran mpifort.openmpi >/dev/null; then
    for module in mpi mpi_f08; do
        cat >"$work/sum.f90" <<PROGRAM
program sums
    use $module
    integer :: rank, total, code
    integer :: all(2)
    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    all(rank + 1) = total
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, code)
    if (rank == 0) print *, "sum of ranks", sum(all)
    call MPI_Finalize(code)
end program
PROGRAM
        echo '{"version": 1, "openmpi": [{"collective": "allreduce", "algorithm": "ring"}, {"collective": "allgather", "algorithm": "ring"}]}' >"$work/sum.json"
        expect_ok "a program in Fortran" mpifort.openmpi -o "$work/sum" "$work/sum.f90"
        verbose=1 program=$work/sum expect_ok "$module" with $file="$work/sum.json"
        expect "$module: the result" grep -q "sum of ranks  *2$" "$work/output"
        for collective in allreduce allgather; do
            expect_output "$module: by the rule" "$collective ring: 1 calls on rank 0"
        done
    done
fi
if command -v mpicc.mpich mpiexec.mpich >/dev/null; then
    expect_ok "a program of MPICH" mpicc.mpich -O1 -o "$work/of_mpich" "$here/../every_collective.c"
    expect_ok "in MPICH" env "$good" LD_PRELOAD="$library" timeout 120 mpiexec.mpich -n 2 "$work/of_mpich"
    expect_output "in MPICH: results" " 0 wrong"
    expect_output "in MPICH: says so" "this program has MPICH; preload libchangeover-preload.so"
    expect "in MPICH: one line" [ "$(lines)" = 1 ]
    expect_ok "MPICH, a file of Open MPI" env "$good" LD_PRELOAD="$of_mpich" timeout 120 mpiexec.mpich -n 2 "$work/of_mpich"
    expect_output "MPICH, a file of Open MPI: says so" "its rules are for Open MPI, and this program has MPICH"
    expect "MPICH, a file of Open MPI: one line" [ "$(lines)" = 1 ]
fi
cat >"$work/late.c" <<'PROGRAM'
#include <dlfcn.h>
#include <stdio.h>
#ifdef LATE
#include <mpi.h>
int run(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum;
}
#else
int main(int argc, char **argv)
{
    void *late = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    printf("the sum is %d\n", late ? ((int (*)(int, char **)) dlsym(late, "run"))(argc, argv) : -1);
    return 0;
}
#endif
PROGRAM
for kind in openmpi mpich; do
    command -v mpicc.$kind >/dev/null || continue
    mpicc.$kind -DLATE -shared -fPIC -o "$work/late.so" "$work/late.c"
    gcc -o "$work/late" "$work/late.c" -ldl
    if [[ $kind == openmpi ]]; then
        program="$work/late $work/late.so" expect_ok "MPI later" with "$good"
    else
        expect_ok "MPI later" env "$good" LD_PRELOAD="$of_mpich" timeout 120 mpiexec.mpich -n 2 "$work/late" "$work/late.so"
    fi
    expect_output "MPI later, $kind: the result" "the sum is 1"
    expect_output "MPI later, $kind: says so" "has loaded its MPI library later"
done
expect_ok "a program without MPI" env LD_PRELOAD="$library" LD_BIND_NOW=1 ls /
expect "a program without MPI: no line" [ "$(lines)" = 0 ]
finish
