// SPDX-License-Identifier: MIT
// A Fourier transform in three dimensions, with ranks in a grid: each has lines of a cube along one axis,
// transforms them, and turns the cube to the next axis by an alltoall with the ranks in its row or in its
// column of the grid. Transforms a plane wave, which has one coefficient. usage: mpiexec -n RANKS fft [TIMES]
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { size = 32 };  // of an axis: a power of two

static const double pi = 3.14159265358979323846;
static const int wave[3] = {3, 17, 30};

static void transform_line(double complex* line) {
    for (int i = 1, j = 0; i < size; i++) {  // in the order of reversed bits
        int bit = size / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i < j) {
            const double complex swapped = line[i];
            line[i] = line[j];
            line[j] = swapped;
        }
    }
    for (int half = 1; half < size; half *= 2)
        for (int k = 0; k < half; k++) {
            const double complex factor = cexp(-I * pi * k / half);
            for (int i = k; i < size; i += 2 * half) {
                const double complex odd = factor * line[i + half];
                line[i + half] = line[i] - odd;
                line[i] += odd;
            }
        }
}

// Lines stand in `others` x `own` places, at `other_step` and `own_step` of each other. Afterwards they go
// along the axis of `own`, of which all ranks of the communicator together have `size`; each has a part of
// the axis they went along.
static void turn(double complex* lines, double complex* sent, double complex* received, int others,
                 int other_step, int own, int own_step, MPI_Comm comm) {
    int ranks;
    MPI_Comm_size(comm, &ranks);
    const int block = others * own * own;
    for (int r = 0, n = 0; r < ranks; r++)
        for (int o = 0; o < others; o++)
            for (int l = 0; l < own; l++)
                for (int m = 0; m < own; m++)
                    sent[n++] = lines[(o * other_step + m * own_step) * size + r * own + l];
    MPI_Alltoall(sent, block, MPI_C_DOUBLE_COMPLEX, received, block, MPI_C_DOUBLE_COMPLEX, comm);
    for (int r = 0, n = 0; r < ranks; r++)
        for (int o = 0; o < others; o++)
            for (int l = 0; l < own; l++)
                for (int m = 0; m < own; m++)
                    lines[(o * other_step + l * own_step) * size + r * own + m] = received[n++];
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks, grid[2] = {0, 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, grid);
    if (size % grid[0] != 0 || size % grid[1] != 0) {
        if (rank == 0) fprintf(stderr, "Error: %d ranks do not divide the cube; use a power of two\n", ranks);
        MPI_Finalize();
        return 2;
    }
    const int times = argc > 1 ? atoi(argv[1]) : 20;
    const int my_row = rank / grid[1], my_column = rank % grid[1];
    MPI_Comm row, column;
    MPI_Comm_split(MPI_COMM_WORLD, my_row, my_column, &row);
    MPI_Comm_split(MPI_COMM_WORLD, my_column, my_row, &column);

    const int xs = size / grid[0], ys = size / grid[1];
    const size_t bytes = (size_t)xs * ys * size * sizeof(double complex);
    double complex *lines = malloc(bytes), *sent = malloc(bytes), *received = malloc(bytes);
    double error = 0;
    for (int time = 0; time < times; time++) {
        for (int x = 0; x < xs; x++)
            for (int y = 0; y < ys; y++)
                for (int z = 0; z < size; z++)
                    lines[(x * ys + y) * size + z] = cexp(
                        2 * I * pi *
                        (wave[0] * (my_row * xs + x) + wave[1] * (my_column * ys + y) + wave[2] * z) / size);
        for (int line = 0; line < xs * ys; line++) transform_line(lines + line * size);
        turn(lines, sent, received, xs, ys, ys, 1, row);  // now along y: [x][z][y]
        for (int line = 0; line < xs * ys; line++) transform_line(lines + line * size);
        turn(lines, sent, received, ys, 1, xs, ys, column);  // now along x: [y][z][x]
        for (int line = 0; line < xs * ys; line++) transform_line(lines + line * size);

        for (int y = 0; y < xs; y++)
            for (int z = 0; z < ys; z++)
                for (int x = 0; x < size; x++) {
                    const int is_peak =
                        x == wave[0] && my_row * xs + y == wave[1] && my_column * ys + z == wave[2];
                    const double complex expected = is_peak ? size * size * size : 0;
                    error = fmax(error, cabs(lines[(y * ys + z) * size + x] - expected));
                }
    }
    double largest;
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d x %d ranks, %d transforms: largest error %.1e\n", grid[0], grid[1], times, largest);
    free(lines);
    free(sent);
    free(received);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return largest < 1e-6 ? 0 : 1;
}
