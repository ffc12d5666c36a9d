/* SPDX-License-Identifier: MIT */
/* The rules of a tuning file for an MPICH that cannot read one: a library that is loaded before it (LD_PRELOAD), takes the
 * calls of collectives, sets the control variables of the algorithm that a rule names, makes the call and restores them.
 * The file is read by the source of the patched MPICH (coll_tuning.h). */
#ifndef PRELOAD_H
#define PRELOAD_H

#include "mpiimpl.h"
#include "coll_tuning.h"

/* MPICH's handles are int, those of other libraries may be pointers: both are passed on unchanged. Of an int the upper half
 * may be anything. */
typedef intptr_t handle;

/* Functions of a library that may not be there: the loader also gets programs without MPI */
#pragma weak PMPI_Allgather
#pragma weak PMPI_Allreduce
#pragma weak PMPI_Bcast
#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_free
#pragma weak PMPI_Comm_free_keyval
#pragma weak PMPI_Comm_get_attr
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_split_type
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Get_library_version
#pragma weak PMPI_Get_processor_name
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_size
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Op_commutative
#pragma weak PMPI_Query_thread
#pragma weak PMPI_T_cvar_get_index
#pragma weak PMPI_T_cvar_get_info
#pragma weak PMPI_T_cvar_handle_alloc
#pragma weak PMPI_T_cvar_read
#pragma weak PMPI_T_cvar_write
#pragma weak PMPI_T_init_thread
#pragma weak PMPI_Type_size
#define OF_LIBRARY(name_) __asm__(name_) __attribute__((weak))
#define EXPORTED(name_) __asm__(name_) __attribute__((visibility("default")))

typedef struct {
    MPI_T_cvar_handle variable;
    int value;
    int before;
} setting_s;

#define MAX_SETTINGS (2 + TUNING_MAX_PARAMS)

/* What a rule means here */
typedef struct {
    int num_settings; /* 0: none, the user has forced an algorithm */
    bool needs_equal_blocks; /* which unpatched releases do not check */
    setting_s settings[MAX_SETTINGS];
    unsigned long long num_calls;
} choice_s;

typedef struct {
    MPI_Comm comm;
    const tuning_table_s *table; /* NULL: no rule is for it */
    int ranks;
    int rank;
} known_comm_s;

#define NUM_SLOTS 256 /* a power of two */

extern struct preload {
    bool is_on; /* there are rules, and this is their job */
    tuning_s *tuning;
    choice_s *choices; /* of each rule */
    char network[TUNING_MAX_NETWORK];
    int verbose;
    bool has_device_collectives; /* its device composes calls of its own: ch4 */
    known_comm_s *slots[NUM_SLOTS]; /* the communicators that were used last */
} preload;

/* ---- algorithms.c: what this MPI library can be told */

/* False: `problem` says why it cannot */
bool preload_find_algorithms(char problem[COLL_JSON_MAX_ERROR]);
/* Where an algorithm is not legal for a call, the library's own choice is made without a word */
bool preload_falls_back(void);
/* On rank 0: without the rules whose algorithm or parameter is not here. `note`: which, or empty */
void preload_drop_foreign_rules(tuning_s *tuning, char note[COLL_JSON_MAX_ERROR]);
/* False: no memory */
bool preload_make_choices(void);
/* The algorithms that a description of a control variable lists, in its order: the first has the value 0. For tests, too */
int preload_names_in(const char *description, int coll_type, const char **names, int *lengths, int max);

/* ---- communicators.c */

/* Which rank of MPI_COMM_WORLD is on which node: by all ranks */
bool preload_find_nodes(void);
known_comm_s *preload_find_comm(MPI_Comm comm);
void preload_forget_comms(void);

static inline unsigned preload_slot(MPI_Comm comm)
{
    unsigned bits = (unsigned) comm;
    return (bits ^ bits >> 26) & (NUM_SLOTS - 1);
}

#endif
