/* SPDX-License-Identifier: MIT */
/* What the reader of tuning files asks of its library, and the rules that are of use in this one. */
#include "preload.h"

const char *const MPIR_Csel_coll_names[MPIR_CSEL_COLL_TYPE__END] = {
#define NAMED(TYPE_, name_) [MPIR_CSEL_COLL_TYPE__##TYPE_] = name_, [MPIR_CSEL_COLL_TYPE__I##TYPE_] = "i" name_
    NAMED(ALLGATHER, "allgather"),
    NAMED(ALLGATHERV, "allgatherv"),
    NAMED(ALLREDUCE, "allreduce"),
    NAMED(ALLTOALL, "alltoall"),
    NAMED(ALLTOALLV, "alltoallv"),
    NAMED(ALLTOALLW, "alltoallw"),
    NAMED(BARRIER, "barrier"),
    NAMED(BCAST, "bcast"),
    NAMED(EXSCAN, "exscan"),
    NAMED(GATHER, "gather"),
    NAMED(GATHERV, "gatherv"),
    NAMED(NEIGHBOR_ALLGATHER, "neighbor_allgather"),
    NAMED(NEIGHBOR_ALLGATHERV, "neighbor_allgatherv"),
    NAMED(NEIGHBOR_ALLTOALL, "neighbor_alltoall"),
    NAMED(NEIGHBOR_ALLTOALLV, "neighbor_alltoallv"),
    NAMED(NEIGHBOR_ALLTOALLW, "neighbor_alltoallw"),
    NAMED(REDUCE, "reduce"),
    NAMED(REDUCE_SCATTER, "reduce_scatter"),
    NAMED(REDUCE_SCATTER_BLOCK, "reduce_scatter_block"),
    NAMED(SCAN, "scan"),
    NAMED(SCATTER, "scatter"),
    NAMED(SCATTERV, "scatterv"),
#undef NAMED
};

int MPIR_Csel_coll_type(const char *name)
{
    int type = 0;

    while (type < MPIR_CSEL_COLL_TYPE__END && (!MPIR_Csel_coll_names[type] || strcmp(MPIR_Csel_coll_names[type], name)))
        type++;
    return type;
}

int MPL_strncpy(char *to, const char *from, size_t size)
{
    snprintf(to, size, "%s", from);
    return strlen(from) >= size;
}

void preload_drop_foreign_rules(tuning_s *tuning, char note[COLL_JSON_MAX_ERROR])
{
    int kept = 0, dropped = 0;

    note[0] = '\0';
    for (int i = 0; i < tuning->num_rules; i++) {
        const tuning_rule_s *rule = &tuning->rules[i];
        if (preload_has(rule)) {
            tuning->rules[kept++] = *rule;
            continue;
        }
        if (dropped++ == 0 && rule->section == MPIR_CSEL_SECTION__MPIR)
            snprintf(note, COLL_JSON_MAX_ERROR, "such as /%s/%d, %s of %s", MPII_Coll_tuning_sections[rule->section], i,
                     MPII_Coll_tuning_algorithm(rule), MPIR_Csel_coll_names[rule->coll_type]);
    }
    if (dropped > 0) {
        char such_as[200];
        snprintf(such_as, sizeof(such_as), "%.190s", *note ? note : "those of a device");
        snprintf(note, COLL_JSON_MAX_ERROR, "%d of %d rules are for algorithms or parameters that this MPI library does not have, %s",
                 dropped, tuning->num_rules, such_as);
    }
    tuning->num_rules = kept;
    for (int section = 1; section <= MPIR_CSEL_SECTION__NUM; section++)
        tuning->first_rule[section] = kept;
}
