/* SPDX-License-Identifier: MIT */
/* The layout of a communicator, and what is left of the rules for it: found without communication when it is used first,
 * and kept until it is freed. */
#include "preload.h"

/* Communicators of the same layout share a table */
typedef struct layout {
    tuning_comm_s comm;
    tuning_table_s *table;
    struct layout *next;
} layout_s;

static int *node_of_world; /* of each rank of MPI_COMM_WORLD: the first rank that is on its node */
static MPI_Group world;
static layout_s *layouts;
static int keyval = MPI_KEYVAL_INVALID;

/* A communicator is freed */
static int forget(MPI_Comm comm, int key, void *attribute, void *state)
{
    known_comm_s *known = attribute;
    known_comm_s **slot = &preload.slots[preload_slot(known->comm)];

    if (*slot == known)
        *slot = NULL;
    preload_own_free(known);
    free(known);
    return MPI_SUCCESS;
}

/* A number for the name of this node, by which the launcher or else the operating system knows it */
static uint64_t hash_of_name(void)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    const char *given = getenv(HOST_NAME);
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    int length = 0;

    PMPI_Get_processor_name(name, &length);
    for (const char *c = given ? given : name; *c; c++)
        hash = (hash ^ (unsigned char) *c) * 1099511628211u;
    return hash;
}

typedef struct {
    uint64_t name; /* hash_of_name */
    int rank;
    int local, num_local; /* the rank among those that the launcher started on the node, and how many; 0 if it does not say */
    int has; /* of the first rank of a node: how many of it were found */
} named_rank_s;

static int compare_names(const void *a, const void *b)
{
    const named_rank_s *x = a, *y = b;
    return x->name != y->name ? (x->name > y->name) - (x->name < y->name) : x->rank - y->rank;
}

/* Ranks of one name, in their order: one node. If the launcher started fewer on a node than have its name, one machine
 * stands for several nodes: the first rank of each is known, and the n-th goes to the first node that has n - 1. */
static void split_name(named_rank_s *ranks, int num)
{
    int first_open = 0; /* the nodes before it are full */

    for (int i = 0; i < num; i++) {
        const bool is_alone = ranks[i].num_local > 0 && ranks[i].num_local != num;
        int k = is_alone ? first_open : 0;
        while (is_alone && k < i && (ranks[k].has == 0 || ranks[k].has != ranks[i].local))
            k++;
        k = ranks[i].local == 0 && is_alone ? i : k;
        node_of_world[ranks[i].rank] = ranks[k].rank;
        ranks[k].has++;
        while (first_open < i && (ranks[first_open].has == 0 || ranks[first_open].has == ranks[first_open].num_local))
            first_open++;
    }
}

/* Where the library has no memory that ranks share (ch3:sock; MPICH 5.0.2 of Debian), it takes each rank for a node */
static void find_nodes_by_name(int ranks, named_rank_s *all)
{
    const char *local = getenv(LOCAL_RANK), *num_local = getenv(LOCAL_RANKS);
    named_rank_s own = {.name = hash_of_name(),.local = local ? atoi(local) : 0,.num_local = num_local ? atoi(num_local) : 0};

    PMPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
    PMPI_Allgather(&own, sizeof(own), MPI_BYTE, all, sizeof(own), MPI_BYTE, MPI_COMM_WORLD);
    qsort(all, ranks, sizeof(all[0]), compare_names);
    for (int i = 0, first = 0; i < ranks; i++)
        if (i + 1 == ranks || all[i + 1].name != all[first].name) {
            split_name(all + first, i + 1 - first);
            first = i + 1;
        }
}

bool preload_find_nodes(void)
{
    MPI_Comm node;
    int ranks = 0, first = 0, num_shared = 0, most_shared = 0;
    named_rank_s *named = NULL;

    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PMPI_Comm_rank(MPI_COMM_WORLD, &first);
    node_of_world = malloc(ranks * sizeof(int));
    named = malloc(ranks * sizeof(named_rank_s));
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, first, MPI_INFO_NULL, &node);
    PMPI_Comm_size(node, &num_shared);
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    num_shared = node_of_world && named ? num_shared : INT_MAX; /* no memory: for none */
    PMPI_Allreduce(&num_shared, &most_shared, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (most_shared == 1)
        find_nodes_by_name(ranks, named);
    else if (most_shared < INT_MAX)
        PMPI_Allgather(&first, 1, MPI_INT, node_of_world, 1, MPI_INT, MPI_COMM_WORLD);
    free(named);
    return most_shared < INT_MAX;
}

/* The nodes of its ranks, numbered from 0 by their first ranks; 0: they are not all of this job */
static int number_nodes(MPI_Comm comm, int ranks, int *nodes)
{
    int num_world = 0, num = 0;
    MPI_Group group = MPI_GROUP_NULL;
    int *number = NULL, *own = malloc(ranks * sizeof(int));

    PMPI_Group_size(world, &num_world);
    number = malloc(num_world * sizeof(int)); /* of the node whose first rank of all it is */
    PMPI_Comm_group(comm, &group);
    for (int i = 0; own && i < ranks; i++)
        own[i] = i;
    if (own && number && PMPI_Group_translate_ranks(group, ranks, own, world, nodes) == MPI_SUCCESS) {
        for (int i = 0; i < num_world; i++)
            number[i] = -1;
        for (int i = 0; i < ranks; i++) {
            if (nodes[i] == MPI_UNDEFINED) {
                num = 0;
                break;
            }
            int *of_node = &number[node_of_world[nodes[i]]];
            if (*of_node < 0)
                *of_node = num++;
            nodes[i] = *of_node;
        }
    }
    PMPI_Group_free(&group);
    free(own);
    free(number);
    return num;
}

/* As MPII_Csel_describe_comm (csel_rules.c) */
static bool describe(MPI_Comm comm, int ranks, tuning_comm_s *layout)
{
    int *nodes = malloc(ranks * sizeof(int)), *ppn = calloc(ranks, sizeof(int));
    bool is_ok = nodes && ppn && (layout->nodes = number_nodes(comm, ranks, nodes)) > 0;

    layout->ranks = ranks;
    layout->is_node_consecutive = layout->is_round_robin = true;
    for (int i = 0; is_ok && i < ranks; i++) {
        ppn[nodes[i]]++;
        layout->is_round_robin &= nodes[i] == i % layout->nodes;
        layout->is_node_consecutive &= i == 0 || nodes[i] == nodes[i - 1] || ppn[nodes[i]] == 1;
    }
    layout->min_ppn = ranks;
    for (int i = 0; is_ok && i < layout->nodes; i++) {
        layout->min_ppn = MPL_MIN(layout->min_ppn, ppn[i]);
        layout->max_ppn = MPL_MAX(layout->max_ppn, ppn[i]);
    }
    layout->is_parent = layout->nodes < ranks;
    layout->is_block = layout->is_node_consecutive;
    layout->is_node_consecutive &= layout->is_parent;
    free(nodes);
    free(ppn);
    return is_ok;
}

static const tuning_table_s *get_table(const tuning_comm_s *comm)
{
    layout_s *layout = layouts;

    while (layout && memcmp(&layout->comm, comm, sizeof(*comm)))
        layout = layout->next;
    if (layout == NULL && (layout = calloc(1, sizeof(*layout)))) {
        memcpy(&layout->comm, comm, sizeof(*comm));
        layout->table = MPII_Coll_tuning_resolve(preload.tuning, MPIR_CSEL_SECTION__MPIR, comm, preload.network);
        layout->next = layouts;
        layouts = layout;
    }
    return layout ? layout->table : NULL;
}

static void tell(const known_comm_s *known, const tuning_comm_s *layout)
{
    if (preload.verbose > 0 && known->rank == 0)
        fprintf(stderr, "changeover-preload: communicator of %d ranks on %d nodes, %d to %d on each: %d rules may apply\n",
                layout->ranks, layout->nodes, layout->min_ppn, layout->max_ppn, known->table ? known->table->num_rules : 0);
}

/* NULL: no communicator, or no memory */
static known_comm_s *make(MPI_Comm comm)
{
    tuning_comm_s layout;
    int is_inter = 0;
    known_comm_s *known = calloc(1, sizeof(*known));

    if (known == NULL || PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS)
        return NULL;
    known->comm = comm;
    PMPI_Comm_size(comm, &known->ranks);
    PMPI_Comm_rank(comm, &known->rank);
    memset(&layout, 0, sizeof(layout)); /* its gaps are compared, too */
    /* one rank sends nothing, whatever the algorithm */
    if (!is_inter && known->ranks > 1 && describe(comm, known->ranks, &layout)) {
        known->table = get_table(&layout);
        tell(known, &layout);
        if (known->table)
            preload_own_new(known);
    }
    PMPI_Comm_set_attr(comm, keyval, known);
    return known;
}

/* One that is not in its slot */
known_comm_s *preload_find_comm(MPI_Comm comm)
{
    known_comm_s *known = NULL;
    int is_known = 0;

    if (comm == MPI_COMM_NULL)
        return NULL; /* the library says what is wrong */
    if (PMPI_Comm_get_attr(comm, keyval, &known, &is_known) != MPI_SUCCESS)
        return NULL;
    if (!is_known)
        known = make(comm);
    if (known)
        preload.slots[preload_slot(comm)] = known;
    return known;
}

/* Before MPI_Finalize, which frees the attributes that are left */
void preload_forget_comms(void)
{
    preload_own_end();
    for (layout_s *next; layouts; layouts = next) {
        next = layouts->next;
        if (layouts->table)
            MPII_Coll_tuning_free_table(layouts->table);
        free(layouts);
    }
    PMPI_Comm_free_keyval(&keyval);
    PMPI_Group_free(&world);
    free(node_of_world);
}
