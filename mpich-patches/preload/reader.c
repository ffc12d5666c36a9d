/* SPDX-License-Identifier: MIT */
/* The reader of tuning files: the source of the patched MPICH, as one unit */
#define fail fail_in_json
#include "coll_json.c"
#undef fail
#include "coll_tuning_load.c"
#include "coll_tuning_network.c"
#include "coll_tuning_resolve.c"
