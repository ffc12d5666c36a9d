// SPDX-License-Identifier: MIT
// Schedules of Open MPI's algorithms where they differ from MPICH's: linear ones, chains, pipelines and trees
// with segments, rings over a vector, neighbours. They follow ompi/mca/coll/base of Open MPI 4.1.4, with the
// names of coll/tuned. Memory is that of MPICH's schedule of the same collective.
#pragma once

#include "schedule.hpp"

namespace models::schedules::openmpi {

// A file for each of them; a new algorithm is one function and one row there
std::span<const Algorithm> bcast_rows();
std::span<const Algorithm> reduce_rows();     // and allreduce, scan, exscan
std::span<const Algorithm> allgather_rows();  // and alltoall
std::span<const Algorithm> gather_rows();     // and scatter
std::span<const Algorithm> barrier_rows();

// Used by allreduce, too
Schedule bcast_linear(const Call& call);

}  // namespace models::schedules::openmpi
