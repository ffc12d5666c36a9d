/* SPDX-License-Identifier: MIT */
/* What the MPI library of the program can be told: its algorithms, by the control variables MPIR_CVAR_*_INTRA_ALGORITHM.
 * Their values have no names in MPI_T, only lines in the descriptions. */
#include "preload.h"

#define MAX_ALGORITHMS 400
#define MAX_OF_ONE 40 /* collective */
#define MAX_NAME 64
#define NOT_HERE (-1)

typedef struct {
    MPIR_Csel_coll_type_e coll_type;
    const char *name;
    int needs;
} known_algorithm_s;

static const known_algorithm_s known_algorithms[] = {
#define ALGORITHM(TYPE_, name_, needs_) {MPIR_CSEL_COLL_TYPE__##TYPE_, name_, needs_},
#include "algorithms.def"
#undef ALGORITHM
};

static const struct {
    MPIR_Csel_coll_type_e coll_type;
    const char *algorithm, *name, *variable;
} known_parameters[] = {
#define PARAMETER(TYPE_, algorithm_, name_, VARIABLE_) \
    {MPIR_CSEL_COLL_TYPE__##TYPE_, algorithm_, name_, "MPIR_CVAR_" #TYPE_ "_" VARIABLE_},
#include "parameters.def"
#undef PARAMETER
};

/* Names of 4.0 for algorithms that later releases have with a parameter, by default the same */
static const struct {
    MPIR_Csel_coll_type_e coll_type;
    const char *name, *since_4_1;
} renamed[] = {
    {MPIR_CSEL_COLL_TYPE__BARRIER, "dissemination", "k_dissemination"},
};

#define NUM(array_) ((int) (sizeof(array_) / sizeof((array_)[0])))

/* ---- the tables that the reader asks (vocabulary.h) */

static MPII_Coll_algo_s algos[MAX_ALGORITHMS];
static MPII_Coll_param_s params[NUM(known_parameters)];
static const char *names[MAX_ALGORITHMS];
static char found_names[MAX_ALGORITHMS][MAX_NAME];
static int num_algos;
static const int num_params = NUM(known_parameters);

const MPII_Coll_algo_s (*preload_algos)[] = (const MPII_Coll_algo_s (*)[]) &algos;
const MPII_Coll_param_s (*preload_params)[] = (const MPII_Coll_param_s (*)[]) &params;
const char *const (*preload_algorithm_names)[] = (const char *const (*)[]) &names;
const int *preload_num_algos = &num_algos;
const int *preload_num_params = &num_params;

/* What belongs to them here */
static int values[MAX_ALGORITHMS]; /* of the control variable; NOT_HERE */
static MPI_T_cvar_handle parameter_variables[NUM(known_parameters)];

typedef struct {
    MPI_T_cvar_handle algorithm, device;
    int device_before;
    bool is_forced; /* by the user, who knows better */
} variables_s;

static variables_s variables[MPIR_CSEL_COLL_TYPE__END];

/* ---- descriptions */

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* How many characters before `end` are a name. In 4.0 the lines are joined without anything between them, so that only what
 * is known can be told from the end of the line before. */
static int length_of_name(const char *begin, const char *end, int coll_type)
{
    int length = 0, longest = 0;

    while (end - length > begin && is_of_name(end[-length - 1]))
        length++;
    if (end - length == begin || end[-length - 1] == '\n')
        return length;
    for (int i = 0; i < NUM(known_algorithms); i++) {
        const int known = (int) strlen(known_algorithms[i].name);
        if ((int) known_algorithms[i].coll_type == coll_type && known <= length && known > longest &&
            !strncmp(end - known, known_algorithms[i].name, known))
            longest = known;
    }
    return longest;
}

int preload_names_in(const char *description, int coll_type, const char **found, int *lengths, int max)
{
    int num = 0;

    for (const char *at = description; (at = strstr(at, " - ")) && num < max; at++) {
        const char *end = at;
        if (strncmp(at, " - Force", 8) && strncmp(at, " - Internal", 11))
            continue;
        while (end > description && end[-1] == ' ')
            end--;
        lengths[num] = length_of_name(description, end, coll_type);
        found[num] = end - lengths[num];
        num++;
    }
    return num;
}

static int find_algorithm(int coll_type, const char *name, size_t length)
{
    for (int i = 0; i < num_algos; i++)
        if ((int) algos[i].coll_type == coll_type && strlen(algos[i].name) == length && !strncmp(algos[i].name, name, length))
            return i;
    return -1;
}

static void add_algorithm(int coll_type, const char *name, int needs, int value)
{
    if (num_algos == MAX_ALGORITHMS)
        return;
    algos[num_algos] = (MPII_Coll_algo_s) {.coll_type = coll_type,.name = name,.comm_kind = MPIR_COMM_KIND__INTRACOMM,
        .id = num_algos,.needs = needs};
    names[num_algos] = name;
    values[num_algos++] = value;
}

/* ---- control variables */

static bool open_variable(const char *name, MPI_T_cvar_handle *variable, int *value, char **description)
{
    int index = 0, count = 0, ignored = 0, scope = 0, length = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;

    *variable = MPI_T_CVAR_HANDLE_NULL;
    if (PMPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        PMPI_T_cvar_get_info(index, NULL, &ignored, &ignored, &type, NULL, NULL, &length, &ignored, &scope) != MPI_SUCCESS ||
        type != MPI_INT || scope == MPI_T_SCOPE_CONSTANT || scope == MPI_T_SCOPE_READONLY ||
        PMPI_T_cvar_handle_alloc(index, NULL, variable, &count) != MPI_SUCCESS || count != 1 ||
        PMPI_T_cvar_read(*variable, value) != MPI_SUCCESS)
        return false;
    if (description && (*description = malloc(length + 1))) {
        length++;
        PMPI_T_cvar_get_info(index, NULL, &ignored, &ignored, &type, NULL, *description, &length, &ignored, &scope);
    }
    return !description || *description;
}

/* The algorithms of a collective that the library has */
static void find_algorithms_of(int coll_type, const char *description)
{
    const char *found[MAX_OF_ONE];
    int lengths[MAX_OF_ONE];
    const int num = preload_names_in(description, coll_type, found, lengths, MAX_OF_ONE);

    for (int value = 0; value < num; value++) {
        const int known = find_algorithm(coll_type, found[value], lengths[value]);
        if (known >= 0) {
            values[known] = value;
        } else if (value > 0 && lengths[value] > 0 && lengths[value] < MAX_NAME && num_algos < MAX_ALGORITHMS) {
            snprintf(found_names[num_algos], MAX_NAME, "%.*s", lengths[value], found[value]);
            add_algorithm(coll_type, found_names[num_algos], 0, value);
        }
    }
    for (int i = 0; i < NUM(renamed); i++) {
        const int old = find_algorithm(coll_type, renamed[i].name, strlen(renamed[i].name));
        const int now = find_algorithm(coll_type, renamed[i].since_4_1, strlen(renamed[i].since_4_1));
        if ((int) renamed[i].coll_type == coll_type && old >= 0 && now >= 0 && values[old] == NOT_HERE)
            values[old] = values[now];
    }
}

static void variable_of(int coll_type, const char *suffix, char name[100])
{
    int length = snprintf(name, 100, "MPIR_CVAR_");

    for (const char *c = MPIR_Csel_coll_names[coll_type]; *c; c++)
        name[length++] = (char) (is_of_name(*c) && *c >= 'a' ? *c - 'a' + 'A' : *c);
    snprintf(name + length, 100 - length, "%s", suffix);
}

static void find_parameters(void)
{
    for (int i = 0; i < NUM(known_parameters); i++) {
        int ignored = 0;
        const int of = find_algorithm(known_parameters[i].coll_type, known_parameters[i].algorithm,
                                      strlen(known_parameters[i].algorithm));
        params[i] = (MPII_Coll_param_s) {.id = of,.name = known_parameters[i].name};
        open_variable(known_parameters[i].variable, &parameter_variables[i], &ignored, NULL);
    }
}

/* False: `problem` says why it cannot */
static bool find_algorithms(char problem[COLL_JSON_MAX_ERROR])
{
    int num_variables = 0, provided = 0;
    char name[100];

    PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    for (int i = 0; i < NUM(known_algorithms); i++)
        add_algorithm(known_algorithms[i].coll_type, known_algorithms[i].name, known_algorithms[i].needs, NOT_HERE);
    for (int coll = 0; coll < MPIR_CSEL_COLL_TYPE__END; coll++) {
        variables_s *v = &variables[coll];
        char *description = NULL;
        int value = 0;
        if (MPIR_Csel_coll_names[coll] == NULL)
            continue;
        variable_of(coll, "_INTRA_ALGORITHM", name);
        if (open_variable(name, &v->algorithm, &value, &description)) {
            find_algorithms_of(coll, description);
            v->is_forced = value != 0;
            num_variables++;
        }
        free(description);
        variable_of(coll, "_DEVICE_COLLECTIVE", name);
        open_variable(name, &v->device, &v->device_before, NULL);
    }
    find_parameters();
    if (num_variables == 0)
        snprintf(problem, COLL_JSON_MAX_ERROR, "this MPI library has no control variable that chooses an algorithm");
    return num_variables > 0;
}

/* Where an algorithm is not legal for a call, the library's own choice is made without a word */
static bool falls_back(void)
{
    enum { error, print, silent } value = silent;
    MPI_T_cvar_handle variable;

    open_variable("MPIR_CVAR_COLLECTIVE_FALLBACK", &variable, (int *) &value, NULL);
    return value == silent;
}

bool preload_can_start(char problem[COLL_JSON_MAX_ERROR])
{
    if (!find_algorithms(problem))
        return false;
    if (!falls_back())
        snprintf(problem, COLL_JSON_MAX_ERROR, "MPIR_CVAR_COLLECTIVE_FALLBACK is not 'silent'");
    return *problem == '\0';
}

/* ---- rules */

bool preload_has(const tuning_rule_s *rule)
{
    for (int i = 0; i < rule->num_params; i++)
        if (parameter_variables[rule->params[i]] == MPI_T_CVAR_HANDLE_NULL)
            return false;
    return rule->section == MPIR_CSEL_SECTION__MPIR && values[rule->algorithm] != NOT_HERE;
}

static void add_setting(choice_s *choice, MPI_T_cvar_handle variable, int value, int before)
{
    if (variable != MPI_T_CVAR_HANDLE_NULL && value != before)
        choice->settings[choice->num_settings++] = (setting_s) {variable, value, before};
}

bool preload_make_choices(void)
{
    preload.choices = calloc(preload.tuning->num_rules + 1, sizeof(choice_s));
    for (int i = 0; preload.choices && i < preload.tuning->num_rules; i++) {
        const tuning_rule_s *rule = &preload.tuning->rules[i];
        const variables_s *v = &variables[rule->coll_type];
        choice_s *choice = &preload.choices[i];
        choice->needs_equal_blocks = (rule->needs & MPII_COLL_NEEDS_BLOCK_REGULAR) != 0;
        if (v->is_forced)
            continue;
        add_setting(choice, v->algorithm, values[rule->algorithm], 0);
        /* a ch4 device would apply it to the parts that it composes the call of */
        add_setting(choice, v->device, 0, preload_has_device_collectives ? v->device_before : 0);
        for (int j = 0; j < rule->num_params; j++) {
            int before = 0;
            PMPI_T_cvar_read(parameter_variables[rule->params[j]], &before);
            add_setting(choice, parameter_variables[rule->params[j]], rule->vals[j], before);
        }
    }
    return preload.choices != NULL;
}
