// SPDX-License-Identifier: MIT
// MPI_Allgather and MPI_Alltoall of Open MPI.
#include <array>

#include "openmpi.hpp"
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules::openmpi {

namespace {

// Pairs of neighbours, first one block, then two, to the left and to the right in turns
Schedule allgather_neighbor(const Call& call) {
    const int ranks = call.ranks();
    const EqualBlocks blocks{call.bytes};
    const std::size_t send = blocks.offset(ranks);
    const auto copy_own = [=](int, Round& round) {
        for (int rank = 0; rank < ranks; ++rank) {
            round.copy(rank, {send, blocks.bytes}, distance(send, blocks.offset(rank)));
        }
    };
    const auto exchange = [=](int i, Round& round) {
        for (int rank = 0; rank < ranks; ++rank) {
            const bool to_right = (rank % 2 == 0) == (i % 2 == 0);
            const int to = (rank + (to_right ? 1 : ranks - 1)) % ranks;
            if (i == 0) {
                round.send(rank, to, blocks.piece(rank, 1));
                continue;
            }
            // the pair of blocks that came last: the own one, then those of the nearest pairs in turns
            const int own = rank - rank % 2;
            const int away = i / 2 * 2;
            const bool from_above = i % 2 == 0 ? rank % 2 != 0 : rank % 2 == 0;
            const int first = i == 1 ? own : own + (from_above ? away : -away);
            round.send(rank, to, blocks.piece(((first % ranks) + ranks) % ranks, 2));
        }
    };
    return {{call.in_place ? 0 : 1, copy_own}, {ranks / 2, exchange}};
}

Schedule alltoall_linear(const Call& call) {
    const RankBlocks b(call);
    return {{1,
             [=](int, Round& round) {
                 for (int away = 0; away < b.ranks; ++away) {
                     for (int rank = 0; rank < b.ranks; ++rank) {
                         deliver(round, b, rank, (rank + away) % b.ranks);
                     }
                 }
             },
             same_on_each_rank}};
}

Schedule alltoall_ring_of_pairs(const Call& call) {
    const RankBlocks b(call);
    return {{b.ranks,
             [=](int i, Round& round) {
                 for (int rank = 0; rank < b.ranks; ++rank) {
                     deliver(round, b, rank, (rank + i + 1) % b.ranks);
                 }
             },
             same_on_each_rank}};
}

constexpr std::array rows = {
    Algorithm{"allgather", "bruck", allgather_brucks},
    Algorithm{"allgather", "recursive_doubling", allgather_recursive_doubling, power_of_two_ranks},
    Algorithm{"allgather", "ring", allgather_ring},
    Algorithm{"allgather", "neighbor", allgather_neighbor, even_ranks},
    Algorithm{"allgather", "two_proc", allgather_ring, two_ranks},
    Algorithm{"alltoall", "linear", alltoall_linear},
    Algorithm{"alltoall", "pairwise", alltoall_ring_of_pairs},
    Algorithm{"alltoall", "modified_bruck", alltoall_brucks},
    Algorithm{"alltoall", "linear_sync", alltoall_linear},
    Algorithm{"alltoall", "two_proc", alltoall_linear, two_ranks},
};

}  // namespace

std::span<const Algorithm> allgather_rows() {
    return rows;
}

}  // namespace models::schedules::openmpi
