/* SPDX-License-Identifier: MIT
 * Any bytes as a file that tunes collectives: as a tuning file, and as a selection tree. Whatever is
 * accepted is resolved for several communicators and asked for many calls; the rules must be those that a
 * plain walk through the list finds. The selection code of the library is compiled into this program, with
 * the sanitizers. */
#include "csel.c"
#include "csel_rules.c"
#include "coll_tuning_resolve.c"
#include <time.h>

/* as in coll_tuning_load.c and coll_json.c */
#define MAX_DEPTH 16
#define MAX_COMPARED 32

#define REQUIRE(condition_)                                                        \
    do {                                                                           \
        if (!(condition_)) {                                                       \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition_); \
            abort();                                                               \
        }                                                                          \
    } while (0)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

static const tuning_comm_s comms[] = {
    {.ranks = 1,.nodes = 1,.min_ppn = 1,.max_ppn = 1,.is_block = true,.is_round_robin = true},
    {.ranks = 8,.nodes = 4,.min_ppn = 2,.max_ppn = 2,.is_block = true,.is_parent = true,
     .is_node_consecutive = true},
    {.ranks = 12,.nodes = 4,.min_ppn = 1,.max_ppn = 5,.is_parent = true},
    {.ranks = INT_MAX,.nodes = INT_MAX,.min_ppn = 1,.max_ppn = 1,.is_block = true,.is_round_robin = true},
};

/* The rule for a call by the definition: the first one whose conditions all hold */
static int first_rule(const tuning_s * tuning, int section, int coll, const tuning_comm_s * comm, int op,
                      int64_t bytes)
{
    const bool is_total = MPII_Coll_tuning_colls[coll].size == TUNING_SIZE_TOTAL;

    for (int i = tuning->first_rule[section]; i < tuning->first_rule[section + 1]; i++) {
        const tuning_rule_s *rule = &tuning->rules[i];
        if ((int) rule->coll_type == coll && matches(tuning, rule, comm, "tcp") && (rule->ops & (1 << op)) &&
            is_in(&rule->bytes, is_total ? bytes / comm->ranks : bytes) &&
            (!is_total || is_in(&rule->total_bytes, bytes)))
            return is_legal_for(rule, comm, op) ? i : -1;
    }
    return -1;
}

static void check_table(const tuning_s * tuning, int section, const tuning_comm_s * comm)
{
    static const int64_t sizes[] = { 0, 1, 7, 8, 1024, 4095, 4096, 524287, 1048576, 1LL << 40, INT64_MAX };
    tuning_table_s *table = MPII_Coll_tuning_resolve(tuning, section, comm, "tcp");

    for (int coll = 0; coll < MPIR_CSEL_COLL_TYPE__END; coll++) {
        for (int op = 0; op < (MPII_Coll_tuning_colls[coll].has_op ? TUNING_NUM_OPS : 1); op++) {
            const tuning_list_s *list = table ? &table->colls[coll].lists[op] : NULL;
            for (int i = 0; i < (int) (sizeof(sizes) / sizeof(sizes[0])); i++) {
                int found = list && list->num ? tuning_find_rule(list, sizes[i]) : -1;
                REQUIRE(found == first_rule(tuning, section, coll, comm, op, sizes[i]));
            }
            /* around the ends of the first intervals */
            for (int i = 0; list && i < list->num && i < 4; i++) {
                REQUIRE(i == 0 || list->intervals[i - 1].last < list->intervals[i].last);
                REQUIRE((i == list->num - 1) == (list->intervals[i].last == TUNING_NO_END));
                REQUIRE(list->intervals[i].rule ==
                        first_rule(tuning, section, coll, comm, op, list->intervals[i].last));
            }
        }
    }
    if (table)
        MPII_Coll_tuning_free_table(table);
}

static void check_error(const char *error)
{
    REQUIRE(error[0] != '\0' && strlen(error) < COLL_JSON_MAX_ERROR);
    for (const char *s = error; *s; s++)
        REQUIRE(isprint((unsigned char) *s));
}

/* Communicators of one layout share its rules, also of one that nobody had for a while, and of one that is
 * freed after the rules. Frees them. */
static void check_layouts(tuning_s * tuning)
{
    layout_rules_s *last = NULL;
    MPIR_Comm comm, whole;

    memset(&comm, 0, sizeof(comm));
    comm.comm_kind = MPIR_COMM_KIND__INTRACOMM;
    comm.hierarchy_kind = MPIR_COMM_HIERARCHY_KIND__FLAT;
    whole = comm;
    whole.local_size = 8;
    whole.node_count = 2;
    MPII_Csel_rules.tuning = tuning;
    REQUIRE(prepare_rules("tcp"));
    for (int i = 0; i < 12; i++) {
        comm.local_size = 1 << (i % 4);
        comm.node_count = i % 3 ? comm.local_size : 1;
        comm.coll.whole = i % 2 ? &whole : NULL;        /* a part of it */
        comm.hierarchy_kind = i % 2 ? MPIR_COMM_HIERARCHY_KIND__NODE : MPIR_COMM_HIERARCHY_KIND__FLAT;
        const int of = i % 4 == 3 ? MPIR_CSEL_COLL_TYPE__BCAST + 1 : 0;
        layout_rules_s *first = MPII_Csel_get_layout(&comm, MPIR_CSEL_SECTION__MPIR, of);
        layout_rules_s *second = MPII_Csel_get_layout(&comm, MPIR_CSEL_SECTION__MPIR, of);
        REQUIRE(first == second && first->key.comm.of == of && first->key.comm.ranks == comm.local_size &&
                first->key.comm.nodes == comm.node_count);
        MPII_Csel_release_layout(first);
        if (last)
            MPII_Csel_release_layout(last);
        last = second;
        REQUIRE(MPII_Csel_rules.num_unused_rules >= 0 && MPII_Csel_rules.num_unused_rules <= MAX_UNUSED_RULES);
    }
    MPIR_Csel_free_rules();
    MPII_Csel_release_layout(last);
}

/* Whatever a process knows of its own network, the file has a name for it, or a line that says why not */
static void check_networks(const tuning_s * tuning)
{
    static const tuning_place_s places[] = {
        {"10.1.0.3", "eth0", "tcp"}, {"fd00:2::1", "ib0", "verbs"}, {"127.0.0.1", "", "tcp"}, {"", "", "tcp"}
    };
    char name[TUNING_MAX_NETWORK], note[COLL_JSON_MAX_ERROR];

    for (int i = 0; i < 8; i++) {
        MPII_Coll_tuning_choose_network(tuning, i < 4 ? "" : "gigabit", &places[i % 4], name, note);
        REQUIRE(name[0] != '\0' && strlen(name) < TUNING_MAX_NETWORK);
        if (note[0])
            check_error(note);
    }
}

/* The library's own reader of JSON has understood what json-c understands */
static void compare_json(const coll_json_node_s * node, struct json_object *obj)
{
    static const json_type types[] = {
        [COLL_JSON_NULL] = json_type_null,[COLL_JSON_FALSE] = json_type_boolean,
        [COLL_JSON_TRUE] = json_type_boolean,[COLL_JSON_INT] = json_type_int,
        [COLL_JSON_REAL] = json_type_double,[COLL_JSON_STRING] = json_type_string,
        [COLL_JSON_ARRAY] = json_type_array,[COLL_JSON_OBJECT] = json_type_object
    };

    REQUIRE(json_object_get_type(obj) == types[node->type]);
    if (node->type == COLL_JSON_TRUE || node->type == COLL_JSON_FALSE)
        REQUIRE(json_object_get_boolean(obj) == (node->type == COLL_JSON_TRUE));
    if (node->type == COLL_JSON_INT)
        REQUIRE(json_object_get_int64(obj) == node->u.number ||
                (node->u.number == -INT64_MAX && json_object_get_int64(obj) == INT64_MIN));
    if (node->type == COLL_JSON_STRING)
        REQUIRE(json_object_get_string_len(obj) == node->len &&
                !memcmp(json_object_get_string(obj), node->u.string, node->len + 1));
    if (node->type == COLL_JSON_ARRAY) {
        const coll_json_node_s *element = node + 1;
        REQUIRE((int) json_object_array_length(obj) == node->len);
        for (int i = 0; i < node->len; i++, element += element->num_nodes)
            compare_json(element, json_object_array_get_idx(obj, i));
        REQUIRE(element == node + node->num_nodes);
    }
    if (node->type == COLL_JSON_OBJECT && node->len <= MAX_COMPARED) {
        int num = 0;
        bool has_zero = false;  /* json-c knows keys up to their first zero byte, and takes some for the same */
        COLL_JSON_FOREACH(node, key, val) {
            num++;
            has_zero |= (int) strlen(key->u.string) < key->len;
        }
        REQUIRE(num == node->len);
        COLL_JSON_FOREACH(node, key, val) {
            struct json_object *other;
            if (has_zero)
                break;
            REQUIRE(json_object_object_get_ex(obj, key->u.string, &other));
            compare_json(val, other);
        }
    }
}

/* Ends where the data ends, as the library has it */
static char *copy_of(const char *text, size_t len)
{
    char *copy = malloc(len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

static void try_json(const char *text, size_t len)
{
    char error[COLL_JSON_MAX_ERROR];
    char *copy = copy_of(text, len);
    coll_json_node_s *nodes = MPII_Coll_json_parse_nodes(copy, len, MAX_DEPTH, error);

    if (nodes == NULL)
        check_error(error);
    /* json-c waits for more behind a number or a name that nothing ends */
    if (nodes && (nodes->type == COLL_JSON_OBJECT || nodes->type == COLL_JSON_ARRAY)) {
        struct json_object *obj =
            MPII_Coll_json_parse(text, len, 2 * MAX_DEPTH, JSON_TOKENER_STRICT, error);
        REQUIRE(obj);
        compare_json(nodes, obj);
        json_object_put(obj);
    }
    MPL_free(nodes);
    free(copy);
}

/* As the other ranks get it */
static tuning_s *passed_on(const tuning_s * tuning)
{
    size_t len;
    tuning_packed_s *packed = MPII_Coll_tuning_pack(tuning, "tcp", &len);

    REQUIRE(!MPII_Coll_tuning_unpack(packed, len - 1));
    packed->library++;
    REQUIRE(!MPII_Coll_tuning_unpack(packed, len));
    packed->library--;
    tuning_s *copy = MPII_Coll_tuning_unpack(packed, len);
    REQUIRE(copy && copy->num_rules == tuning->num_rules && !strcmp(packed->network, "tcp"));
    return copy;
}

static void try_tuning_file(const char *text, size_t len)
{
    char error[COLL_JSON_MAX_ERROR];
    char *own_text = copy_of(text, len);
    tuning_s *tuning = MPII_Coll_tuning_load(own_text, len, error);

    if (tuning == NULL) {
        check_error(error);
        free(own_text);
        return;
    }
    tuning_s *copy = passed_on(tuning);
    for (int i = 0; i < (int) (sizeof(comms) / sizeof(comms[0])); i++)
        check_table(copy, MPIR_CSEL_SECTION__MPIR, &comms[i]);
    MPII_Coll_tuning_free(copy);
    for (int section = 0; section < MPIR_CSEL_SECTION__NUM; section++)
        for (int i = 0; i < (int) (sizeof(comms) / sizeof(comms[0])); i++)
            check_table(tuning, section, &comms[i]);
    check_networks(tuning);
    check_layouts(tuning);
    free(own_text);
}

/* Every collective, short and long, on communicators of 8 and 12 ranks: no call may end in an assertion */
static void ask_tree(csel_s * root, int ranks)
{
    MPI_Aint counts[12], displs[12];
    MPI_Datatype datatypes[12];
    int node_of[12];
    MPIR_Comm comm;
    void *csel;

    memset(&comm, 0, sizeof(comm));
    comm.local_size = comm.remote_size = ranks;
    comm.comm_kind = MPIR_COMM_KIND__INTRACOMM;
    comm.hierarchy_kind = MPIR_COMM_HIERARCHY_KIND__PARENT;
    comm.node_count = 4;
    comm.internode_table = node_of;
    comm.coll.pof2 = MPL_pof2(ranks);
    for (int i = 0; i < ranks; i++)
        node_of[i] = i % 4;

    MPIR_Csel_prune(root, &comm, &csel);
    for (MPI_Aint count = 0; count < 1000000; count = count * 100 + 5) {
        for (int i = 0; i < ranks; i++) {
            counts[i] = count + (i == 0);
            displs[i] = i * (count + 1);
            datatypes[i] = MPI_BYTE;
        }
        for (int coll = 0; coll < MPIR_CSEL_COLL_TYPE__END; coll++) {
            MPIR_Csel_coll_sig_s sig = {.coll_type = coll,.comm_ptr = &comm };
            switch (coll) {
                case MPIR_CSEL_COLL_TYPE__ALLGATHERV:
                case MPIR_CSEL_COLL_TYPE__IALLGATHERV:
                    sig.u.allgatherv.recvcounts = counts;
                    sig.u.allgatherv.displs = displs;
                    sig.u.allgatherv.recvtype = MPI_BYTE;
                    break;
                case MPIR_CSEL_COLL_TYPE__ALLTOALLV:
                case MPIR_CSEL_COLL_TYPE__IALLTOALLV:
                    sig.u.alltoallv.sendcounts = counts;
                    sig.u.alltoallv.sendtype = MPI_BYTE;
                    break;
                case MPIR_CSEL_COLL_TYPE__ALLTOALLW:
                case MPIR_CSEL_COLL_TYPE__IALLTOALLW:
                    sig.u.alltoallw.sendcounts = counts;
                    sig.u.alltoallw.sendtypes = datatypes;
                    break;
                case MPIR_CSEL_COLL_TYPE__REDUCE_SCATTER:
                case MPIR_CSEL_COLL_TYPE__IREDUCE_SCATTER:
                    sig.u.reduce_scatter.recvcounts = counts;
                    sig.u.reduce_scatter.datatype = MPI_BYTE;
                    sig.u.reduce_scatter.op = MPI_SUM;
                    break;
                case MPIR_CSEL_COLL_TYPE__BCAST:
                case MPIR_CSEL_COLL_TYPE__IBCAST:
                    sig.u.bcast.count = count;
                    sig.u.bcast.datatype = MPI_BYTE;
                    break;
                case MPIR_CSEL_COLL_TYPE__ALLGATHER:
                case MPIR_CSEL_COLL_TYPE__IALLGATHER:
                    sig.u.allgather.recvcount = count;
                    sig.u.allgather.recvtype = MPI_BYTE;
                    break;
                case MPIR_CSEL_COLL_TYPE__ALLTOALL:
                case MPIR_CSEL_COLL_TYPE__IALLTOALL:
                    sig.u.alltoall.sendcount = count;
                    sig.u.alltoall.sendtype = MPI_BYTE;
                    break;
                case MPIR_CSEL_COLL_TYPE__GATHER:
                case MPIR_CSEL_COLL_TYPE__IGATHER:
                case MPIR_CSEL_COLL_TYPE__SCATTER:
                case MPIR_CSEL_COLL_TYPE__ISCATTER:
                    sig.u.gather.sendcount = sig.u.gather.recvcount = count;
                    sig.u.gather.sendtype = sig.u.gather.recvtype = MPI_BYTE;
                    break;
                default:
                    /* the reductions have their members at the same places; the others have none */
                    sig.u.allreduce.count = count;
                    sig.u.allreduce.datatype = MPI_BYTE;
                    sig.u.allreduce.op = MPI_SUM;
                    break;
            }
            find_leaf(csel, &sig);
        }
    }
    MPIR_Csel_free(csel);
}

static void try_selection_tree(const char *text, size_t len)
{
    char error[COLL_JSON_MAX_ERROR];
    csel_s root = {.type = CSEL_TYPE__ROOT };
    struct json_object *obj = MPII_Coll_json_parse(text, len, JSON_TOKENER_DEFAULT_DEPTH, 0, error);

    if (obj == NULL) {
        check_error(error);
        return;
    }
    is_parsing_file = true;
    int mpi_errno = parse_json(obj, MPII_Create_container, &root.u.root.file_tree);
    is_parsing_file = false;
    json_object_put(obj);
    if (mpi_errno) {
        check_error(parse_error_text);
        REQUIRE(root.u.root.file_tree == NULL);
    } else {
        ask_tree(&root, 8);
        ask_tree(&root, 12);
        free_tree(root.u.root.file_tree);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void) argc;
    (void) argv;
    MPIR_T_env_init();
    MPIR_Err_init();
    MPIR_Csel_init();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
    char *text = copy_of((const char *) data, size);
    /* of processor time: a busy machine is not a slow file */
    clock_t start = clock();
    try_json(text, size);
    try_tuning_file(text, size);
    try_selection_tree(text, size);
    REQUIRE(clock() - start < CLOCKS_PER_SEC);
    free(text);
    return 0;
}
