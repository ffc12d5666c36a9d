// SPDX-License-Identifier: MIT
// The schedule of each algorithm, one file for each collective. They follow src/mpi/coll/*/*_intra_*.c of
// MPICH 4.0.2, with its names, also where the number of ranks is not a power of two. Those of Open MPI are in
// openmpi/.
#pragma once

#include "schedule.hpp"

namespace models::schedules {

Schedule bcast_binomial(const Call& call);
Schedule bcast_scatter_recursive_doubling_allgather(const Call& call);
Schedule bcast_scatter_ring_allgather(const Call& call);
Schedule bcast_smp(const Call& call);
Schedule reduce_binomial(const Call& call);
Schedule reduce_reduce_scatter_gather(const Call& call);
Schedule reduce_smp(const Call& call);
Schedule allreduce_recursive_doubling(const Call& call);
Schedule allreduce_reduce_scatter_allgather(const Call& call);
Schedule allreduce_smp(const Call& call);
Schedule allgather_recursive_doubling(const Call& call);
Schedule allgather_brucks(const Call& call);
Schedule allgather_ring(const Call& call);
Schedule alltoall_brucks(const Call& call);
Schedule alltoall_pairwise(const Call& call);
Schedule alltoall_scattered(const Call& call);
Schedule reduce_scatter_recursive_halving(const Call& call);
Schedule reduce_scatter_recursive_doubling(const Call& call);
Schedule reduce_scatter_pairwise(const Call& call);
Schedule reduce_scatter_noncommutative(const Call& call);
Schedule gather_binomial(const Call& call);
Schedule scatter_binomial(const Call& call);
Schedule scan_recursive_doubling(const Call& call);
Schedule exscan_recursive_doubling(const Call& call);
Schedule barrier_dissemination(const Call& call);
Schedule barrier_smp(const Call& call);

// Those that the patched MPICH makes of other collectives
Schedule bcast_scatter_allgather(const Call& call);
Schedule allgather_gather_bcast(const Call& call);
Schedule reduce_allreduce(const Call& call);
Schedule allreduce_reduce_bcast(const Call& call);
Schedule allreduce_reduce_scatter_block_allgather(const Call& call);
Schedule reduce_scatter_allreduce(const Call& call);

// Open MPI's algorithms; where they send the same messages as MPICH's, with the schedules above
std::span<const Algorithm> openmpi_algorithms();

// Which algorithms an algorithm is made of; those of smp between and within the nodes
std::string bcast_smp_parts(const Call& call);
std::string reduce_smp_parts(const Call& call);
std::string allreduce_smp_parts(const Call& call);
std::string bcast_scatter_allgather_parts(const Call& call);
std::string allgather_gather_bcast_parts(const Call& call);
std::string reduce_allreduce_parts(const Call& call);
std::string allreduce_reduce_bcast_parts(const Call& call);
std::string allreduce_reduce_scatter_block_allgather_parts(const Call& call);
std::string reduce_scatter_allreduce_parts(const Call& call);

}  // namespace models::schedules
