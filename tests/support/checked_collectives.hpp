// SPDX-License-Identifier: MIT
// Every collective, really called, its result checked on each rank against what it must be.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

// Operations of reductions, as the library tells them apart
enum class Reduction {
    built_in,     // MPI_SUM on bytes
    commutative,  // a sum of the user's on 4-byte integers
    ordered,      // composition of maps x -> ax + b, which may not change order, on pairs of 2-byte integers
};

struct Variant {
    bool nonblocking = false;
    bool in_place = false;
    Reduction reduction = Reduction::built_in;
    int root = 0;
};

struct CheckedCollective {
    const char* name;
    bool reduces;
    bool has_in_place;
    // Makes the call with `count` elements (of each rank, or from each to each) and returns how many elements
    // of the result on this rank are wrong.
    long (*run)(MPI_Comm comm, int count, const Variant& variant);
};

const std::vector<CheckedCollective>& checked_collectives();

// Gather to, and scatter from, rank 0 of the other group; the communicator's lower group is the one with the
// root.
long run_inter_gather(MPI_Comm inter, bool lower_group, int count, bool nonblocking);
long run_inter_scatter(MPI_Comm inter, bool lower_group, int count, bool nonblocking);
