/* SPDX-License-Identifier: MIT */
/* The rules of a tuning file for an MPI library that cannot read one: a library that is loaded before it (LD_PRELOAD), takes
 * the calls of collectives, and makes each with the algorithm that a rule names. Compiled once for MPICH (mpich.h) and once
 * for Open MPI (openmpi/openmpi.h). The file is read by the source of the patched MPICH (coll_tuning.h). */
#ifndef PRELOAD_H
#define PRELOAD_H

#include "mpiimpl.h"
#include "coll_tuning.h"

/* MPICH's handles are int, those of Open MPI are pointers: both are passed on unchanged. Of an int the upper half may be
 * anything. */
typedef intptr_t handle;

/* Functions of a library that may not be there: the loader also gets programs without MPI */
#pragma weak PMPI_Allgather
#pragma weak PMPI_Allreduce
#pragma weak PMPI_Bcast
#pragma weak PMPI_Comm_call_errhandler
#pragma weak PMPI_Comm_create
#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_free
#pragma weak PMPI_Comm_free_keyval
#pragma weak PMPI_Comm_get_attr
#pragma weak PMPI_Comm_get_errhandler
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_set_errhandler
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_split_type
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Errhandler_free
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

typedef struct choice choice_s;
typedef struct own_comm own_comm_s;

typedef struct {
    MPI_Comm comm;
    const tuning_table_s *table; /* NULL: no rule is for it */
    own_comm_s *own; /* what else the MPI library needs for it */
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
    int first_call; /* of those for which a rule is on a communicator: it is used from here on */
    known_comm_s *slots[NUM_SLOTS]; /* the communicators that were used last */
} preload;

/* ---- start.c */

/* After MPI_Init, and before MPI_Finalize */
void preload_start(void);
void preload_stop(void);
/* Once for a job: the line of rank 0 */
void preload_say(int rank, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Of the environment; empty: not set */
const char *preload_setting(const char *name);

/* ---- late.c */

/* Whether the MPI library was loaded after this one */
bool preload_is_late(void);
/* Before MPI_Init: so that its functions can be called */
void preload_find_late_library(void);

/* ---- mpich.c, openmpi/openmpi.c: the MPI library */

extern const char *const preload_library, *const preload_other_library; /* their names */
extern const char *const preload_other_section; /* of tuning files: the rules for the other library */

#define PRELOAD_MAX_ADDRESS 1025 /* as NI_MAXHOST */

/* Before MPI_Init */
void preload_prepare(void);
/* Whether the program has this library, and needs rules. False: nothing may be called; a line says why if it is not clear */
bool preload_is_library(void);
/* False: `problem` says why rules cannot be used */
bool preload_can_start(char problem[COLL_JSON_MAX_ERROR]);
int preload_first_call(void);
/* The interface of this process or an address, as far as the environment tells, and who sends for it: "tcp" */
const char *preload_find_interface(char iface[64], char address[PRELOAD_MAX_ADDRESS]);

/* ---- algorithms.c, openmpi/algorithms.c: what the library can be told */

/* Whether it has the algorithm and the parameters of a rule */
bool preload_has(const tuning_rule_s *rule);
/* False: no memory */
bool preload_make_choices(void);

/* ---- rules.c */

/* On rank 0: without the rules whose algorithm or parameter is not here. `note`: which, or empty */
void preload_drop_foreign_rules(tuning_s *tuning, char note[COLL_JSON_MAX_ERROR]);

/* ---- communicators.c */

/* Which rank of MPI_COMM_WORLD is on which node: by all ranks */
bool preload_find_nodes(void);
known_comm_s *preload_find_comm(MPI_Comm comm);
void preload_forget_comms(void);

#ifdef OPEN_MPI
#include "openmpi.h"
#else
#include "mpich.h"
#endif

static inline unsigned preload_slot(MPI_Comm comm)
{
    return preload_bits(comm) & (NUM_SLOTS - 1);
}

#endif
