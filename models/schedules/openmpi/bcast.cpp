// SPDX-License-Identifier: MIT
// MPI_Bcast of Open MPI: trees with segments.
#include <array>

#include "openmpi.hpp"
#include "parts.hpp"
#include "schedules.hpp"
#include "trees.hpp"

namespace models::schedules::openmpi {

Schedule bcast_linear(const Call& call) {
    return {down(call, star(call.ranks()), 0)};
}

namespace {

template <std::size_t segment>
Schedule bcast_pipeline(const Call& call) {
    return {down(call, chains(call.ranks(), 1), segment)};
}
template <std::size_t segment, int fanout>
Schedule bcast_chain(const Call& call) {
    return {down(call, chains(call.ranks(), fanout), segment)};
}
template <std::size_t segment>
Schedule bcast_binary_tree(const Call& call) {
    return {down(call, binary_tree(call.ranks()), segment)};
}
template <std::size_t segment>
Schedule bcast_binomial_tree(const Call& call) {
    return {down(call, binomial_tree(call.ranks()), segment)};
}
template <std::size_t segment>
Schedule bcast_knomial(const Call& call) {
    return {down(call, knomial_tree(call.ranks(), 4), segment)};
}
// Half of the message to each side of a binary tree, then each rank exchanges with its twin on the other one.
template <std::size_t segment>
Schedule bcast_split_binary_tree(const Call& call) {
    const int ranks = call.ranks();
    const int root = call.root;
    const std::size_t elements = call.bytes / call.element_bytes;
    const std::size_t left_bytes = (elements + 1) / 2 * call.element_bytes;
    const std::array<Segments, 2> halves = {Segments(left_bytes, segment, call.element_bytes),
                                            Segments(call.bytes - left_bytes, segment, call.element_bytes)};
    const Parents tree = binary_tree(ranks);
    const std::vector<int> depth = depths(tree);
    const int levels = *std::max_element(depth.begin(), depth.end());
    const auto send_half = [=](Round& round, int from, int to, int half, Piece piece) {
        piece.offset += half == 0 ? 0 : left_bytes;
        round.send((from + root) % ranks, (to + root) % ranks, piece);
    };
    const auto scatter = [=](int i, Round& round) {
        for (int rank = 1; rank < ranks; ++rank) {
            const int half = rank % 2 != 0 ? 0 : 1;
            const Segments& segments = halves[static_cast<std::size_t>(half)];
            const int index = i - depth[static_cast<std::size_t>(rank)] + 1;
            if (index >= 0 && index < segments.count()) {
                send_half(round, tree[static_cast<std::size_t>(rank)], rank, half, segments.piece(index));
            }
        }
    };
    const auto exchange = [=](int, Round& round) {
        for (int rank = 1; rank < ranks; rank += 2) {
            if (rank + 1 < ranks) {
                send_half(round, rank, rank + 1, 0, {0, halves[0].total});
                send_half(round, rank + 1, rank, 1, {0, halves[1].total});
            } else {
                send_half(round, 0, rank, 1, {0, halves[1].total});
            }
        }
    };
    return {{halves[0].count() + std::max(0, levels - 1), scatter}, {1, exchange}};
}

constexpr std::array rows = {
    Algorithm{"bcast", "basic_linear", bcast_linear},
    Algorithm{"bcast", "chain:fanout=2", bcast_chain<0, 2>},
    Algorithm{"bcast", "chain:fanout=4", bcast_chain<0, 4>},
    Algorithm{"bcast", "chain:segment=8Ki:fanout=2", bcast_chain<small_segment, 2>, 0, nullptr,
              small_segment},
    Algorithm{"bcast", "chain:segment=8Ki:fanout=4", bcast_chain<small_segment, 4>, 0, nullptr,
              small_segment},
    Algorithm{"bcast", "chain:segment=64Ki:fanout=2", bcast_chain<large_segment, 2>, 0, nullptr,
              large_segment},
    Algorithm{"bcast", "chain:segment=64Ki:fanout=4", bcast_chain<large_segment, 4>, 0, nullptr,
              large_segment},
    Algorithm{"bcast", "pipeline", bcast_pipeline<0>},
    Algorithm{"bcast", "pipeline:segment=8Ki", bcast_pipeline<small_segment>, 0, nullptr, small_segment},
    Algorithm{"bcast", "pipeline:segment=64Ki", bcast_pipeline<large_segment>, 0, nullptr, large_segment},
    Algorithm{"bcast", "split_binary_tree", bcast_split_binary_tree<0>, segment_in_each_half},
    Algorithm{"bcast", "split_binary_tree:segment=8Ki", bcast_split_binary_tree<small_segment>,
              segment_in_each_half, nullptr, small_segment},
    Algorithm{"bcast", "split_binary_tree:segment=64Ki", bcast_split_binary_tree<large_segment>,
              segment_in_each_half, nullptr, large_segment},
    Algorithm{"bcast", "binary_tree", bcast_binary_tree<0>},
    Algorithm{"bcast", "binary_tree:segment=8Ki", bcast_binary_tree<small_segment>, 0, nullptr,
              small_segment},
    Algorithm{"bcast", "binary_tree:segment=64Ki", bcast_binary_tree<large_segment>, 0, nullptr,
              large_segment},
    Algorithm{"bcast", "binomial", bcast_binomial_tree<0>},
    Algorithm{"bcast", "binomial:segment=8Ki", bcast_binomial_tree<small_segment>, 0, nullptr, small_segment},
    Algorithm{"bcast", "binomial:segment=64Ki", bcast_binomial_tree<large_segment>, 0, nullptr,
              large_segment},
    Algorithm{"bcast", "knomial", bcast_knomial<0>},
    Algorithm{"bcast", "knomial:segment=8Ki", bcast_knomial<small_segment>, 0, nullptr, small_segment},
    Algorithm{"bcast", "knomial:segment=64Ki", bcast_knomial<large_segment>, 0, nullptr, large_segment},
    Algorithm{"bcast", "scatter_allgather", bcast_scatter_recursive_doubling_allgather,
              power_of_two_ranks | element_for_every_rank},  // for other numbers of ranks there is no model
    Algorithm{"bcast", "scatter_allgather_ring", bcast_scatter_ring_allgather, element_for_every_rank},
};

}  // namespace

std::span<const Algorithm> bcast_rows() {
    return rows;
}

}  // namespace models::schedules::openmpi
