/* SPDX-License-Identifier: MIT */
/* How a call finds its communicator, operation, size and rule: for all that programs make, in C and in Fortran. */
#ifndef CALL_H
#define CALL_H

#include "preload.h"

#define NO_OP TUNING_OP_BUILTIN

static inline tuning_op_e class_of(handle op)
{
    int is_commutative = 0;

    if (is_built_in(op))
        return TUNING_OP_BUILTIN;
    PMPI_Op_commutative((MPI_Op) op, &is_commutative);
    return is_commutative ? TUNING_OP_COMMUTATIVE : TUNING_OP_NONCOMMUTATIVE;
}

#define ABOUT_COUNTS(kind_, type_)                                               \
    static inline int64_t sum_of_##kind_(const type_ *counts, int num)                  \
    {                                                                            \
        int64_t sum = 0;                                                         \
        for (int i = 0; i < num; i++)                                            \
            sum += counts[i];                                                    \
        return sum;                                                              \
    }                                                                            \
    static inline bool are_equal_##kind_(const type_ *counts, int num)                  \
    {                                                                            \
        int i = 1;                                                               \
        while (i < num && counts[i] == counts[0])                                \
            i++;                                                                 \
        return i >= num;                                                         \
    }
ABOUT_COUNTS(ints, int)

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

/* The rule for a call on `known`; -1: none */
#define FIND_RULE(rule_, TYPE_, op_, size_)                                      \
    const tuning_lists_s *lists = &known->table->colls[MPIR_CSEL_COLL_TYPE__##TYPE_]; \
    const tuning_list_s *list = &lists->lists[lists->has_op ? (op_) : NO_OP];    \
    const int rule_ = list->num == 0 ? -1 : tuning_find_rule(list, size_)

#endif
