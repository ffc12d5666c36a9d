/* SPDX-License-Identifier: MIT */
/* Included before all others: in the patched MPICH the reader asks tables of the library it is part of. Here they are made
 * for the library that is found, so that the names stand for what a pointer points to. */
#ifndef VOCABULARY_H
#define VOCABULARY_H
#define MPII_Coll_algos (*preload_algos)
#define MPII_Coll_num_algos (*preload_num_algos)
#define MPII_Coll_params (*preload_params)
#define MPII_Coll_num_params (*preload_num_params)
#define MPII_Csel_algorithm_names (*preload_algorithm_names)
#endif
