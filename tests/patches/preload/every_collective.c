/* SPDX-License-Identifier: MIT */
/* All collectives, blocking, nonblocking and with large counts, in place and not, on several communicators; what they give is
 * checked. With any MPI library, with and without libchangeover-preload. Prints how many calls were made and how many
 * control variables of MPICH are not what they were before. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 20000 };

static int rank, size, wrong, calls;
static MPI_Comm comm;
static int *in, *out, *counts, *displs;

static void check(const char *what, int position, int is, int expected)
{
    if (is != expected && wrong++ < 5)
        fprintf(stderr, "%s of %d ranks, rank %d, element %d: %d, expected %d\n", what, size, rank, position, is, expected);
}

static int value(int of_rank, int element)
{
    return of_rank * 1000 + element % 1000;
}

/* And as many as an array of counts may ask for */
static void fill(int num)
{
    for (int i = 0; i < num + size; i++)
        in[i] = value(rank, i);
    memset(out, 0, sizeof(int) * most * (size_t) size);
}

/* a of rank 0, then b: not commutative if it keeps the first */
static void keep_first(void *a, void *b, int *num, MPI_Datatype *type)
{
    (void) type;
    memcpy(b, a, sizeof(int) * (size_t) *num);
}

static MPI_Request request;
static void done(void)
{
    calls++;
    if (request != MPI_REQUEST_NULL)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Each call in the kinds that there are */
#if MPI_VERSION >= 4
#define KINDS(kind_) for (int kind_ = 0; kind_ < 4; kind_++)
#define CALL(kind_, Name_, Iname_, ...)                                          \
    (kind_ == 0   ? MPI_##Name_(__VA_ARGS__)                                     \
     : kind_ == 1 ? MPI_##Iname_(__VA_ARGS__, &request)                          \
     : kind_ == 2 ? MPI_##Name_##_c(__VA_ARGS__)                                 \
                  : MPI_##Iname_##_c(__VA_ARGS__, &request),                     \
     done())
#else
#define KINDS(kind_) for (int kind_ = 0; kind_ < 2; kind_++)
#define CALL(kind_, Name_, Iname_, ...)                                          \
    (kind_ == 0 ? MPI_##Name_(__VA_ARGS__) : MPI_##Iname_(__VA_ARGS__, &request), done())
#endif
/* With arrays of counts, which are of another type */
#define CALL_V(kind_, Name_, Iname_, ...)                                        \
    (kind_ % 2 == 0 ? MPI_##Name_(__VA_ARGS__) : MPI_##Iname_(__VA_ARGS__, &request), done())

static void rooted(int num, int root)
{
    KINDS(kind) {
        fill(num);
        CALL(kind, Bcast, Ibcast, in, num, MPI_INT, root, comm);
        for (int i = 0; i < num; i++)
            check("bcast", i, in[i], value(root, i));
        fill(num);
        CALL(kind, Gather, Igather, in, num, MPI_INT, out, num, MPI_INT, root, comm);
        for (int i = 0; rank == root && i < num * size; i++)
            check("gather", i, out[i], value(i / num, i % num));
        for (int i = 0; i < num * size; i++)
            out[i] = value(i / num, i % num);
        CALL(kind, Scatter, Iscatter, out, num, MPI_INT, in, num, MPI_INT, root, comm);
        for (int i = 0; i < num; i++)
            check("scatter", i, in[i], value(rank, i));
        fill(num);
        CALL(kind, Reduce, Ireduce, in, out, num, MPI_INT, MPI_MAX, root, comm);
        for (int i = 0; rank == root && i < num; i++)
            check("reduce", i, out[i], value(size - 1, i));
        fill(num);
        CALL_V(kind, Gatherv, Igatherv, in, counts[rank], MPI_INT, out, counts, displs, MPI_INT, root, comm);
        for (int i = 0; rank == root && i < size; i++)
            check("gatherv", i, out[displs[i] + counts[i] - 1], value(i, counts[i] - 1));
        CALL_V(kind, Scatterv, Iscatterv, out, counts, displs, MPI_INT, in, counts[rank], MPI_INT, root, comm);
        check("scatterv", rank, in[counts[rank] - 1], value(rank, counts[rank] - 1));
    }
}

static void to_all(int num)
{
    KINDS(kind) {
        fill(num);
        CALL(kind, Allgather, Iallgather, in, num, MPI_INT, out, num, MPI_INT, comm);
        for (int i = 0; i < num * size; i++)
            check("allgather", i, out[i], value(i / num, i % num));
        fill(num);
        CALL_V(kind, Allgatherv, Iallgatherv, in, counts[rank], MPI_INT, out, counts, displs, MPI_INT, comm);
        for (int i = 0; i < size; i++)
            check("allgatherv", i, out[displs[i] + counts[i] - 1], value(i, counts[i] - 1));
        for (int i = 0; i < num * size; i++)
            in[i] = value(rank, i / num);
        CALL(kind, Alltoall, Ialltoall, in, num, MPI_INT, out, num, MPI_INT, comm);
        for (int i = 0; i < num * size; i++)
            check("alltoall", i, out[i], value(i / num, rank));
        CALL(kind, Alltoall, Ialltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, num, MPI_INT, comm);
        for (int i = 0; i < num * size; i++)
            check("alltoall in place", i, in[i], value(i / num, rank));
        for (int i = 0; i < size; i++)
            in[i] = value(rank, i);
        int *ones = malloc(sizeof(int) * (size_t) size), *places = malloc(sizeof(int) * (size_t) size);
        MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * (size_t) size);
        for (int i = 0; i < size; i++) {
            ones[i] = 1;
            places[i] = i;
            types[i] = MPI_INT;
        }
        CALL_V(kind, Alltoallv, Ialltoallv, in, ones, places, MPI_INT, out, ones, places, MPI_INT, comm);
        check("alltoallv", size - 1, out[size - 1], value(size - 1, rank));
        for (int i = 0; i < size; i++)
            places[i] = i * (int) sizeof(int);
        CALL_V(kind, Alltoallw, Ialltoallw, in, ones, places, types, out, ones, places, types, comm);
        check("alltoallw", size - 1, out[size - 1], value(size - 1, rank));
        free(ones);
        free(places);
        free(types);
    }
}

static void reductions(int num, MPI_Op first)
{
    KINDS(kind) {
        fill(num);
        CALL(kind, Allreduce, Iallreduce, in, out, num, MPI_INT, MPI_MAX, comm);
        for (int i = 0; i < num; i++)
            check("allreduce", i, out[i], value(size - 1, i));
        CALL(kind, Allreduce, Iallreduce, in, out, num, MPI_INT, first, comm);
        for (int i = 0; i < num; i++)
            check("allreduce by the user", i, out[i], value(0, i));
        CALL(kind, Scan, Iscan, in, out, num, MPI_INT, MPI_MAX, comm);
        for (int i = 0; i < num; i++)
            check("scan", i, out[i], value(rank, i));
        CALL(kind, Exscan, Iexscan, in, out, num, MPI_INT, MPI_MAX, comm);
        for (int i = 0; rank > 0 && i < num; i++)
            check("exscan", i, out[i], value(rank - 1, i));
        fill(num * size);
        CALL(kind, Reduce_scatter_block, Ireduce_scatter_block, in, out, num, MPI_INT, MPI_MAX, comm);
        for (int i = 0; i < num; i++)
            check("reduce_scatter_block", i, out[i], value(size - 1, rank * num + i));
        int total = displs[size - 1] + counts[size - 1];
        fill(total);
        CALL_V(kind, Reduce_scatter, Ireduce_scatter, in, out, counts, MPI_INT, MPI_MAX, comm);
        check("reduce_scatter", 0, out[0], value(size - 1, displs[rank]));
    }
}

static void all_collectives(MPI_Comm on)
{
    static const int nums[] = {1, 7, 300, 5000, most};
    MPI_Op first;

    comm = on;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    in = malloc(sizeof(int) * (most + 1) * (size_t) size);
    out = malloc(sizeof(int) * (most + 1) * (size_t) size);
    counts = malloc(sizeof(int) * (size_t) size);
    displs = malloc(sizeof(int) * (size_t) size);
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        displs[i] = i * (i + 1) / 2;
    }
    MPI_Op_create(keep_first, 0, &first);
    for (int i = 0; i < 5; i++) {
        rooted(nums[i], nums[i] % size);
        to_all(nums[i]);
        reductions(nums[i], first);
    }
    MPI_Barrier(comm);
    MPI_Ibarrier(comm, &request);
    done();
    MPI_Op_free(&first);
    free(in);
    free(out);
    free(counts);
    free(displs);
}

/* Of the control variables that choose algorithms of MPICH: their sum */
static int sum_of_variables(void)
{
    int provided, num, sum = 0;

    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&num);
    for (int i = 0; i < num; i++) {
        char name[256];
        int length = sizeof(name), ignored = 0, none = 0, count, is = 0;
        MPI_Datatype type;
        MPI_T_cvar_handle handle;
        MPI_T_cvar_get_info(i, name, &length, &ignored, &type, NULL, NULL, &none, &ignored, &ignored);
        if (strncmp(name, "MPIR_CVAR_", 10) || !strstr(name, "_INTRA_ALGORITHM") || strstr(name, "_POSIX_"))
            continue;
        MPI_T_cvar_handle_alloc(i, NULL, &handle, &count);
        MPI_T_cvar_read(handle, &is);
        sum += is;
        MPI_T_cvar_handle_free(&handle);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int world_rank, world_size, all_wrong;
    MPI_Comm part;

    if (argc > 1) { /* the level of threads */
        int provided;
        MPI_Init_thread(&argc, &argv, atoi(argv[1]), &provided);
    } else {
        MPI_Init(&argc, &argv);
    }
    request = MPI_REQUEST_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    const int before = sum_of_variables();
    all_collectives(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &part);
    all_collectives(part);
    MPI_Comm_free(&part);
    all_collectives(MPI_COMM_SELF);
    check("control variables", 0, sum_of_variables(), before);
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("%d calls on rank 0 of %d, %d wrong\n", calls, world_size, all_wrong);
    MPI_Finalize();
    return all_wrong != 0;
}
