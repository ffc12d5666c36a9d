/* SPDX-License-Identifier: MIT */
/* What the Open MPI of the program can be told: the algorithms of coll/tuned, by the control variables
 * coll_tuned_<collective>_algorithm, whose values have names, and those of its parameters. */
#include "preload.h"

#define MAX_ALGORITHMS 400
#define MAX_NAME 64
#define NEEDS_TWO_RANKS (1 << 30) /* besides those that the reader knows */
#define NUM(array_) ((int) (sizeof(array_) / sizeof((array_)[0])))

static const struct {
    MPIR_Csel_coll_type_e coll_type;
    const char *name;
    int needs;
} known_algorithms[] = {
#define ALGORITHM(TYPE_, name_, needs_) {MPIR_CSEL_COLL_TYPE__##TYPE_, name_, needs_},
#include "algorithms.def"
#undef ALGORITHM
};

/* Parameters as tuning files call them, and what stands there if a rule has none: as the benchmark measures */
enum { PARAMETER_CHUNK_SIZE, PARAMETER_K, NUM_PARAMETERS };
static const struct {
    const char *name, *suffix;
    int value;
} parameters[NUM_PARAMETERS] = {
    [PARAMETER_CHUNK_SIZE] = {"chunk_size", "_segmentsize", 0},
    [PARAMETER_K] = {"k", "_chain_fanout", 4},
};

/* Components whose priority may be above that of coll/tuned */
static const char *const other_components[] = {"han", "acoll", "xhc", "hcoll", "ucc"};

/* ---- the tables that the reader asks (vocabulary.h) */

static MPII_Coll_algo_s algos[MAX_ALGORITHMS];
static MPII_Coll_param_s params[MAX_ALGORITHMS * NUM_PARAMETERS];
static const char *names[MAX_ALGORITHMS];
static char found_names[MAX_ALGORITHMS][MAX_NAME];
static int num_algos, num_params;

const MPII_Coll_algo_s (*preload_algos)[] = (const MPII_Coll_algo_s (*)[]) &algos;
const MPII_Coll_param_s (*preload_params)[] = (const MPII_Coll_param_s (*)[]) &params;
const char *const (*preload_algorithm_names)[] = (const char *const (*)[]) &names;
const int *preload_num_algos = &num_algos;
const int *preload_num_params = &num_params;

/* What belongs to them here */
static int values[MAX_ALGORITHMS]; /* of the control variable */

typedef struct {
    MPI_T_cvar_handle handle;
    int before;
} variable_s;

static struct {
    variable_s algorithm, parameters[NUM_PARAMETERS];
} variables[MPIR_CSEL_COLL_TYPE__END];
static variable_s priorities[NUM(other_components)];

/* ---- control variables */

static bool open_any(const char *name, MPI_Datatype *type, int *scope, MPI_T_enum *items, variable_s *variable, int *count)
{
    int index = 0, ignored = 0, no_name = 0, no_description = 0;

    variable->handle = MPI_T_CVAR_HANDLE_NULL;
    return PMPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
        PMPI_T_cvar_get_info(index, NULL, &no_name, &ignored, type, items, NULL, &no_description, &ignored, scope) == MPI_SUCCESS &&
        PMPI_T_cvar_handle_alloc(index, NULL, &variable->handle, count) == MPI_SUCCESS;
}

/* One that holds a number and can be written; false: otherwise. Its values may have names in either case. */
static bool open_variable(const char *name, variable_s *variable, MPI_T_enum *items)
{
    int scope = 0, count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;

    *items = MPI_T_ENUM_NULL;
    if (open_any(name, &type, &scope, items, variable, &count) && type == MPI_INT && count == 1 &&
        scope != MPI_T_SCOPE_CONSTANT && scope != MPI_T_SCOPE_READONLY &&
        PMPI_T_cvar_read(variable->handle, &variable->before) == MPI_SUCCESS)
        return true;
    variable->handle = MPI_T_CVAR_HANDLE_NULL;
    return false;
}

/* Whether one that only MPI_Init reads is set: true, or a text that is not empty */
static bool is_set(const char *name)
{
    char value[4096] = "";
    int scope = 0, count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum items;
    variable_s variable;

    if (open_any(name, &type, &scope, &items, &variable, &count) && count < (int) sizeof(value))
        PMPI_T_cvar_read(variable.handle, value);
    return *value != '\0';
}

static void write_variable(const variable_s *variable, int value)
{
    if (variable->handle != MPI_T_CVAR_HANDLE_NULL)
        PMPI_T_cvar_write(variable->handle, &value);
}

/* ---- algorithms */

static int needs_of(int coll_type, const char *name)
{
    for (int i = 0; i < NUM(known_algorithms); i++)
        if ((int) known_algorithms[i].coll_type == coll_type && !strcmp(known_algorithms[i].name, name))
            return known_algorithms[i].needs;
    return MPII_Coll_tuning_colls[coll_type].has_op ? MPII_COLL_NEEDS_COMMUTATIVE : 0;
}

static void add_algorithm(int coll_type, int value, const char *name)
{
    char *kept = found_names[num_algos];

    snprintf(kept, MAX_NAME, "%s", name);
    algos[num_algos] = (MPII_Coll_algo_s) {.coll_type = coll_type,.name = kept,.comm_kind = MPIR_COMM_KIND__INTRACOMM,
        .id = num_algos,.needs = needs_of(coll_type, name)};
    for (int i = 0; i < NUM_PARAMETERS; i++)
        if (variables[coll_type].parameters[i].handle != MPI_T_CVAR_HANDLE_NULL)
            params[num_params++] = (MPII_Coll_param_s) {.id = num_algos,.name = parameters[i].name};
    names[num_algos] = kept;
    values[num_algos++] = value;
}

/* The value 0 forces nothing */
static void add_algorithms(int coll_type, MPI_T_enum items)
{
    char name[MAX_NAME];
    int num = 0, none = 0;

    PMPI_T_enum_get_info(items, &num, NULL, &none);
    for (int i = 0; i < num && num_algos < MAX_ALGORITHMS; i++) {
        int value = 0, length = MAX_NAME;
        if (PMPI_T_enum_get_item(items, i, &value, name, &length) == MPI_SUCCESS && value != 0)
            add_algorithm(coll_type, value, name);
    }
}

/* Of how many collectives */
static int find_algorithms(void)
{
    int num_here = 0;
    char name[100];

    for (int coll = 0; coll < MPIR_CSEL_COLL_TYPE__END; coll++) {
        MPI_T_enum items;
        for (int i = 0; i < NUM_PARAMETERS; i++) {
            MPI_T_enum ignored;
            snprintf(name, sizeof(name), "coll_tuned_%s_algorithm%s", MPIR_Csel_coll_names[coll], parameters[i].suffix);
            open_variable(name, &variables[coll].parameters[i], &ignored);
        }
        snprintf(name, sizeof(name), "coll_tuned_%s_algorithm", MPIR_Csel_coll_names[coll]);
        num_here += open_variable(name, &variables[coll].algorithm, &items);
        if (items != MPI_T_ENUM_NULL)
            add_algorithms(coll, items);
    }
    for (int i = 0; i < NUM(other_components); i++) {
        MPI_T_enum ignored;
        snprintf(name, sizeof(name), "coll_%s_priority", other_components[i]);
        open_variable(name, &priorities[i], &ignored);
    }
    return num_here;
}

bool preload_can_start(char problem[COLL_JSON_MAX_ERROR])
{
    int provided = 0;

    PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    if (find_algorithms() == 0)
        snprintf(problem, COLL_JSON_MAX_ERROR, "this Open MPI has no control variable that chooses an algorithm");
    else if (!is_set("coll_tuned_use_dynamic_rules"))
        snprintf(problem, COLL_JSON_MAX_ERROR, "coll_tuned_use_dynamic_rules is switched off");
    else if (is_set("coll_tuned_dynamic_rules_filename"))
        snprintf(problem, COLL_JSON_MAX_ERROR, "coll_tuned_dynamic_rules_filename is set: the rules of that file go first");
    return *problem == '\0';
}

/* ---- rules */

bool preload_has(const tuning_rule_s *rule)
{
    /* some are constants, such as those of allgatherv in 4.1 */
    return rule->section == MPIR_CSEL_SECTION__MPIR && variables[rule->coll_type].algorithm.handle != MPI_T_CVAR_HANDLE_NULL;
}

bool preload_make_choices(void)
{
    preload.choices = calloc(preload.tuning->num_rules + 1, sizeof(choice_s));
    for (int i = 0; preload.choices && i < preload.tuning->num_rules; i++) {
        const tuning_rule_s *rule = &preload.tuning->rules[i];
        preload.choices[i].is_forced = variables[rule->coll_type].algorithm.before != 0;
        preload.choices[i].needs_two_ranks = (rule->needs & NEEDS_TWO_RANKS) != 0;
    }
    return preload.choices != NULL;
}

bool preload_is_same_choice(int rule, int other)
{
    const tuning_rule_s *a = &preload.tuning->rules[rule], *b = &preload.tuning->rules[other];

    return a->algorithm == b->algorithm && a->num_params == b->num_params &&
        !memcmp(a->params, b->params, a->num_params * sizeof(a->params[0])) &&
        !memcmp(a->vals, b->vals, a->num_params * sizeof(a->vals[0]));
}

void preload_force(int rule)
{
    const tuning_rule_s *r = &preload.tuning->rules[rule];

    write_variable(&variables[r->coll_type].algorithm, values[r->algorithm]);
    for (int i = 0; i < NUM_PARAMETERS; i++) {
        int value = parameters[i].value;
        for (int j = 0; j < r->num_params; j++)
            if (!strcmp(params[r->params[j]].name, parameters[i].name))
                value = r->vals[j];
        write_variable(&variables[r->coll_type].parameters[i], value);
    }
    for (int i = 0; i < NUM(other_components); i++)
        if (priorities[i].before > 0) /* below, it is turned off */
            write_variable(&priorities[i], 0);
}

void preload_restore(int rule)
{
    const int coll = preload.tuning->rules[rule].coll_type;

    write_variable(&variables[coll].algorithm, variables[coll].algorithm.before);
    for (int i = 0; i < NUM_PARAMETERS; i++)
        write_variable(&variables[coll].parameters[i], variables[coll].parameters[i].before);
    for (int i = 0; i < NUM(other_components); i++)
        if (priorities[i].before > 0)
            write_variable(&priorities[i], priorities[i].before);
}
