/* SPDX-License-Identifier: MIT */
/* Programs that load their MPI library later (dlopen; most of those in Python): its functions are found once it is made visible
 * to all, but not its handles. Such programs run as without rules. */
#define _GNU_SOURCE
#include "preload.h"
#include <dlfcn.h>
#include <link.h>

/* Never called, so that it is looked up when this library is loaded */
extern char function_of_mpi OF_LIBRARY("PMPI_Finalized");

bool preload_is_late(void)
{
    return !&function_of_mpi;
}

void preload_find_late_library(void)
{
    struct link_map *map = NULL;
    void *program = preload_is_late() ? dlopen(NULL, RTLD_LAZY) : NULL;

    if (program == NULL || dlinfo(program, RTLD_DI_LINKMAP, &map))
        return;
    for (; map; map = map->l_next) {
        void *library = *map->l_name ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (library && dlsym(library, "PMPI_Init") && dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL))
            return;
    }
}
