/* SPDX-License-Identifier: MIT */
/* How Open MPI is told the algorithm of one call: coll/tuned looks up what is forced when a communicator is made. So there
 * are duplicates of the user's communicator, each with one algorithm, and a call by a rule is made on one of them. */
#ifndef OPENMPI_H
#define OPENMPI_H

/* What its handles stand for, too */
#pragma weak OMPI_C_MPI_COMM_NULL_COPY_FN
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_errors_return
#pragma weak ompi_mpi_errhandler_null
#pragma weak ompi_mpi_info_null
#pragma weak ompi_mpi_group_null
#pragma weak ompi_mpi_datatype_null
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_long_long_int
#pragma weak ompi_mpi_op_max
#pragma weak ompi_mpi_op_min
#pragma weak PMPI_Comm_c2f
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Op_c2f
#pragma weak PMPI_Op_f2c
#pragma weak PMPI_T_enum_get_info
#pragma weak PMPI_T_enum_get_item
#pragma weak PMPI_Type_f2c

/* What mpiexec tells its processes */
#define RANK "OMPI_COMM_WORLD_RANK"
#define HOST_NAME   "PMIX_HOSTNAME"
#define LOCAL_RANK  "OMPI_COMM_WORLD_LOCAL_RANK"
#define LOCAL_RANKS "OMPI_COMM_WORLD_LOCAL_SIZE"
#define INTERFACE_HOST "" /* that of the system */

#define MAX_DUPLICATES 64 /* of a communicator */

/* What a rule means here */
struct choice {
    bool is_forced; /* by the user, who knows better */
    bool needs_two_ranks;
    bool needs_equal_blocks; /* none does */
    unsigned long long num_calls;
};

typedef struct plan plan_s;

struct own_comm {
    const plan_s *plan;
    const short *place_of_rule; /* of the plan: the duplicate, or -1 */
    MPI_Comm duplicates[MAX_DUPLICATES]; /* MPI_COMM_NULL: not yet, or it could not be made */
    int num_calls[MAX_DUPLICATES]; /* for which there was none */
    struct own_comm *before, *after; /* of all communicators that have some */
};

static inline unsigned preload_bits(MPI_Comm comm)
{
    uintptr_t bits = (uintptr_t) comm;
    return (unsigned) (bits >> 4 ^ bits >> 12);
}

static inline int64_t bytes_of(int64_t count, handle type)
{
    int size = 0;

    PMPI_Type_size((MPI_Datatype) type, &size);
    return count * size;
}

/* The numbers that Fortran programs know are constants of all releases, up to that of MPI_NO_OP */
static inline bool is_built_in(handle op)
{
    return PMPI_Op_c2f((MPI_Op) op) <= 14;
}

/* By all ranks of the communicator, which have the same rule, and have called as often. False: the call is made as it is. */
bool preload_make_duplicate(const known_comm_s *known, int place);
int preload_raise(MPI_Comm comm, int code);

/* Before and after a call by a rule: with which communicator. False: by no rule */
static inline bool preload_begin(const known_comm_s *known, int rule, choice_s *choice, handle *comm)
{
    own_comm_s *own = known->own;
    const int place = own ? own->place_of_rule[rule] : -1;

    if (place < 0 || (unlikely(own->duplicates[place] == MPI_COMM_NULL) && !preload_make_duplicate(known, place)))
        return false;
    *comm = (handle) own->duplicates[place];
    return true;
}

static inline int preload_end(const known_comm_s *known, const choice_s *choice, int code)
{
    return code == MPI_SUCCESS ? code : preload_raise(known->comm, code);
}

/* Sets the control variables of a rule, until they are restored */
void preload_force(int rule);
void preload_restore(int rule);
/* The same algorithm with the same parameters */
bool preload_is_same_choice(int rule, int other);

void preload_own_new(known_comm_s *known);
void preload_own_free(known_comm_s *known);
void preload_own_end(void);

#endif
