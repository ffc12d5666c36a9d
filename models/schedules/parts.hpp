// SPDX-License-Identifier: MIT
// What several schedules share: powers of two, vectors cut into blocks, parts of the ranks.
#pragma once

#include <algorithm>
#include <bit>
#include <iterator>

#include "schedule.hpp"

namespace models::schedules {

inline int ceil_log2(int n) {
    return std::bit_width(static_cast<unsigned>(n - 1));
}

inline int floor_power_of_two(int n) {
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
}

inline std::ptrdiff_t distance(std::size_t from, std::size_t to) {
    return static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from);
}

// Blocks of equal size, one for each rank
struct EqualBlocks {
    std::size_t bytes;

    std::size_t offset(int block) const { return static_cast<std::size_t>(block) * bytes; }
    Piece piece(int first, int count) const { return {offset(first), offset(count)}; }
};

// The blocks of a collective that has one for each rank; buffers follow each other in a rank's memory
struct RankBlocks {
    int ranks;
    EqualBlocks blocks;

    explicit RankBlocks(const Call& call) : ranks(call.ranks()), blocks{call.bytes} {}
};

// Elements dealt out to blocks, the first ones get one more
struct ElementBlocks {
    std::size_t elements;
    std::size_t element_bytes;
    int blocks;

    std::size_t offset(int block) const {
        const auto count = static_cast<std::size_t>(blocks);
        const auto index = static_cast<std::size_t>(block);
        return (index * (elements / count) + std::min(index, elements % count)) * element_bytes;
    }
    Piece piece(int first, int count) const { return {offset(first), offset(first + count) - offset(first)}; }
};

// Ranks beyond the largest power of two fold into a neighbour: of the first 2 * `extra` ranks only every
// second one takes part, the rest are renumbered. `odd_stays` says which of each pair.
struct Fold {
    int ranks;
    int power;  // ranks that take part
    int extra;
    bool odd_stays;

    Fold(int rank_count, bool keep_odd)
        : ranks(rank_count),
          power(floor_power_of_two(rank_count)),
          extra(rank_count - power),
          odd_stays(keep_odd) {}
    int steps() const { return std::countr_zero(static_cast<unsigned>(power)); }
    // The rank that has the number `number` among those that take part
    int rank_of(int number) const {
        return number < extra ? 2 * number + (odd_stays ? 1 : 0) : number + extra;
    }
    // The other rank of the pair that `number` stays of
    int folded_of(int number) const { return 2 * number + (odd_stays ? 0 : 1); }
};

// One step of recursive doubling over any number of ranks: a rank exchanges with the one whose number differs
// in bit `step`. Ranks whose partner does not exist get the data from those of their own subtree that have
// it, in a tree of `step` hand-overs (the 'haves' and 'havenots' of MPICH's sources).
struct DoublingTree {
    int ranks;
    int step;

    int mask() const { return 1 << step; }
    int tree_root(int rank) const { return rank & ~(mask() - 1); }
    int partner_root(int rank) const { return tree_root(rank ^ mask()); }
    bool partner_exists(int rank) const { return (rank ^ mask()) < ranks; }
    int hand_overs() const { return std::has_single_bit(static_cast<unsigned>(ranks)) ? 0 : step; }

    // Does `rank` pass on in hand-over `i` what it received, to rank ^ (mask >> (i + 1))?
    bool hands_over(int rank, int i) const {
        if (partner_root(rank) + mask() <= ranks) {
            return false;
        }
        const int done = ranks - tree_root(rank) - mask();
        const int subtree = rank & ~((mask() >> i) - 1);
        const int to = rank ^ (mask() >> (i + 1));
        return to > rank && rank < subtree + done && to >= subtree + done && to < ranks;
    }
};

inline Schedule& append(Schedule& schedule, Schedule more) {
    std::move(more.begin(), more.end(), std::back_inserter(schedule));
    return schedule;
}

// Reductions work in the result, which is in front of the send buffer
Phase copy_to_result(const Call& call);

// Alltoall: block `destination` of the source's send buffer to block `source` of the destination's receive
// buffer, which is in front of the send buffer
void deliver(Round& round, const RankBlocks& b, int source, int destination);

// The same schedule among some of the ranks
Schedule among(std::vector<int> ranks, Schedule schedule);

// The same schedule elsewhere in the memory of the ranks: `place(rank, offset)` says where. Pieces that one
// message sends at once must stay as far apart.
using Place = std::function<std::size_t(int rank, std::size_t offset)>;
Schedule relocated(Schedule schedule, Place place);

// Schedules of disjoint sets of ranks, side by side
Schedule side_by_side(std::vector<Schedule> schedules);

// What smp algorithms need to know of the nodes
struct Nodes {
    std::vector<std::vector<int>> members;  // ranks of each node
    std::vector<int> roots;                 // the first rank of each node

    explicit Nodes(const RankPlacement& layout);
    int node_of(int rank) const;
    int index_in_node(int rank) const;
};

// The library's choice for a communicator without nodes of its own (the roots of the nodes, the ranks of one
// node), by the built-in thresholds
struct Choice {
    const char* name;
    Schedule (*schedule)(const Call& call);
};
using Choose = Choice (*)(const Call& call);
Choice flat_bcast(const Call& call);
Choice flat_reduce(const Call& call);
Choice flat_allreduce(const Call& call);
Choice flat_allgather(const Call& call);
Choice flat_reduce_scatter(const Call& call);

// `choose`'s schedule among some of the ranks, with the `root`-th of them as root
Schedule chosen_among(const std::vector<int>& ranks, const Call& call, int root, Choose choose);
// on every node that has more than one rank, at the same time, from the node's root
Schedule chosen_within_nodes(const Nodes& nodes, const Call& call, Choose choose);
// The names of what is chosen for `ranks` ranks; empty if there is nothing to do
std::string chosen_name(int ranks, const Call& call, Choose choose);
// The name for the roots of the nodes, then those for the nodes, one for each number of ranks
std::string chosen_names(const RankPlacement& layout, const Call& call, Choose between, Choose within);

}  // namespace models::schedules
