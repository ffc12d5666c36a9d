#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The commands of a page of tuner/docs/, from its text, in a lab; with short measurements in place of long ones.
# usage: pages_test.sh PAGE SOURCE_FOLDER BIN_FOLDER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/lab.sh"
page=$1 source=$2 bin=$3
cd "$work" || exit 1
ln -s "$source/scripts" "$source/tuner" .
mkdir -p shared/changeover
export PATH=$bin:$PATH
in_lab=("$lab" exec $one head)
cluster=/run/changeover-lab/$one/cluster.json

# run_page ARGUMENTS...: of page_commands.py
run_page() {
    expect_ok "the commands of $page" "${in_lab[@]}" python3 "$source/tests/support/page_commands.py" "$source/tuner/docs/$page.md" \
        --replace "/shared/ => $work/shared/" --replace "--prefix \"\$(scripts/mpich-prefix)\" => --prefix $work/shared/prefix" "$@"
    cat "$work/output"
}

case $page in
compare-networks)
    expect_ok "up" "$lab" up --nodes 2 --slots 1 --layout 2x1 --network eth:100mbit --network fast $one
    cp "$cluster" cluster.json
    run_page --replace "--budget 2h => --collectives bcast --budget 25s" --least 5
    expect_output "both networks are compared" "bcast 2x1"
    expect_output "and messages on them" "one way, B/A"
    ;;
hardware-change)
    expect_ok "up, at 10 Mbit/s" "$lab" up --nodes 3 --slots 1 --layout 3x1 --network eth:10mbit $one
    expect_ok "tune" "${in_lab[@]}" changeover tune --cluster "$cluster" --collectives bcast --budget 40s --run tuned
    expect_ok "the change" "$lab" rate $one eth 100mbit
    run_page --least 6
    expect_output "what moved" "network eth: between.byte (G): "
    expect_output "it was measured again" "network eth changed"
    ;;
other-mpi)
    expect_ok "up" "$lab" up --nodes 2 --slots 1 --network eth:100mbit $one
    cat >app.c <<'C'
#include <mpi.h>
int main(int argc, char **argv) {
    double value = 1;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
C
    for library in mpich openmpi; do
        expect_ok "a program of $library" mpicc.$library app.c -o app-$library
    done
    cat >plan.json <<'JSON'
{"collectives": [{"name": "bcast", "max_bytes": 32768}], "size_step": 64, "changeover_factor": 4, "case_seconds": 0.02,
 "min_repetitions": 6, "verify_repetitions": 12, "verify_sizes": 2}
JSON
    # root may do it here; and ranks that wait leave their core to others
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
    run_page --replace "--plan standard --budget 2h => --plan plan.json" --least 14
    ;;
esac
expect_ok "down" "$lab" down $one
finish
