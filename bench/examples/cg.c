// SPDX-License-Identifier: MIT
// Conjugate gradients on the five-point Laplacian of a square: each rank has some rows of it, exchanges the
// rows at its borders with its neighbours, and all ranks sum up two scalar products in each step, by
// allreduce of 8 bytes. The solution is known. usage: mpiexec -n RANKS cg [STEPS]
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { width = 64, rows_of_rank = 16 };

typedef double field[rows_of_rank + 2][width + 2];  // with a border, which is 0 at the sides of the square

static field solution, x, residual, direction, product;

static double sum_of_products(field a, field b) {
    double sum = 0;
    for (int i = 1; i <= rows_of_rank; i++)
        for (int j = 1; j <= width; j++) sum += a[i][j] * b[i][j];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

// a := a + factor * b
static void add(field a, double factor, field b) {
    for (int i = 1; i <= rows_of_rank; i++)
        for (int j = 1; j <= width; j++) a[i][j] += factor * b[i][j];
}

static void apply_laplacian(field to, field of, int above, int below) {
    MPI_Sendrecv(of[1], width + 2, MPI_DOUBLE, above, 0, of[rows_of_rank + 1], width + 2, MPI_DOUBLE, below,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(of[rows_of_rank], width + 2, MPI_DOUBLE, below, 1, of[0], width + 2, MPI_DOUBLE, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i <= rows_of_rank; i++)
        for (int j = 1; j <= width; j++)
            to[i][j] = 4 * of[i][j] - of[i - 1][j] - of[i + 1][j] - of[i][j - 1] - of[i][j + 1];
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int most_steps = argc > 1 ? atoi(argv[1]) : 1000;
    const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;

    for (int i = 1; i <= rows_of_rank; i++)
        for (int j = 1; j <= width; j++)
            solution[i][j] = (double)((rank * rows_of_rank + i) * 7 % 13 + j % 5);
    apply_laplacian(residual, solution, above, below);  // the right side; x is 0
    add(direction, 1, residual);

    double square = sum_of_products(residual, residual);
    const double enough = 1e-24 * square;
    int steps = 0;
    for (; steps < most_steps && square > enough; steps++) {
        apply_laplacian(product, direction, above, below);
        const double length = square / sum_of_products(direction, product);
        add(x, length, direction);
        add(residual, -length, product);
        const double next = sum_of_products(residual, residual);
        for (int i = 1; i <= rows_of_rank; i++)
            for (int j = 1; j <= width; j++)
                direction[i][j] = residual[i][j] + next / square * direction[i][j];
        square = next;
    }

    add(x, -1, solution);
    double error = 0, largest;
    for (int i = 1; i <= rows_of_rank; i++)
        for (int j = 1; j <= width; j++) error = fmax(error, fabs(x[i][j]));
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks, %d steps: largest error %.1e\n", ranks, steps, largest);
    MPI_Finalize();
    return largest < 1e-6 ? 0 : 1;
}
