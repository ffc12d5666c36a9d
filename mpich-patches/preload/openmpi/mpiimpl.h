/* SPDX-License-Identifier: MIT */
/* In place of MPICH's header of this name: with Open MPI's mpi.h, and what the reader of tuning files needs besides. */
#ifndef MPIIMPL_H_INCLUDED
#define MPIIMPL_H_INCLUDED

#include <mpi.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define ATTRIBUTE(attribute_) __attribute__(attribute_)
#define unlikely(condition_) __builtin_expect(!!(condition_), 0)

#define MPL_MIN(a_, b_) ((a_) < (b_) ? (a_) : (b_))
#define MPL_MAX(a_, b_) ((a_) > (b_) ? (a_) : (b_))
#define MPL_malloc(size_, class_) malloc(size_)
#define MPL_calloc(num_, size_, class_) calloc(num_, size_)
#define MPL_realloc(old_, size_, class_) realloc(old_, size_)
#define MPL_free(memory_) free(memory_)
int MPL_strncpy(char *to, const char *from, size_t size);

#endif
