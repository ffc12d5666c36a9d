/* SPDX-License-Identifier: MIT */
/* In place of MPICH's header of this name: the words of tuning files (coll_tuning_load.c). */
#ifndef MPIR_CSEL_H_INCLUDED
#define MPIR_CSEL_H_INCLUDED

#include "mpiimpl.h"

#define BOTH(NAME_) MPIR_CSEL_COLL_TYPE__##NAME_, MPIR_CSEL_COLL_TYPE__I##NAME_
typedef enum {
    BOTH(ALLGATHER),
    BOTH(ALLGATHERV),
    BOTH(ALLREDUCE),
    BOTH(ALLTOALL),
    BOTH(ALLTOALLV),
    BOTH(ALLTOALLW),
    BOTH(BARRIER),
    BOTH(BCAST),
    BOTH(EXSCAN),
    BOTH(GATHER),
    BOTH(GATHERV),
    BOTH(NEIGHBOR_ALLGATHER),
    BOTH(NEIGHBOR_ALLGATHERV),
    BOTH(NEIGHBOR_ALLTOALL),
    BOTH(NEIGHBOR_ALLTOALLV),
    BOTH(NEIGHBOR_ALLTOALLW),
    BOTH(REDUCE),
    BOTH(REDUCE_SCATTER),
    BOTH(REDUCE_SCATTER_BLOCK),
    BOTH(SCAN),
    BOTH(SCATTER),
    BOTH(SCATTERV),
    MPIR_CSEL_COLL_TYPE__END,
} MPIR_Csel_coll_type_e;
#undef BOTH

/* The first is that of this library (see CMakeLists.txt), the others are those of MPICH's devices */
typedef enum {
    MPIR_CSEL_SECTION__MPIR,
    MPIR_CSEL_SECTION__CH4,
    MPIR_CSEL_SECTION__POSIX,
    MPIR_CSEL_SECTION__NUM,
} MPIR_Csel_section_e;

/* Nothing of Open MPI needs the others */
enum {
    MPII_COLL_NEEDS_POWER_OF_TWO = 4,
    MPII_COLL_NEEDS_COMMUTATIVE = 16,
    MPII_COLL_NEEDS_BUILTIN_OP = 32,
    MPII_COLL_NEEDS_PARENT_COMM = 64,
    MPII_COLL_NEEDS_NODE_CONSECUTIVE = 128,
    MPII_COLL_NEEDS_ONE_NODE = 4096,
};

enum { MPIR_COMM_KIND__INTRACOMM };
enum { MPIR_TREE_TYPE_KARY, MPIR_TREE_TYPE_KNOMIAL_1, MPIR_TREE_TYPE_KNOMIAL_2 };

typedef struct {
    MPIR_Csel_coll_type_e coll_type;
    const char *name;
    int comm_kind;
    int id;
    int needs;
} MPII_Coll_algo_s;

typedef struct {
    int id; /* of the algorithm */
    const char *name;
} MPII_Coll_param_s;

/* See vocabulary.h */
extern const MPII_Coll_algo_s MPII_Coll_algos[];
extern const int MPII_Coll_num_algos;
extern const MPII_Coll_param_s MPII_Coll_params[];
extern const int MPII_Coll_num_params;
extern const char *const MPII_Csel_algorithm_names[];

extern const char *const MPIR_Csel_coll_names[];
int MPIR_Csel_coll_type(const char *name);

#endif
