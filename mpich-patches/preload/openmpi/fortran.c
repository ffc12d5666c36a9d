/* SPDX-License-Identifier: MIT */
/* The calls of Fortran programs, which Open MPI does not pass through MPI_Bcast and the like: mpi_bcast_ of mpif.h and of the
 * module mpi, and ompi_bcast_f, which mpi_f08 calls. Only the communicator is replaced; buffers stay as they are. */
#include "call.h"

#define OF_FORTRAN(name_) OF_LIBRARY("pmpi_" #name_ "_")
#define EXPORTED_TO_FORTRAN(name_) EXPORTED("mpi_" #name_ "_")
#define EXPORTED_TO_F08(name_) EXPORTED("ompi_" #name_ "_f") __attribute__((alias("mpi_" #name_ "_")))

#define BYTES(count_, type_) bytes_of(*(count_), (handle) PMPI_Type_f2c(*(type_)))
#define CLASS class_of((handle) PMPI_Op_f2c(*op))
#define AT_ROOT(root_count_, root_type_, count_, type_) \
    (known->ranks * (known->rank == *root ? BYTES(root_count_, root_type_) : BYTES(count_, type_)))

#define CALL(name_, TYPE_, parameters_, arguments_, op_, size_)                  \
    extern void real_##name_ parameters_ OF_FORTRAN(name_);                      \
    extern void preload_##name_ parameters_ EXPORTED_TO_FORTRAN(name_);          \
    extern void preload_f08_##name_ parameters_ EXPORTED_TO_F08(name_);          \
    void preload_##name_ parameters_                                             \
    {                                                                            \
        const known_comm_s *known = preload.is_on ? get_comm(PMPI_Comm_f2c(*comm)) : NULL; \
        if (known == NULL) {                                                     \
            real_##name_ arguments_;                                             \
            return;                                                              \
        }                                                                        \
        handle used = 0;                                                         \
        FIND_RULE(rule, TYPE_, op_, size_);                                      \
        if (rule < 0 || !preload_begin(known, rule, &preload.choices[rule], &used)) { \
            real_##name_ arguments_;                                             \
            return;                                                              \
        }                                                                        \
        MPI_Fint replaced = PMPI_Comm_c2f((MPI_Comm) used);                      \
        comm = &replaced;                                                        \
        preload.choices[rule].num_calls++;                                       \
        real_##name_ arguments_;                                                 \
        preload_end(known, &preload.choices[rule], *code);                       \
    }

typedef MPI_Fint I;

CALL(barrier, BARRIER, (I *comm, I *code), (comm, code), NO_OP, 0)
CALL(bcast, BCAST, (void *buf, I *count, I *type, I *root, I *comm, I *code), (buf, count, type, root, comm, code), NO_OP,
     BYTES(count, type))
CALL(gather, GATHER, (void *in, I *num, I *type, void *out, I *outnum, I *outtype, I *root, I *comm, I *code),
     (in, num, type, out, outnum, outtype, root, comm, code), NO_OP, AT_ROOT(outnum, outtype, num, type))
CALL(scatter, SCATTER, (void *in, I *num, I *type, void *out, I *outnum, I *outtype, I *root, I *comm, I *code),
     (in, num, type, out, outnum, outtype, root, comm, code), NO_OP, AT_ROOT(num, type, outnum, outtype))
CALL(allgather, ALLGATHER, (void *in, I *num, I *type, void *out, I *outnum, I *outtype, I *comm, I *code),
     (in, num, type, out, outnum, outtype, comm, code), NO_OP, known->ranks * BYTES(outnum, outtype))
CALL(allgatherv, ALLGATHERV, (void *in, I *num, I *type, void *out, I *nums, I *displs, I *outtype, I *comm, I *code),
     (in, num, type, out, nums, displs, outtype, comm, code), NO_OP,
     bytes_of(sum_of_ints(nums, known->ranks), (handle) PMPI_Type_f2c(*outtype)))
CALL(alltoall, ALLTOALL, (void *in, I *num, I *type, void *out, I *outnum, I *outtype, I *comm, I *code),
     (in, num, type, out, outnum, outtype, comm, code), NO_OP, BYTES(outnum, outtype))
CALL(alltoallv, ALLTOALLV,
     (void *in, I *nums, I *displs, I *type, void *out, I *outnums, I *outdispls, I *outtype, I *comm, I *code),
     (in, nums, displs, type, out, outnums, outdispls, outtype, comm, code), NO_OP, 0)
CALL(reduce, REDUCE, (void *in, void *out, I *count, I *type, I *op, I *root, I *comm, I *code),
     (in, out, count, type, op, root, comm, code), CLASS, BYTES(count, type))
CALL(allreduce, ALLREDUCE, (void *in, void *out, I *count, I *type, I *op, I *comm, I *code),
     (in, out, count, type, op, comm, code), CLASS, BYTES(count, type))
CALL(reduce_scatter, REDUCE_SCATTER, (void *in, void *out, I *counts, I *type, I *op, I *comm, I *code),
     (in, out, counts, type, op, comm, code), CLASS,
     bytes_of(sum_of_ints(counts, known->ranks), (handle) PMPI_Type_f2c(*type)))
CALL(reduce_scatter_block, REDUCE_SCATTER_BLOCK, (void *in, void *out, I *count, I *type, I *op, I *comm, I *code),
     (in, out, count, type, op, comm, code), CLASS, known->ranks * BYTES(count, type))
CALL(scan, SCAN, (void *in, void *out, I *count, I *type, I *op, I *comm, I *code), (in, out, count, type, op, comm, code),
     CLASS, BYTES(count, type))
CALL(exscan, EXSCAN, (void *in, void *out, I *count, I *type, I *op, I *comm, I *code),
     (in, out, count, type, op, comm, code), CLASS, BYTES(count, type))

/* ---- the beginning and the end */

#define ENTRY(name_, parameters_)                                                \
    extern void real_##name_ parameters_ OF_FORTRAN(name_);                      \
    extern void preload_##name_ parameters_ EXPORTED_TO_FORTRAN(name_);          \
    extern void preload_f08_##name_ parameters_ EXPORTED_TO_F08(name_);          \
    void preload_##name_ parameters_

ENTRY(init, (I *code))
{
    preload_find_late_library();
    preload_prepare();
    real_init(code);
    if (*code == MPI_SUCCESS)
        preload_start();
}

ENTRY(init_thread, (I *required, I *provided, I *code))
{
    preload_find_late_library();
    preload_prepare();
    real_init_thread(required, provided, code);
    if (*code == MPI_SUCCESS)
        preload_start();
}

ENTRY(finalize, (I *code))
{
    preload_stop();
    real_finalize(code);
}
