/* SPDX-License-Identifier: MIT */
/* Open MPI: whether the program has it, whether all ranks have this library, and what is known about their network. */
#include "preload.h"

const char *const preload_library = "Open MPI", *const preload_other_library = "MPICH";
const char *const preload_other_section = "mpir";

/* Open MPI looks at what is forced only if it is told so before it starts */
void preload_prepare(void)
{
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 0);
}

/* Of handles that are not Open MPI's, nothing may be asked */
static bool is_mpich(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING + 8192]; /* those of other libraries are longer */
    int length = 0;

    PMPI_Get_library_version(version, &length);
    return strstr(version, "MPICH") != NULL;
}

/* mpiexec gives LD_PRELOAD of the user's shell to the ranks of its own node only. Whether others have it cannot be asked:
 * those that have not would not answer. */
static bool have_all_ranks_this(void)
{
    int ranks = 0;

    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks == 1 || atoi(preload_setting("OMPI_COMM_WORLD_LOCAL_SIZE")) == ranks || *preload_setting("SLURM_JOB_ID") ||
        strstr(preload_setting("OMPI_MCA_mca_base_env_list"), "LD_PRELOAD") ||
        !strcmp(preload_setting("CHANGEOVER_PRELOAD"), "always");
}

bool preload_is_library(void)
{
    int rank = 0;

    if (!&ompi_mpi_comm_world) {
        preload_say(atoi(preload_setting("PMI_RANK")), "no rule is used: this program has %s",
                    is_mpich() ? "MPICH; preload libchangeover-preload.so" : "another MPI library than Open MPI");
        return false;
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!have_all_ranks_this()) {
        preload_say(rank, "no rule is used: on several nodes, all ranks need this library: mpiexec -x LD_PRELOAD -x CHANGEOVER_PRELOAD=always");
        return false;
    }
    return true;
}

/* A duplicate takes about as long as this many small calls. Where fewer are made, it would only cost time. */
int preload_first_call(void)
{
    const int number = atoi(preload_setting("CHANGEOVER_PRELOAD_FIRST_CALL"));

    return number > 0 ? number : 10;
}

/* Those of the TCP component, which are interfaces or subnets, and of UCX: the first of the list */
const char *preload_find_interface(char iface[64], char address[PRELOAD_MAX_ADDRESS])
{
    const char *tcp = preload_setting("OMPI_MCA_btl_tcp_if_include"), *ucx = preload_setting("UCX_NET_DEVICES");
    const char *text = *tcp ? tcp : ucx;
    const size_t length = strcspn(text, ":,");

    if (memchr(text, '/', length))
        snprintf(address, PRELOAD_MAX_ADDRESS, "%.*s", (int) strcspn(text, "/"), text);
    else
        snprintf(iface, 64, "%.*s", (int) length, text);
    return *tcp || *ucx == '\0' ? "tcp" : "ucx";
}
