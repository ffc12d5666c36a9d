// SPDX-License-Identifier: MIT
// MPI_Bcast. Memory: the buffer.
#include <cstdint>

#include "mpich_thresholds.hpp"
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

namespace {

// What bcast's scatter gives to each rank: equal parts, rounded up, so that the last ranks may get less or
// nothing (MPII_Scatter_for_bcast)
struct CeilBlocks {
    std::size_t total;
    std::size_t bytes;

    CeilBlocks(std::size_t total_bytes, int ranks)
        : total(total_bytes),
          bytes((total_bytes + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks)) {}
    std::size_t offset(int block) const { return std::min(total, static_cast<std::size_t>(block) * bytes); }
    Piece piece(int first, int count) const { return {offset(first), offset(first + count) - offset(first)}; }
    bool are_equal(int ranks) const { return static_cast<std::size_t>(ranks) * bytes == total; }
};

// A binomial tree from the root, relative rank 0, to subtrees of half the size in each round. Passes on what
// `piece_of_subtree(relative rank, size)` says.
template <typename PieceOfSubtree>
Phase down_the_tree(int ranks, int root, bool send_empty, PieceOfSubtree piece_of_subtree) {
    const int steps = ceil_log2(ranks);
    return {steps, [=](int i, Round& round) {
                const int mask = 1 << (steps - 1 - i);
                for (int relative = 0; relative + mask < ranks; relative += 2 * mask) {
                    const int child = relative + mask;
                    const Piece piece = piece_of_subtree(child, std::min(mask, ranks - child));
                    if (send_empty || piece.bytes > 0) {
                        round.send((relative + root) % ranks, (child + root) % ranks, piece);
                    }
                }
            }};
}

Phase scatter(const Call& call) {
    const CeilBlocks blocks(call.bytes, call.ranks());
    return down_the_tree(call.ranks(), call.root, false,
                         [=](int first, int count) { return blocks.piece(first, count); });
}

}  // namespace

Schedule bcast_binomial(const Call& call) {
    const Piece all = {0, call.bytes};
    return {down_the_tree(call.ranks(), call.root, true, [=](int, int) { return all; })};
}

Schedule bcast_scatter_recursive_doubling_allgather(const Call& call) {
    const int ranks = call.ranks();
    const CeilBlocks blocks(call.bytes, ranks);
    const auto send = [=, root = call.root](Round& round, int from, int to, Piece piece) {
        round.send((from + root) % ranks, (to + root) % ranks, piece);
    };
    Schedule schedule = {scatter(call)};
    for (int step = 0; step < ceil_log2(ranks); ++step) {
        const DoublingTree tree = {ranks, step};
        schedule.push_back({1, [=](int, Round& round) {
                                for (int rank = 0; rank < ranks; ++rank) {
                                    if (tree.partner_exists(rank)) {
                                        send(round, rank, rank ^ tree.mask(),
                                             blocks.piece(tree.tree_root(rank), tree.mask()));
                                    }
                                }
                            }});
        schedule.push_back({tree.hand_overs(), [=](int i, Round& round) {
                                for (int rank = 0; rank < ranks; ++rank) {
                                    if (tree.hands_over(rank, i)) {
                                        send(round, rank, rank ^ (tree.mask() >> (i + 1)),
                                             blocks.piece(tree.partner_root(rank), tree.mask()));
                                    }
                                }
                            }});
    }
    return schedule;
}

Schedule bcast_scatter_ring_allgather(const Call& call) {
    const int ranks = call.ranks();
    const int root = call.root;
    const CeilBlocks blocks(call.bytes, ranks);
    return {scatter(call),
            {ranks - 1,
             [=](int i, Round& round) {
                 for (int rank = 0; rank < ranks; ++rank) {
                     const int block = (rank - i - root + 2 * ranks) % ranks;
                     round.send(rank, rank + 1 == ranks ? 0 : rank + 1, blocks.piece(block, 1));
                 }
             },
             blocks.are_equal(ranks) ? same_in_each_round : 0u}};
}

namespace {

// What the smp algorithm does (bcast_intra_smp.c), by the thresholds for short and long messages
enum class Way { short_message, medium_message, ring };

Way smp_way(const Call& call) {
    const auto bytes = static_cast<std::int64_t>(call.size_for_choice());
    if (bytes < mpich::bcast_short.default_value || call.ranks() < mpich::bcast_min_procs.default_value) {
        return Way::short_message;
    }
    return bytes < mpich::bcast_long.default_value && std::has_single_bit(static_cast<unsigned>(call.ranks()))
               ? Way::medium_message
               : Way::ring;
}

}  // namespace

Schedule bcast_smp(const Call& call) {
    const Way way = smp_way(call);
    if (way == Way::ring) {
        return bcast_scatter_ring_allgather(call);
    }
    Nodes nodes(*call.layout);
    const int node = nodes.node_of(call.root);
    const int index = nodes.index_in_node(call.root);
    const auto place = static_cast<std::size_t>(node);
    Schedule schedule;
    if (index > 0 && way == Way::short_message) {
        schedule.push_back(
            {1, [root = call.root, to = nodes.roots[place], bytes = call.bytes](int, Round& r) {
                 r.send(root, to, Piece{0, bytes});
             }});
    } else if (index > 0) {
        append(schedule, chosen_among(nodes.members[place], call, index, flat_bcast));
    }
    append(schedule, chosen_among(nodes.roots, call, node, flat_bcast));
    if (index > 0 && way == Way::medium_message) {
        nodes.members.erase(nodes.members.begin() + node);  // they have it already
    }
    append(schedule, chosen_within_nodes(nodes, call, flat_bcast));
    return schedule;
}

std::string bcast_smp_parts(const Call& call) {
    if (smp_way(call) == Way::ring) {
        return "scatter_ring_allgather";
    }
    return (smp_way(call) == Way::short_message ? "short:" : "medium:") +
           chosen_names(*call.layout, call, flat_bcast, flat_bcast);
}

}  // namespace models::schedules
