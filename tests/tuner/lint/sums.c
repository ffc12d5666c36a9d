/* SPDX-License-Identifier: MIT
 * Broadcasts and sums on all ranks; prints what is wrong. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, ranks, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 20; ++i) { /* some algorithms of shared memory are used from the sixth call on */
        int mine = rank + 1, sum = 0, told = rank == 0 ? 77 : 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(&told, 1, MPI_INT, 0, MPI_COMM_WORLD);
        wrong += sum != ranks * (ranks + 1) / 2 || told != 77;
    }
    if (wrong > 0) {
        printf("rank %d: %d wrong results\n", rank, wrong);
    }
    MPI_Finalize();
    return 0;
}
