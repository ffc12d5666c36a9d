// SPDX-License-Identifier: MIT
// MPI_Barrier of Open MPI. Its messages are empty.
#include <array>

#include "openmpi.hpp"
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules::openmpi {

namespace {

Schedule barrier_linear(const Call& call) {
    return {{2, [ranks = call.ranks()](int i, Round& round) {
                 for (int rank = 1; rank < ranks; ++rank) {
                     round.send(i == 0 ? rank : 0, i == 0 ? 0 : rank, Piece{0, 0});
                 }
             }}};
}

Schedule barrier_double_ring(const Call& call) {
    const int ranks = call.ranks();
    return {{ranks < 2 ? 0 : 2 * ranks, [=](int i, Round& round) {
                 round.send(i % ranks, (i + 1) % ranks, Piece{0, 0});
             }}};
}

// Ranks from the largest power of two on report to the first ones
Schedule barrier_recursive_doubling(const Call& call) {
    const int ranks = call.ranks();
    const int power = floor_power_of_two(ranks);
    const auto fold = [=](bool is_in) {
        return Phase{
            ranks > power ? 1 : 0, [=](int, Round& round) {
                for (int rank = power; rank < ranks; ++rank) {
                    round.send(is_in ? rank : rank - power, is_in ? rank - power : rank, Piece{0, 0});
                }
            }};
    };
    return {fold(true),
            {ceil_log2(power),
             [=](int i, Round& round) {
                 for (int rank = 0; rank < power; ++rank) {
                     round.send(rank, rank ^ (1 << i), Piece{0, 0});
                 }
             }},
            fold(false)};
}

constexpr std::array rows = {
    Algorithm{"barrier", "linear", barrier_linear},
    Algorithm{"barrier", "double_ring", barrier_double_ring},
    Algorithm{"barrier", "recursive_doubling", barrier_recursive_doubling},
    Algorithm{"barrier", "bruck", barrier_dissemination},
    Algorithm{"barrier", "two_proc", barrier_dissemination, two_ranks},
};

}  // namespace

std::span<const Algorithm> barrier_rows() {
    return rows;
}

}  // namespace models::schedules::openmpi
