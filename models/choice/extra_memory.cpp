// SPDX-License-Identifier: MIT
#include "extra_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "algorithm_name.hpp"

namespace models {

namespace {

constexpr std::size_t count_bytes = 4;         // of an int, for counts and displacements
constexpr std::size_t request_bytes = 8 + 20;  // a pointer and a status
constexpr std::size_t throttle = 32;           // MPIR_CVAR_ALLTOALL_THROTTLE
constexpr std::size_t short_gather = 1024;     // MPIR_CVAR_GATHER_VSMALL_MSG_SIZE

// A rank of a call
struct RankOfCall {
    std::size_t bytes;  // message size of the call
    std::size_t ranks;
    std::size_t relative;  // to the root
    bool is_rank_0;
    bool is_node_root;  // the first rank of its node
    bool shares_node;   // with other ranks
    bool is_on_roots_node;

    bool is_root() const { return relative == 0; }
    std::size_t all() const { return ranks * bytes; }
    std::size_t counts() const { return ranks * count_bytes; }
    std::size_t two_counts_of_power() const { return 2 * std::bit_floor(ranks) * count_bytes; }
    std::size_t power_of_two_up() const { return std::bit_ceil(ranks); }
};

std::size_t nothing(const RankOfCall&) {
    return 0;
}
std::size_t one(const RankOfCall& of) {
    return of.bytes;
}
std::size_t all_blocks(const RankOfCall& of) {
    return of.all();
}
std::size_t two_vectors(const RankOfCall& of) {
    return 2 * of.bytes;
}
// What was combined, and in ranks that are not the root, what was received
std::size_t reduce(const RankOfCall& of) {
    return of.is_root() ? of.bytes : 2 * of.bytes;
}
std::size_t reduce_with_counts(const RankOfCall& of) {
    return reduce(of) + of.two_counts_of_power();
}
// The parts reduce one after the other; the first rank of each node has a buffer for what is between
std::size_t reduce_smp(const RankOfCall& of) {
    const bool reduces_for_node = of.is_node_root && !of.is_on_roots_node;
    const bool is_root_of_all_parts = of.is_root() && (of.is_node_root || of.shares_node);
    const std::size_t part = (is_root_of_all_parts ? 1 : 2) * of.bytes + of.two_counts_of_power();
    return (of.is_node_root ? of.bytes : 0) +
           (reduces_for_node ? 2 * of.bytes + of.two_counts_of_power() : part);
}
std::size_t allreduce_with_counts(const RankOfCall& of) {
    return of.bytes + of.two_counts_of_power();
}
std::size_t allreduce_smp(const RankOfCall& of) {
    return (of.is_node_root ? of.bytes : 2 * of.bytes) + of.two_counts_of_power();
}
std::size_t alltoall_brucks(const RankOfCall& of) {
    return of.all() + of.counts();
}
std::size_t alltoall_scattered(const RankOfCall& of) {
    return 2 * std::min(throttle, of.ranks) * request_bytes;
}
std::size_t reduce_scatter_twice(const RankOfCall& of) {
    return 2 * of.all() + of.counts();
}
std::size_t reduce_scatter_halving(const RankOfCall& of) {
    return 2 * of.all() + of.counts() + of.two_counts_of_power();
}
std::size_t reduce_scatter_pairwise(const RankOfCall& of) {
    return of.bytes + 1 + of.counts();
}
std::size_t reduce_scatter_noncommutative(const RankOfCall& of) {
    return 2 * of.all();
}
// The blocks of the ranks below it in the tree; short ones with its own
std::size_t gather(const RankOfCall& of) {
    std::size_t mask = of.power_of_two_up() - 1;
    while ((of.relative & mask) != 0) {
        mask >>= 1;
    }
    const std::size_t end = (of.relative | mask) + 1;
    const std::size_t blocks = mask - (end > of.ranks ? end - of.ranks : 0);
    const bool is_short = of.bytes < short_gather;
    const bool needs_none = of.is_root() && (of.is_rank_0 || !is_short);
    return needs_none ? 0 : (blocks + (is_short ? 1 : 0)) * of.bytes;
}
std::size_t scatter(const RankOfCall& of) {
    if (of.is_root()) {
        return of.is_rank_0 ? 0 : of.all();
    }
    return of.relative % 2 == 0 ? of.all() / 2 : 0;
}

struct Row {
    std::string_view collective;
    std::string_view algorithm;
    std::size_t (*bytes)(const RankOfCall& of);
};

constexpr std::array rows = {
    Row{"bcast", "binomial", nothing},
    Row{"bcast", "scatter_recursive_doubling_allgather", nothing},
    Row{"bcast", "scatter_ring_allgather", nothing},
    Row{"bcast", "smp", nothing},
    Row{"reduce", "binomial", reduce},
    Row{"reduce", "reduce_scatter_gather", reduce_with_counts},
    Row{"reduce", "smp", reduce_smp},
    Row{"allreduce", "recursive_doubling", one},
    Row{"allreduce", "reduce_scatter_allgather", allreduce_with_counts},
    Row{"allreduce", "smp", allreduce_smp},
    Row{"allgather", "recursive_doubling", nothing},
    Row{"allgather", "brucks", all_blocks},
    Row{"allgather", "ring", nothing},
    Row{"allgatherv", "recursive_doubling", all_blocks},
    Row{"allgatherv", "brucks", all_blocks},
    Row{"allgatherv", "ring", nothing},
    Row{"alltoall", "brucks", alltoall_brucks},
    Row{"alltoall", "pairwise", nothing},
    Row{"alltoall", "scattered", alltoall_scattered},
    Row{"reduce_scatter", "recursive_halving", reduce_scatter_halving},
    Row{"reduce_scatter", "recursive_doubling", reduce_scatter_twice},
    Row{"reduce_scatter", "pairwise", reduce_scatter_pairwise},
    Row{"reduce_scatter", "noncommutative", reduce_scatter_noncommutative},
    Row{"reduce_scatter_block", "recursive_halving", reduce_scatter_halving},
    Row{"reduce_scatter_block", "recursive_doubling", reduce_scatter_twice},
    Row{"reduce_scatter_block", "pairwise", reduce_scatter_pairwise},
    Row{"reduce_scatter_block", "noncommutative", reduce_scatter_noncommutative},
    Row{"gather", "binomial", gather},
    Row{"scatter", "binomial", scatter},
    Row{"scan", "recursive_doubling", two_vectors},
    Row{"exscan", "recursive_doubling", two_vectors},
    Row{"barrier", "dissemination", nothing},
    Row{"barrier", "smp", nothing},
};

std::vector<RankOfCall> ranks_of(const Call& call) {
    const std::vector<int>& nodes = call.layout->node_of_rank;
    const auto nodes_count = static_cast<std::size_t>(call.layout->nodes);
    std::vector<int> first(nodes_count, -1);
    std::vector<int> members(nodes_count, 0);
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
        const auto node = static_cast<std::size_t>(nodes[rank]);
        first[node] = first[node] < 0 ? static_cast<int>(rank) : first[node];
        ++members[node];
    }
    std::vector<RankOfCall> ranks;
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
        const auto node = static_cast<std::size_t>(nodes[rank]);
        const auto root = static_cast<std::size_t>(call.root);
        ranks.push_back({call.bytes, nodes.size(), (rank + nodes.size() - root) % nodes.size(), rank == 0,
                         first[node] == static_cast<int>(rank), members[node] > 1,
                         nodes[root] == nodes[rank]});
    }
    return ranks;
}

}  // namespace

std::optional<std::vector<std::size_t>> extra_memory(std::string_view collective, std::string_view algorithm,
                                                     const Call& call) {
    const std::string name = AlgorithmName(std::string(algorithm)).algorithm;
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) {
        return one.collective == collective && one.algorithm == name;
    });
    if (row == rows.end()) {
        return std::nullopt;
    }
    std::vector<std::size_t> bytes;
    for (const RankOfCall& rank : ranks_of(call)) {
        bytes.push_back(row->bytes(rank));
    }
    return bytes;
}

std::optional<std::size_t> most_extra_memory(std::string_view collective, std::string_view algorithm,
                                             const RankPlacement& layout, std::size_t bytes) {
    std::optional<std::size_t> most;
    for (const int root : {0, layout.ranks() - 1}) {
        Call call;
        call.layout = &layout;
        call.bytes = bytes;
        call.root = root;
        if (const auto of_ranks = extra_memory(collective, algorithm, call)) {
            most = std::max(most.value_or(0), *std::max_element(of_ranks->begin(), of_ranks->end()));
        }
    }
    return most;
}

}  // namespace models
