/* SPDX-License-Identifier: MIT */
/* The duplicates of a communicator: made when a call needs them first, which is collective, and freed with it. They have the
 * group of the communicator, but neither its attributes, whose copy functions nobody has asked for, nor its topology. */
#include "preload.h"

/* Communicators of one layout have the same table of rules, and so the same plan: which duplicate is for which rules. Each has
 * the algorithm of one collective only: some algorithms call other collectives (allreduce nonoverlapping: reduce and bcast),
 * which then are those that were measured with them, and legal. */
struct plan {
    const tuning_table_s *table;
    int num_places;
    int rule_of_place[MAX_DUPLICATES]; /* whose algorithm it has */
    struct plan *next;
    short place_of_rule[]; /* -1: none */
};

static plan_s *plans;
static own_comm_s owns = {.before = &owns,.after = &owns }; /* a ring */

/* ---- plans */

static bool is_of_use(int rule, int ranks)
{
    const choice_s *choice = &preload.choices[rule];

    return !choice->is_forced && (!choice->needs_two_ranks || ranks == 2);
}

/* Rules that call for the same share a place */
static void plan_list(plan_s *plan, const tuning_list_s *list, int ranks)
{
    for (int i = 0; i < list->num; i++) {
        const int rule = list->intervals[i].rule;
        int place = 0;
        if (rule < 0 || !is_of_use(rule, ranks))
            continue;
        while (place < plan->num_places && !preload_is_same_choice(plan->rule_of_place[place], rule))
            place++;
        if (place == MAX_DUPLICATES)
            continue;
        if (place == plan->num_places)
            plan->rule_of_place[plan->num_places++] = rule;
        plan->place_of_rule[rule] = (short) place;
    }
}

static const plan_s *find_plan(const known_comm_s *known)
{
    const size_t num = (size_t) preload.tuning->num_rules;
    plan_s *plan = plans;

    while (plan && plan->table != known->table)
        plan = plan->next;
    if (plan || (plan = malloc(sizeof(*plan) + num * sizeof(short))) == NULL)
        return plan;
    memset(plan->place_of_rule, -1, num * sizeof(short));
    plan->table = known->table;
    plan->num_places = 0;
    for (int coll = 0; coll < MPIR_CSEL_COLL_TYPE__END; coll++)
        for (int op = 0; op < TUNING_NUM_OPS; op++)
            plan_list(plan, &known->table->colls[coll].lists[op], known->ranks);
    plan->next = plans;
    plans = plan;
    return plan;
}

/* ---- duplicates */

/* Errors are for the caller until it is called again */
static void return_errors(MPI_Comm comm, MPI_Errhandler *before)
{
    if (*before == MPI_ERRHANDLER_NULL) {
        PMPI_Comm_get_errhandler(comm, before);
        PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    } else {
        PMPI_Comm_set_errhandler(comm, *before);
        PMPI_Errhandler_free(before);
    }
}

static MPI_Comm duplicate(MPI_Comm comm, int rule)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group group = MPI_GROUP_NULL;

    preload_force(rule);
    PMPI_Comm_group(comm, &group);
    if (PMPI_Comm_create(comm, group, &made) != MPI_SUCCESS)
        made = MPI_COMM_NULL;
    PMPI_Group_free(&group);
    preload_restore(rule);
    if (made != MPI_COMM_NULL)
        PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

bool preload_make_duplicate(const known_comm_s *known, int place)
{
    own_comm_s *own = known->own;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    int is_made = 0, all_made = 0;

    if (own->num_calls[place] >= preload.first_call || ++own->num_calls[place] < preload.first_call)
        return false;
    return_errors(known->comm, &handler);
    own->duplicates[place] = duplicate(known->comm, own->plan->rule_of_place[place]);
    is_made = own->duplicates[place] != MPI_COMM_NULL;
    PMPI_Allreduce(&is_made, &all_made, 1, MPI_INT, MPI_MIN, known->comm);
    if (is_made && !all_made)
        PMPI_Comm_free(&own->duplicates[place]);
    return_errors(known->comm, &handler);
    if (preload.verbose > 0 && known->rank == 0)
        fprintf(stderr, "changeover-preload: communicator of %d ranks: duplicate %d %s\n", known->ranks, place + 1,
                all_made ? "made" : "could not be made; the library chooses");
    return all_made;
}

/* An error of a call on a duplicate: as if it were one of the user's communicator */
int preload_raise(MPI_Comm comm, int code)
{
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* ---- what is kept of a communicator */

void preload_own_new(known_comm_s *known)
{
    own_comm_s *own = calloc(1, sizeof(*own));
    const plan_s *plan = own ? find_plan(known) : NULL;

    if (plan == NULL) {
        free(own);
        return;
    }
    own->plan = plan;
    own->place_of_rule = plan->place_of_rule;
    for (int i = 0; i < MAX_DUPLICATES; i++)
        own->duplicates[i] = MPI_COMM_NULL;
    own->before = &owns;
    own->after = owns.after;
    own->before->after = own->after->before = own;
    known->own = own;
}

/* Does not communicate in Open MPI; the ranks free a communicator together in any case */
static void free_duplicates(own_comm_s *own)
{
    for (int i = 0; i < MAX_DUPLICATES; i++)
        if (own->duplicates[i] != MPI_COMM_NULL)
            PMPI_Comm_free(&own->duplicates[i]);
    own->before->after = own->after;
    own->after->before = own->before;
    own->before = own->after = own;
}

void preload_own_free(known_comm_s *known)
{
    if (known->own)
        free_duplicates(known->own);
    free(known->own);
}

/* Before MPI_Finalize: the attributes of those that stay are deleted later */
void preload_own_end(void)
{
    while (owns.after != &owns)
        free_duplicates(owns.after);
    for (plan_s *next; plans; plans = next) {
        next = plans->next;
        free(plans);
    }
}
