/* SPDX-License-Identifier: MIT */
/* changeover-micro-preload: what libchangeover-preload adds to a call. MPI_Bcast, which it takes, and PMPI_Bcast, which it
 * does not see, are called by turns in one job; medians of the batches, and the median of the differences of neighbours.
 * Plain C, so that any MPI library's mpicc can compile it.
 *
 * usage: LD_PRELOAD=libchangeover-preload.so MPIR_CVAR_COLL_TUNING_FILE=FILE mpiexec -n 2 changeover-micro-preload [BATCHES [CALLS]]
 *
 * A file with a rule for allreduce and bcast on any communicator, and none for barrier and scan, shows all cases:
 *   {"version": 1, "mpir": [{"collective": "bcast", "algorithm": "binomial"},
 *                           {"collective": "allreduce", "algorithm": "recursive_doubling"}]} */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double in = 1, out;
static MPI_Comm comm;

#define CALLS(name_, ...)                                                        \
    static void name_##_taken(void) { MPI_##__VA_ARGS__; }                       \
    static void name_##_unseen(void) { PMPI_##__VA_ARGS__; }
CALLS(bcast, Bcast(&in, 1, MPI_DOUBLE, 0, comm))
CALLS(allreduce, Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, comm))
CALLS(barrier, Barrier(comm))
CALLS(scan, Scan(&in, &out, 1, MPI_DOUBLE, MPI_SUM, comm))

static const struct {
    const char *name;
    void (*taken)(void), (*unseen)(void);
} collectives[] = {{"bcast", bcast_taken, bcast_unseen},
                   {"allreduce", allreduce_taken, allreduce_unseen},
                   {"barrier", barrier_taken, barrier_unseen},
                   {"scan", scan_taken, scan_unseen}};

static double nanoseconds(void (*call)(void), int calls)
{
    PMPI_Barrier(comm);
    const double begin = PMPI_Wtime();
    for (int i = 0; i < calls; i++)
        call();
    return (PMPI_Wtime() - begin) / calls * 1e9;
}

static int compare(const void *a, const void *b)
{
    return (*(const double *) a > *(const double *) b) - (*(const double *) a < *(const double *) b);
}

static double median(double *values, int num)
{
    qsort(values, (size_t) num, sizeof(double), compare);
    return num % 2 ? values[num / 2] : (values[num / 2 - 1] + values[num / 2]) / 2;
}

int main(int argc, char **argv)
{
    const int batches = argc > 1 ? atoi(argv[1]) : 200, calls = argc > 2 ? atoi(argv[2]) : 2000;
    double *taken = malloc(sizeof(double) * (size_t) batches), *unseen = malloc(sizeof(double) * (size_t) batches);
    double *added = malloc(sizeof(double) * (size_t) batches);
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (batches < 1 || calls < 1 || !taken || !unseen || !added)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int world = 0; world <= 1; world++) {
        comm = world ? MPI_COMM_WORLD : MPI_COMM_SELF;
        MPI_Comm_size(comm, &ranks);
        for (size_t i = 0; i < sizeof(collectives) / sizeof(collectives[0]); i++) {
            for (int batch = -2; batch < batches; batch++) { /* the first ones warm up */
                const int at = batch < 0 ? 0 : batch;
                if (batch % 2)
                    unseen[at] = nanoseconds(collectives[i].unseen, calls);
                taken[at] = nanoseconds(collectives[i].taken, calls);
                if (batch % 2 == 0)
                    unseen[at] = nanoseconds(collectives[i].unseen, calls);
                added[at] = taken[at] - unseen[at];
            }
            const double of_taken = median(taken, batches), of_unseen = median(unseen, batches), more = median(added, batches);
            if (rank == 0)
                printf("%-10s %d rank%s %10.1f ns, taken %10.1f ns, added %7.1f ns (%+.2f%%)\n", collectives[i].name, ranks,
                       ranks == 1 ? " " : "s", of_unseen, of_taken, more, 100 * more / of_unseen);
        }
        if (ranks == 1 && world)
            break;
    }
    MPI_Finalize();
    return 0;
}
