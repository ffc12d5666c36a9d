/* SPDX-License-Identifier: MIT */
/* The calls that programs make: MPI_Bcast and all others. Each finds its rule, does what the rule says, and calls PMPI. */
#include "call.h"

ABOUT_COUNTS(large, MPI_Count)

#define CALL(Name_, TYPE_, parameters_, arguments_, op_, size_, has_equal_blocks_) \
    extern int real_##Name_ parameters_ OF_LIBRARY("PMPI_" #Name_);              \
    extern int preload_##Name_ parameters_ EXPORTED("MPI_" #Name_);              \
    int preload_##Name_ parameters_                                              \
    {                                                                            \
        const known_comm_s *known = get_comm((MPI_Comm) comm);                   \
        if (known == NULL)                                                       \
            return real_##Name_ arguments_;                                      \
        FIND_RULE(rule, TYPE_, op_, size_);                                      \
        if (rule < 0)                                                            \
            return real_##Name_ arguments_;                                      \
        choice_s *choice = &preload.choices[rule];                               \
        if ((choice->needs_equal_blocks && !(has_equal_blocks_)) || !preload_begin(known, rule, choice, &comm)) \
            return real_##Name_ arguments_;                                      \
        choice->num_calls++;                                                     \
        return preload_end(known, choice, real_##Name_ arguments_);              \
    }

/* ---- the four kinds */

CALL(Barrier, BARRIER, (handle comm), (comm), NO_OP, 0, true)

#define BLOCKING(Name_, IName_, TYPE_, ...) CALL(Name_, TYPE_, __VA_ARGS__)
#define BLOCKING_LARGE(Name_, IName_, TYPE_, ...) CALL(Name_##_c, TYPE_, __VA_ARGS__)
#ifdef OPEN_MPI /* has algorithms for blocking calls only */
#define NONBLOCKING(...)
#define NONBLOCKING_LARGE(...)
#else
CALL(Ibarrier, IBARRIER, (handle comm, handle *request), (comm, request), NO_OP, 0, true)
#define NONBLOCKING(Name_, IName_, TYPE_, ...) CALL(IName_, I##TYPE_, __VA_ARGS__)
#define NONBLOCKING_LARGE(Name_, IName_, TYPE_, ...) CALL(IName_##_c, I##TYPE_, __VA_ARGS__)
#endif

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
