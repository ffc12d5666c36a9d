// SPDX-License-Identifier: MIT
// Steps of imbalanced work, a broadcast and an allreduce: one rank is late in each, or all are by chance.
// Work is a sleep, so that more ranks than cores are no matter. Prints the seconds of all steps.
// usage: mpiexec -n RANKS imbalance late|random STEPS MICROSECONDS BROADCAST_BYTES ALLREDUCE_BYTES
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void work(double microseconds) {
    const long ns = (long)(1e3 * microseconds);
    const struct timespec time = {ns / 1000000000, ns % 1000000000};
    nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 6) {
        if (rank == 0) fprintf(stderr, "usage: imbalance late|random STEPS MICROSECONDS BROADCAST_BYTES ALLREDUCE_BYTES\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int is_random = strcmp(argv[1], "random") == 0;
    const int steps = atoi(argv[2]);
    const double largest = atof(argv[3]);
    const int broadcast_bytes = atoi(argv[4]);
    const int numbers = atoi(argv[5]) / (int)sizeof(double);
    char* message = calloc(1, (size_t)broadcast_bytes + 1);
    double* field = calloc(sizeof(double), (size_t)numbers + 1);
    double* sum = calloc(sizeof(double), (size_t)numbers + 1);
    unsigned seed = 4711U + (unsigned)rank;  // the same delays in each run

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int call = 0; call < 2 * steps; call++) {
        const double share = is_random ? rand_r(&seed) / (double)RAND_MAX : rank == ranks - 1;
        work(share * largest);
        if (call % 2 == 0)
            MPI_Bcast(message, broadcast_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        else
            MPI_Allreduce(field, sum, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    double seconds = MPI_Wtime() - start, longest;
    MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%.6f\n", longest);
    MPI_Finalize();
    return 0;
}
