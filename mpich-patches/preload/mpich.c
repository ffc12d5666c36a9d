/* SPDX-License-Identifier: MIT */
/* MPICH and its relatives: which they are, and what the environment tells about their network. */
#include "preload.h"

const char *const preload_library = "MPICH", *const preload_other_library = "Open MPI";
const char *const preload_other_section = "openmpi";
bool preload_has_device_collectives;

/* Of other libraries, to recognize them */
extern char openmpi_world OF_LIBRARY("ompi_mpi_comm_world");
extern char patched_mpich OF_LIBRARY("MPIX_Coll_query_call");
extern int abi_version(int *major, int *minor) OF_LIBRARY("PMPI_Abi_get_version");

static char device[64]; /* ch4:ucx */

void preload_prepare(void) {}

/* "MPICH Device:  ch3:sock" */
static void find_device(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    const char *line;

    PMPI_Get_library_version(version, &length);
    line = strstr(version, "Device:");
    if (line)
        sscanf(line, "Device: %63s", device);
    preload_has_device_collectives = !strncmp(device, "ch4", 3);
}

/* With other handles than MPICH's, nothing else may be asked */
bool preload_is_library(void)
{
    int major = -1, minor = -1;

    if (&openmpi_world) {
        preload_say(atoi(preload_setting("OMPI_COMM_WORLD_RANK")),
                    "no rule is used: this program has Open MPI; preload libchangeover-preload-openmpi.so");
        return false;
    }
    if (abi_version)
        abi_version(&major, &minor);
    if (major >= 0) {
        preload_say(atoi(preload_setting("PMI_RANK")), "no rule is used: this program has the standard ABI of MPI 5, not that of MPICH");
        return false;
    }
    if (&patched_mpich && strcmp(preload_setting("CHANGEOVER_PRELOAD"), "always"))
        return false; /* it reads the file itself */
    find_device();
    return true;
}

int preload_first_call(void)
{
    return 1;
}

/* Those of libfabric and UCX; ch3 devices are reached by a name */
const char *preload_find_interface(char iface[64], char address[PRELOAD_MAX_ADDRESS])
{
    static const char *const names[] = {"FI_TCP_IFACE", "FI_SOCKETS_IFACE", "UCX_NET_DEVICES"};

    if (!strncmp(device, "ch3", 3))
        return "tcp";
    for (int i = 0; i < 3 && *iface == '\0'; i++) {
        const char *text = preload_setting(names[i]);
        snprintf(iface, 64, "%.*s", (int) strcspn(text, ":,"), text);
    }
    return strstr(device, "ucx") ? "ucx" : "ofi";
}
