/* SPDX-License-Identifier: MIT */
/* How MPICH is told the algorithm of one call: control variables, which act on the next call, are set and restored. */
#ifndef MPICH_H
#define MPICH_H

/* What Hydra tells its processes */
#define RANK "PMI_RANK"
#define HOST_NAME   "PMI_HOSTNAME"
#define LOCAL_RANK  "MPI_LOCALRANKID"
#define LOCAL_RANKS "MPI_LOCALNRANKS"
#define INTERFACE_HOST "MPICH_INTERFACE_HOSTNAME" /* whose address is that of this process */

typedef struct {
    MPI_T_cvar_handle variable;
    int value;
    int before;
} setting_s;

#define MAX_SETTINGS (2 + TUNING_MAX_PARAMS)

/* What a rule means here */
struct choice {
    int num_settings; /* 0: none, the user has forced an algorithm */
    bool needs_equal_blocks; /* which unpatched releases do not check */
    setting_s settings[MAX_SETTINGS];
    unsigned long long num_calls;
};

extern bool preload_has_device_collectives; /* its device composes calls of its own: ch4 */

/* The algorithms that a description of a control variable lists, in its order: the first has the value 0. For tests, too */
int preload_names_in(const char *description, int coll_type, const char **names, int *lengths, int max);

static inline unsigned preload_bits(MPI_Comm comm)
{
    unsigned bits = (unsigned) comm;
    return bits ^ bits >> 26;
}

/* Handles of MPICH tell what is built in, and the sizes of such datatypes */
static inline int64_t bytes_of(int64_t count, handle type)
{
    int size = 0;

    if (HANDLE_IS_BUILTIN((int) type))
        return count * MPIR_Datatype_get_basic_size((int) type);
    PMPI_Type_size((MPI_Datatype) type, &size);
    return count * size;
}

static inline bool is_built_in(handle op)
{
    return HANDLE_IS_BUILTIN((int) op);
}

/* Before and after a call by a rule. False: by no rule */
static inline bool preload_begin(const known_comm_s *known, int rule, choice_s *choice, handle *comm)
{
    for (int i = 0; i < choice->num_settings; i++)
        PMPI_T_cvar_write(choice->settings[i].variable, &choice->settings[i].value);
    return choice->num_settings > 0;
}

static inline int preload_end(const known_comm_s *known, const choice_s *choice, int code)
{
    for (int i = 0; i < choice->num_settings; i++)
        PMPI_T_cvar_write(choice->settings[i].variable, &choice->settings[i].before);
    return code;
}

/* Nothing else is kept of a communicator */
static inline void preload_own_new(known_comm_s *known) {}
static inline void preload_own_free(known_comm_s *known) {}
static inline void preload_own_end(void) {}

#endif
