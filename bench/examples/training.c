// SPDX-License-Identifier: MIT
// Training with parallel data: each rank has samples of its own and all have the same parameters. The
// gradients of a layer are summed up by a nonblocking allreduce while the rank computes those of the next
// layer. What they learn is known: the mean of all samples. usage: mpiexec -n RANKS training [STEPS]
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { layers = 3, samples = 8 };
static const int sizes[layers] = {256, 4096, 32768};  // parameters

static float sample(int rank, int number, int layer, int i) {
    return (float)((rank * 5 + number * 3 + layer * 7 + i) % 11);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int steps = argc > 1 ? atoi(argv[1]) : 40;
    float *parameters[layers], *gradients[layers];
    for (int l = 0; l < layers; l++) {
        parameters[l] = calloc((size_t)sizes[l], sizeof(float));
        gradients[l] = calloc((size_t)sizes[l], sizeof(float));
        if (rank == 0)
            for (int i = 0; i < sizes[l]; i++) parameters[l][i] = 100;
        MPI_Bcast(parameters[l], sizes[l], MPI_FLOAT, 0, MPI_COMM_WORLD);
    }

    for (int step = 0; step < steps; step++) {
        MPI_Request requests[layers];
        for (int l = layers - 1; l >= 0; l--) {  // of half the squared distance to each sample
            for (int i = 0; i < sizes[l]; i++) gradients[l][i] = 0;
            for (int n = 0; n < samples; n++)
                for (int i = 0; i < sizes[l]; i++)
                    gradients[l][i] += parameters[l][i] - sample(rank, n, l, i);
            MPI_Iallreduce(MPI_IN_PLACE, gradients[l], sizes[l], MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD,
                           &requests[l]);
        }
        MPI_Status statuses[layers];
        MPI_Waitall(layers, requests, statuses);
        for (int l = 0; l < layers; l++)
            for (int i = 0; i < sizes[l]; i++)
                parameters[l][i] -= 0.5f * gradients[l][i] / (float)(samples * ranks);
    }

    double error = 0, largest;
    for (int l = 0; l < layers; l++)
        for (int i = 0; i < sizes[l]; i++) {
            double mean = 0;
            for (int r = 0; r < ranks; r++)
                for (int n = 0; n < samples; n++) mean += sample(r, n, l, i);
            error = fmax(error, fabs(parameters[l][i] - mean / (samples * ranks)));
        }
    MPI_Reduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks, %d steps: largest error %.1e\n", ranks, steps, largest);
    for (int l = 0; l < layers; l++) {
        free(parameters[l]);
        free(gradients[l]);
    }
    MPI_Finalize();
    return rank != 0 || largest < 1e-3 ? 0 : 1;
}
