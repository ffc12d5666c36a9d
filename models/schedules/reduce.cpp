// SPDX-License-Identifier: MIT
// MPI_Reduce and MPI_Allreduce. Memory: the result (or what a rank has combined so far), then the send
// buffer.
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

namespace {

// Recursive halving with the nearest rank first, and what leads back from it. After k steps the rank with
// number v holds the blocks [first(v, k), first(v, k) + size(k)): bit j of v tells the half taken in step j.
struct Halving {
    Fold fold;
    ElementBlocks blocks;

    Halving(const Call& call, bool odd_stays)
        : fold(call.ranks(), odd_stays),
          blocks{call.bytes / call.element_bytes, call.element_bytes, fold.power} {}
    int size(int step) const { return fold.power >> step; }
    int first(int number, int step) const {
        int block = 0;
        for (int j = 0; j < step; ++j) {
            block += ((number >> j) & 1) * size(j + 1);
        }
        return block;
    }
    Piece held(int number, int step) const { return blocks.piece(first(number, step), size(step)); }

    Phase reduce_scatter() const {
        return {fold.steps(), [h = *this](int i, Round& round) {
                    for (int number = 0; number < h.fold.power; ++number) {
                        const int partner = number ^ (1 << i);
                        round.send(h.fold.rank_of(number), h.fold.rank_of(partner), h.held(partner, i + 1), 0,
                                   Effect::combine_before);
                    }
                }};
    }
};

// The ranks that do not take part give their data to their neighbour ...
Phase fold_in(const Fold& fold, std::size_t bytes) {
    return {fold.extra > 0 ? 1 : 0, [=](int, Round& round) {
                for (int number = 0; number < fold.extra; ++number) {
                    round.send(fold.folded_of(number), fold.rank_of(number), Piece{0, bytes}, 0,
                               fold.odd_stays ? Effect::combine_before : Effect::combine_after);
                }
            }};
}

// ... and get the result in the end.
Phase fold_out(const Fold& fold, std::size_t bytes) {
    return {fold.extra > 0 ? 1 : 0, [=](int, Round& round) {
                for (int number = 0; number < fold.extra; ++number) {
                    round.send(fold.rank_of(number), fold.folded_of(number), Piece{0, bytes});
                }
            }};
}

}  // namespace

Schedule reduce_binomial(const Call& call) {
    const int ranks = call.ranks();
    const int tree_root = call.commutative ? call.root : 0;
    const Piece all = {0, call.bytes};
    Schedule schedule = {copy_to_result(call)};
    schedule.push_back({ceil_log2(ranks), [=](int i, Round& round) {
                            const int mask = 1 << i;
                            for (int parent = 0; parent + mask < ranks; parent += 2 * mask) {
                                round.send((parent + mask + tree_root) % ranks, (parent + tree_root) % ranks,
                                           all, 0, Effect::combine_after);
                            }
                        }});
    if (tree_root != call.root) {
        schedule.push_back({1, [root = call.root, all](int, Round& round) { round.send(0, root, all); }});
    }
    return schedule;
}

Schedule reduce_reduce_scatter_gather(const Call& call) {
    const Halving halving(call, false);
    const Fold fold = halving.fold;
    Schedule schedule = {copy_to_result(call), fold_in(fold, call.bytes), halving.reduce_scatter()};
    // A root that does not take part gets the part of number 0 and takes its place.
    const bool root_replaces_0 = call.root < 2 * fold.extra && call.root % 2 != 0;
    if (root_replaces_0) {
        schedule.push_back({1, [=, root = call.root](int, Round& round) {
                                round.send(fold.rank_of(0), root, halving.held(0, fold.steps()));
                            }});
    }
    const int root = root_replaces_0              ? 0
                     : call.root < 2 * fold.extra ? call.root / 2
                                                  : call.root - fold.extra;
    const auto rank_of = [=, stand_in = call.root](int number) {
        return root_replaces_0 && number == 0 ? stand_in : fold.rank_of(number);
    };
    schedule.push_back({fold.steps(), [=](int i, Round& round) {
                            const int bit = fold.steps() - 1 - i;
                            for (int number = 0; number < fold.power; ++number) {
                                const bool has_not_sent = number >> (bit + 1) == root >> (bit + 1);
                                if (has_not_sent && number >> bit != root >> bit) {
                                    round.send(rank_of(number), rank_of(number ^ (1 << bit)),
                                               halving.held(number, bit + 1));
                                }
                            }
                        }});
    return schedule;
}

Schedule allreduce_recursive_doubling(const Call& call) {
    const Fold fold(call.ranks(), true);
    const Piece all = {0, call.bytes};
    return {copy_to_result(call),
            fold_in(fold, call.bytes),
            {fold.steps(),
             [=](int i, Round& round) {
                 for (int number = 0; number < fold.power; ++number) {
                     const int partner = number ^ (1 << i);
                     round.send(fold.rank_of(number), fold.rank_of(partner), all, 0,
                                number < partner ? Effect::combine_before : Effect::combine_after);
                 }
             }},
            fold_out(fold, call.bytes)};
}

Schedule allreduce_reduce_scatter_allgather(const Call& call) {
    const Halving halving(call, true);
    const Fold fold = halving.fold;
    return {copy_to_result(call),
            fold_in(fold, call.bytes),
            halving.reduce_scatter(),
            {fold.steps(),
             [=](int i, Round& round) {
                 const int bit = fold.steps() - 1 - i;
                 for (int number = 0; number < fold.power; ++number) {
                     round.send(fold.rank_of(number), fold.rank_of(number ^ (1 << bit)),
                                halving.held(number, bit + 1));
                 }
             }},
            fold_out(fold, call.bytes)};
}

namespace {

// The parts of an smp algorithm work on what is in the result already.
Call after_copy(const Call& call) {
    Call part = call;
    part.in_place = true;
    return part;
}

}  // namespace

// The nodes without the root reduce first, then the node roots, then the root's node (reduce_intra_smp.c).
Schedule reduce_smp(const Call& call) {
    Nodes nodes(*call.layout);
    const int node = nodes.node_of(call.root);
    const int index = nodes.index_in_node(call.root);
    const std::vector<int> root_node = nodes.members[static_cast<std::size_t>(node)];
    nodes.members.erase(nodes.members.begin() + node);
    const Call part = after_copy(call);
    Schedule schedule = {copy_to_result(call)};
    append(schedule, chosen_within_nodes(nodes, part, flat_reduce));
    append(schedule, chosen_among(nodes.roots, part, node, flat_reduce));
    append(schedule, chosen_among(root_node, part, index, flat_reduce));
    return schedule;
}

Schedule allreduce_smp(const Call& call) {
    const Nodes nodes(*call.layout);
    const Call part = after_copy(call);
    Schedule schedule = {copy_to_result(call)};
    append(schedule, chosen_within_nodes(nodes, part, flat_reduce));
    append(schedule, chosen_among(nodes.roots, part, 0, flat_allreduce));
    append(schedule, chosen_within_nodes(nodes, part, flat_bcast));
    return schedule;
}

std::string reduce_smp_parts(const Call& call) {
    return chosen_names(*call.layout, call, flat_reduce, flat_reduce);
}

std::string allreduce_smp_parts(const Call& call) {
    return chosen_names(*call.layout, call, flat_allreduce, flat_reduce) + "," +
           chosen_names(*call.layout, call, flat_allreduce, flat_bcast);
}

}  // namespace models::schedules
