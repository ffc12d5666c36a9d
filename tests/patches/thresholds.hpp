// SPDX-License-Identifier: MIT
// The changeover thresholds of the patched MPICH, as its users are told: which variable moves which
// changeover. mpich-patches/README.md has the same table in words; thresholds_test.cpp holds the two
// together.
#pragma once

#include <string>
#include <vector>

enum class Compared {
    message,    // bytes of one message: the vector of a rank, or what one rank sends to one other
    total,      // bytes of all ranks together; for reduce_scatter, of what all receive
    processes,  // ranks of the communicator
};

enum class Ranks { any, power_of_two, other };
enum class Place { flat, shared_nodes, inter };  // one rank a node, several ranks a node, intercommunicator

// One changeover: below the threshold (or at it, if inclusive) one algorithm, above it another.
struct Changeover {
    const char* variable;
    int default_value;
    const char* collective;
    Compared compared;
    bool inclusive;
    Ranks ranks;
    Place place;
    const char* below;
    const char* above;  // with the other thresholds at their defaults; nullptr: depends
};

inline const std::vector<Changeover>& changeovers() {
    using enum Compared;
    static const std::vector<Changeover> table = {
        // clang-format off
        {"BCAST_MIN_PROCS", 8, "bcast", processes, false, Ranks::any, Place::flat, "Bcast_intra_binomial", nullptr},
        {"BCAST_MIN_PROCS", 8, "ibcast", processes, false, Ranks::any, Place::flat, "Ibcast_intra_sched_binomial", nullptr},
        {"BCAST_SHORT_MSG_SIZE", 12288, "bcast", message, true, Ranks::power_of_two, Place::flat, "Bcast_intra_binomial", "Bcast_intra_scatter_recursive_doubling_allgather"},
        {"BCAST_SHORT_MSG_SIZE", 12288, "bcast", message, true, Ranks::other, Place::flat, "Bcast_intra_binomial", "Bcast_intra_scatter_ring_allgather"},
        {"BCAST_SHORT_MSG_SIZE", 12288, "bcast", message, true, Ranks::other, Place::shared_nodes, "Bcast_intra_binomial", "Bcast_intra_scatter_ring_allgather"},
        {"BCAST_SHORT_MSG_SIZE", 12288, "ibcast", message, false, Ranks::power_of_two, Place::flat, "Ibcast_intra_sched_binomial", "Ibcast_intra_sched_scatter_recursive_doubling_allgather"},
        {"BCAST_SHORT_MSG_SIZE", 12288, "ibcast", message, false, Ranks::other, Place::flat, "Ibcast_intra_sched_binomial", "Ibcast_intra_sched_scatter_ring_allgather"},
        {"BCAST_LONG_MSG_SIZE", 524288, "bcast", message, true, Ranks::power_of_two, Place::flat, "Bcast_intra_scatter_recursive_doubling_allgather", "Bcast_intra_scatter_ring_allgather"},
        {"BCAST_LONG_MSG_SIZE", 524288, "bcast", message, true, Ranks::power_of_two, Place::shared_nodes, "Bcast_intra_scatter_recursive_doubling_allgather", "Bcast_intra_scatter_ring_allgather"},
        {"BCAST_LONG_MSG_SIZE", 524288, "ibcast", message, false, Ranks::power_of_two, Place::flat, "Ibcast_intra_sched_scatter_recursive_doubling_allgather", "Ibcast_intra_sched_scatter_ring_allgather"},
        {"BCAST_SMP_MAX_MSG_SIZE", 0, "bcast", message, true, Ranks::any, Place::shared_nodes, "Bcast_intra_smp", nullptr},
        {"REDUCE_SHORT_MSG_SIZE", 2048, "reduce", message, true, Ranks::any, Place::flat, "Reduce_intra_binomial", "Reduce_intra_reduce_scatter_gather"},
        {"REDUCE_SHORT_MSG_SIZE", 2048, "reduce", message, true, Ranks::any, Place::shared_nodes, "Reduce_intra_binomial", "Reduce_intra_reduce_scatter_gather"},
        {"REDUCE_SHORT_MSG_SIZE", 2048, "ireduce", message, true, Ranks::any, Place::flat, "Ireduce_intra_sched_binomial", "Ireduce_intra_sched_reduce_scatter_gather"},
        {"REDUCE_SMP_MAX_MSG_SIZE", 0, "reduce", message, true, Ranks::any, Place::shared_nodes, "Reduce_intra_smp", nullptr},
        {"ALLREDUCE_RECURSIVE_DOUBLING_MAX_MSG_SIZE", 8, "allreduce", message, true, Ranks::any, Place::flat, "Allreduce_intra_recursive_doubling", "Allreduce_intra_reduce_scatter_allgather"},
        {"ALLREDUCE_RECURSIVE_DOUBLING_MAX_MSG_SIZE", 8, "allreduce", message, true, Ranks::any, Place::shared_nodes, "Allreduce_intra_recursive_doubling", "Allreduce_intra_reduce_scatter_allgather"},
        {"ALLREDUCE_SHORT_MSG_SIZE", 2048, "iallreduce", message, true, Ranks::any, Place::flat, "Iallreduce_intra_sched_recursive_doubling", "Iallreduce_intra_sched_reduce_scatter_allgather"},
        {"ALLREDUCE_SMP_MAX_MSG_SIZE", 0, "allreduce", message, true, Ranks::any, Place::shared_nodes, "Allreduce_intra_smp", nullptr},
        {"ALLGATHER_LONG_MSG_SIZE", 524288, "allgather", total, false, Ranks::power_of_two, Place::flat, "Allgather_intra_recursive_doubling", "Allgather_intra_ring"},
        {"ALLGATHER_LONG_MSG_SIZE", 524288, "allgatherv", total, false, Ranks::power_of_two, Place::flat, "Allgatherv_intra_recursive_doubling", "Allgatherv_intra_ring"},
        {"ALLGATHER_LONG_MSG_SIZE", 524288, "iallgather", total, false, Ranks::power_of_two, Place::flat, "Iallgather_intra_sched_recursive_doubling", "Iallgather_intra_sched_ring"},
        {"ALLGATHER_LONG_MSG_SIZE", 524288, "iallgatherv", total, false, Ranks::power_of_two, Place::flat, "Iallgatherv_intra_sched_recursive_doubling", "Iallgatherv_intra_sched_ring"},
        {"ALLGATHER_SHORT_MSG_SIZE", 81920, "allgather", total, false, Ranks::other, Place::flat, "Allgather_intra_brucks", "Allgather_intra_ring"},
        {"ALLGATHER_SHORT_MSG_SIZE", 81920, "allgatherv", total, false, Ranks::other, Place::flat, "Allgatherv_intra_brucks", "Allgatherv_intra_ring"},
        {"ALLGATHER_SHORT_MSG_SIZE", 81920, "iallgather", total, false, Ranks::other, Place::flat, "Iallgather_intra_sched_brucks", "Iallgather_intra_sched_ring"},
        {"ALLGATHER_SHORT_MSG_SIZE", 81920, "iallgatherv", total, false, Ranks::other, Place::flat, "Iallgatherv_intra_sched_brucks", "Iallgatherv_intra_sched_ring"},
        {"ALLTOALL_MIN_PROCS", 8, "alltoall", processes, false, Ranks::any, Place::flat, "Alltoall_intra_scattered", "Alltoall_intra_brucks"},
        {"ALLTOALL_MIN_PROCS", 8, "ialltoall", processes, false, Ranks::any, Place::flat, "Ialltoall_intra_sched_permuted_sendrecv", "Ialltoall_intra_sched_brucks"},
        {"ALLTOALL_SHORT_MSG_SIZE", 256, "alltoall", message, true, Ranks::any, Place::flat, "Alltoall_intra_brucks", "Alltoall_intra_scattered"},
        {"ALLTOALL_MEDIUM_MSG_SIZE", 32768, "alltoall", message, true, Ranks::any, Place::flat, "Alltoall_intra_scattered", "Alltoall_intra_pairwise"},
        {"ALLTOALL_MEDIUM_MSG_SIZE", 32768, "ialltoall", message, true, Ranks::any, Place::flat, "Ialltoall_intra_sched_permuted_sendrecv", "Ialltoall_intra_sched_pairwise"},
        {"IALLTOALL_SHORT_MSG_SIZE", 2048, "ialltoall", message, true, Ranks::any, Place::flat, "Ialltoall_intra_sched_brucks", "Ialltoall_intra_sched_permuted_sendrecv"},
        {"REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE", 524288, "reduce_scatter", total, false, Ranks::any, Place::flat, "Reduce_scatter_intra_recursive_halving", "Reduce_scatter_intra_pairwise"},
        {"REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE", 524288, "reduce_scatter_block", total, false, Ranks::any, Place::flat, "Reduce_scatter_block_intra_recursive_halving", "Reduce_scatter_block_intra_pairwise"},
        {"REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE", 524288, "ireduce_scatter", total, false, Ranks::any, Place::flat, "Ireduce_scatter_intra_sched_recursive_halving", "Ireduce_scatter_intra_sched_pairwise"},
        {"REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE", 524288, "ireduce_scatter_block", total, false, Ranks::any, Place::flat, "Ireduce_scatter_block_intra_sched_recursive_halving", "Ireduce_scatter_block_intra_sched_pairwise"},
        {"GATHER_INTER_SHORT_MSG_SIZE", 2048, "gather", total, false, Ranks::any, Place::inter, "Gather_inter_local_gather_remote_send", "Gather_inter_linear"},
        {"GATHER_INTER_SHORT_MSG_SIZE", 2048, "igather", total, false, Ranks::any, Place::inter, "Igather_inter_sched_short", "Igather_inter_sched_long"},
        {"SCATTER_INTER_SHORT_MSG_SIZE", 2048, "scatter", total, false, Ranks::any, Place::inter, "Scatter_inter_remote_send_local_scatter", "Scatter_inter_linear"},
        {"SCATTER_INTER_SHORT_MSG_SIZE", 2048, "iscatter", total, false, Ranks::any, Place::inter, "Iscatter_inter_sched_remote_send_local_scatter", "Iscatter_inter_sched_linear"},
        // clang-format on
    };
    return table;
}

inline std::string variable_name(const Changeover& changeover) {
    return std::string("MPIR_CVAR_") + changeover.variable;
}

inline bool is_power_of_two(int ranks) {
    return (ranks & (ranks - 1)) == 0;
}
