// SPDX-License-Identifier: MIT
// The heat equation on a square, as many programs of MPI are made: each rank has some rows, exchanges the
// rows at its borders with its neighbours, and all ranks agree by an allreduce on how much has changed, and
// by a broadcast on what rank 0 read. Prints what the collectives took, and a sum that must not depend on
// them. usage: mpiexec -n RANKS heat [STEPS]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { width = 256, rows_of_rank = 16, values_to_agree_on = 1024 };

static double old_rows[rows_of_rank + 2][width];
static double new_rows[rows_of_rank + 2][width];

static double change_of_step(void) {
    double change = 0;
    for (int y = 1; y <= rows_of_rank; y++) {
        for (int x = 1; x < width - 1; x++) {
            new_rows[y][x] =
                0.25 * (old_rows[y - 1][x] + old_rows[y + 1][x] + old_rows[y][x - 1] + old_rows[y][x + 1]);
            const double difference = new_rows[y][x] - old_rows[y][x];
            change += difference * difference;
        }
    }
    for (int y = 1; y <= rows_of_rank; y++)
        for (int x = 1; x < width - 1; x++) old_rows[y][x] = new_rows[y][x];
    return change;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int steps = argc > 1 ? atoi(argv[1]) : 1000;
    const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;

    double profile[values_to_agree_on] = {0};  // of the heat, in parts of the square
    double settings[values_to_agree_on] = {0};
    if (rank == 0)
        for (int x = 0; x < width; x++) old_rows[0][x] = 100;  // the upper border is hot

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    double in_collectives = 0, change = 0;
    for (int step = 0; step < steps; step++) {
        MPI_Sendrecv(old_rows[1], width, MPI_DOUBLE, above, 0, old_rows[rows_of_rank + 1], width, MPI_DOUBLE,
                     below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(old_rows[rows_of_rank], width, MPI_DOUBLE, below, 1, old_rows[0], width, MPI_DOUBLE,
                     above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        profile[0] = change_of_step();
        profile[1 + rank % (values_to_agree_on - 1)] = old_rows[1][width / 2];

        const double before = MPI_Wtime();
        double sums[values_to_agree_on];
        MPI_Bcast(settings, values_to_agree_on, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Allreduce(profile, sums, values_to_agree_on, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        in_collectives += MPI_Wtime() - before;
        change = sums[0];
    }
    const double seconds = MPI_Wtime() - start;

    double mine[2] = {seconds, in_collectives}, all[2];
    MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, %d steps: %.3f s, %.3f s of it in collectives; last change %.6e\n", ranks, steps,
               all[0], all[1], change);
    MPI_Finalize();
    return 0;
}
