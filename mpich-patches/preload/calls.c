/* SPDX-License-Identifier: MIT */
/* The calls that programs make: MPI_Bcast and all others. Each finds its rule, sets what the rule says, and calls PMPI. */
#include "preload.h"

#define NO_OP TUNING_OP_BUILTIN

/* Handles of MPICH tell what is built in, and the sizes of such datatypes */
static inline int64_t bytes_of(int64_t count, handle type)
{
    int size = 0;

    if (HANDLE_IS_BUILTIN((int) type))
        return count * MPIR_Datatype_get_basic_size((int) type);
    PMPI_Type_size((MPI_Datatype) type, &size);
    return count * size;
}

static inline tuning_op_e class_of(handle op)
{
    int is_commutative = 0;

    if (HANDLE_IS_BUILTIN((int) op))
        return TUNING_OP_BUILTIN;
    PMPI_Op_commutative((MPI_Op) op, &is_commutative);
    return is_commutative ? TUNING_OP_COMMUTATIVE : TUNING_OP_NONCOMMUTATIVE;
}

#define ABOUT_COUNTS(kind_, type_)                                               \
    static int64_t sum_of_##kind_(const type_ *counts, int num)                  \
    {                                                                            \
        int64_t sum = 0;                                                         \
        for (int i = 0; i < num; i++)                                            \
            sum += counts[i];                                                    \
        return sum;                                                              \
    }                                                                            \
    static bool are_equal_##kind_(const type_ *counts, int num)                  \
    {                                                                            \
        int i = 1;                                                               \
        while (i < num && counts[i] == counts[0])                                \
            i++;                                                                 \
        return i >= num;                                                         \
    }
ABOUT_COUNTS(ints, int)
ABOUT_COUNTS(large, MPI_Count)

/* NULL: no rule is for a communicator */
static inline const known_comm_s *get_comm(MPI_Comm comm)
{
    if (!preload.is_on)
        return NULL;
    known_comm_s *known = preload.slots[preload_slot(comm)];
    if (unlikely(known == NULL || known->comm != comm))
        known = preload_find_comm(comm);
    return known && known->table ? known : NULL;
}

static inline void set(const choice_s *choice)
{
    for (int i = 0; i < choice->num_settings; i++)
        PMPI_T_cvar_write(choice->settings[i].variable, &choice->settings[i].value);
}

static inline void restore(const choice_s *choice)
{
    for (int i = 0; i < choice->num_settings; i++)
        PMPI_T_cvar_write(choice->settings[i].variable, &choice->settings[i].before);
}

#define CALL(Name_, TYPE_, parameters_, arguments_, op_, size_, has_equal_blocks_) \
    extern int real_##Name_ parameters_ OF_LIBRARY("PMPI_" #Name_);              \
    extern int preload_##Name_ parameters_ EXPORTED("MPI_" #Name_);              \
    int preload_##Name_ parameters_                                              \
    {                                                                            \
        const known_comm_s *known = get_comm((MPI_Comm) comm);                   \
        if (known == NULL)                                                       \
            return real_##Name_ arguments_;                                      \
        const tuning_lists_s *lists = &known->table->colls[MPIR_CSEL_COLL_TYPE__##TYPE_]; \
        const tuning_list_s *list = &lists->lists[lists->has_op ? (op_) : NO_OP]; \
        const int rule = list->num == 0 ? -1 : tuning_find_rule(list, size_);    \
        if (rule < 0)                                                            \
            return real_##Name_ arguments_;                                      \
        choice_s *choice = &preload.choices[rule];                               \
        if (choice->num_settings == 0 || (choice->needs_equal_blocks && !(has_equal_blocks_))) \
            return real_##Name_ arguments_;                                      \
        choice->num_calls++;                                                     \
        set(choice);                                                             \
        const int code = real_##Name_ arguments_;                                \
        restore(choice);                                                         \
        return code;                                                             \
    }

/* ---- the four kinds */

CALL(Barrier, BARRIER, (handle comm), (comm), NO_OP, 0, true)
CALL(Ibarrier, IBARRIER, (handle comm, handle *request), (comm, request), NO_OP, 0, true)

#define BLOCKING(Name_, IName_, TYPE_, ...) CALL(Name_, TYPE_, __VA_ARGS__)
#define BLOCKING_LARGE(Name_, IName_, TYPE_, ...) CALL(Name_##_c, TYPE_, __VA_ARGS__)
#define NONBLOCKING(Name_, IName_, TYPE_, ...) CALL(IName_, I##TYPE_, __VA_ARGS__)
#define NONBLOCKING_LARGE(Name_, IName_, TYPE_, ...) CALL(IName_##_c, I##TYPE_, __VA_ARGS__)

#define COUNT int
#define DISPLACEMENT int
#define SUM sum_of_ints
#define ARE_EQUAL are_equal_ints
#define COLLECTIVE BLOCKING
#define REQUEST_PARAMETER
#define REQUEST
#include "collectives.def"
#undef COLLECTIVE
#undef REQUEST_PARAMETER
#undef REQUEST
#define COLLECTIVE NONBLOCKING
#define REQUEST_PARAMETER , handle *request
#define REQUEST , request
#include "collectives.def"
#undef COUNT
#undef DISPLACEMENT
#undef SUM
#undef ARE_EQUAL

#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define SUM sum_of_large
#define ARE_EQUAL are_equal_large
#undef COLLECTIVE
#define COLLECTIVE NONBLOCKING_LARGE
#include "collectives.def"
#undef COLLECTIVE
#undef REQUEST_PARAMETER
#undef REQUEST
#define COLLECTIVE BLOCKING_LARGE
#define REQUEST_PARAMETER
#define REQUEST
#include "collectives.def"
