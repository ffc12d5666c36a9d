// SPDX-License-Identifier: MIT
#include "parts.hpp"

#include <memory>

#include "mpich_thresholds.hpp"
#include "schedules.hpp"

namespace models::schedules {

Phase copy_to_result(const Call& call) {
    return {call.in_place ? 0 : 1,
            [ranks = call.ranks(), bytes = call.bytes](int, Round& round) {
                for (int rank = 0; rank < ranks; ++rank) {
                    round.copy(rank, {bytes, bytes}, -static_cast<std::ptrdiff_t>(bytes));
                }
            },
            same_on_each_rank};
}

void deliver(Round& round, const RankBlocks& b, int source, int destination) {
    const std::size_t from = b.blocks.offset(b.ranks + destination);
    round.send(source, destination, Piece{from, b.blocks.bytes}, distance(from, b.blocks.offset(source)));
}

Schedule among(std::vector<int> ranks, Schedule schedule) {
    const auto members = std::make_shared<const std::vector<int>>(std::move(ranks));
    for (Phase& phase : schedule) {
        phase.same &= ~static_cast<unsigned>(same_on_each_rank);
        phase.make = [members, make = std::move(phase.make)](int i, Round& round) {
            const std::size_t begin = round.begin_part();
            make(i, round);
            round.end_part(begin, *members);
        };
    }
    return schedule;
}

Schedule relocated(Schedule schedule, Place place) {
    const auto shared = std::make_shared<const Place>(std::move(place));
    for (Phase& phase : schedule) {
        phase.make = [shared, make = std::move(phase.make)](int i, Round& round) {
            const std::size_t begin = round.begin_part();
            make(i, round);
            round.relocate(begin, *shared);
        };
    }
    return schedule;
}

Schedule side_by_side(std::vector<Schedule> schedules) {
    int rounds = 0;
    for (const Schedule& schedule : schedules) {
        rounds = std::max(rounds, rounds_of(schedule));
    }
    return {{rounds, [all = std::move(schedules)](int i, Round& round) {
                 for (const Schedule& schedule : all) {
                     int skip = i;
                     for (const Phase& phase : schedule) {
                         if (skip < phase.rounds) {
                             phase.make(skip, round);
                             break;
                         }
                         skip -= phase.rounds;
                     }
                 }
             }}};
}

Nodes::Nodes(const RankPlacement& layout) : members(layout.ranks_of_nodes()) {
    // MPICH orders the node roots by rank, not by node
    std::sort(members.begin(), members.end());
    for (const std::vector<int>& ranks : members) {
        roots.push_back(ranks.front());
    }
}

int Nodes::node_of(int rank) const {
    const auto node = std::find_if(members.begin(), members.end(), [&](const std::vector<int>& ranks) {
        return std::binary_search(ranks.begin(), ranks.end(), rank);
    });
    return static_cast<int>(node - members.begin());
}

int Nodes::index_in_node(int rank) const {
    const std::vector<int>& ranks = members[static_cast<std::size_t>(node_of(rank))];
    return static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

namespace {

// As the patched MPICH compares: smp algorithms meet the thresholds of the flat ones inside
bool is_up_to(const MpichThreshold& threshold, const Call& call) {
    return call.size_for_choice() <= static_cast<std::size_t>(threshold.default_value);
}

bool is_total_below(const MpichThreshold& threshold, const Call& call) {
    return call.size_for_choice() * static_cast<std::size_t>(call.ranks()) <
           static_cast<std::size_t>(threshold.default_value);
}

bool has_power_of_two_ranks(const Call& call) {
    return std::has_single_bit(static_cast<unsigned>(call.ranks()));
}

// Operations that do not commute are the user's, and MPICH splits vectors only for its own.
bool splits_vector(const Call& call) {
    if (!call.commutative) {
        return false;
    }
    return call.size_for_choice() / call.element_bytes >=
           static_cast<std::size_t>(floor_power_of_two(call.ranks()));
}

Call flat_call(const Call& call, const RankPlacement& layout, int root) {
    Call flat = call;
    flat.layout = &layout;
    flat.root = root;
    return flat;
}

}  // namespace

Choice flat_bcast(const Call& call) {
    if (is_up_to(mpich::bcast_short, call) || call.ranks() < mpich::bcast_min_procs.default_value) {
        return {"binomial", bcast_binomial};
    }
    if (is_up_to(mpich::bcast_long, call) && has_power_of_two_ranks(call)) {
        return {"scatter_recursive_doubling_allgather", bcast_scatter_recursive_doubling_allgather};
    }
    return {"scatter_ring_allgather", bcast_scatter_ring_allgather};
}

Choice flat_reduce(const Call& call) {
    if (is_up_to(mpich::reduce_short, call) || !splits_vector(call)) {
        return {"binomial", reduce_binomial};
    }
    return {"reduce_scatter_gather", reduce_reduce_scatter_gather};
}

Choice flat_allreduce(const Call& call) {
    if (is_up_to(mpich::allreduce_recursive_doubling, call) || !splits_vector(call)) {
        return {"recursive_doubling", allreduce_recursive_doubling};
    }
    return {"reduce_scatter_allgather", allreduce_reduce_scatter_allgather};
}

Choice flat_allgather(const Call& call) {
    if (is_total_below(mpich::allgather_long, call) && has_power_of_two_ranks(call)) {
        return {"recursive_doubling", allgather_recursive_doubling};
    }
    if (is_total_below(mpich::allgather_short, call)) {
        return {"brucks", allgather_brucks};
    }
    return {"ring", allgather_ring};
}

Choice flat_reduce_scatter(const Call& call) {
    if (!call.commutative) {
        return has_power_of_two_ranks(call) ? Choice{"noncommutative", reduce_scatter_noncommutative}
                                            : Choice{"recursive_doubling", reduce_scatter_recursive_doubling};
    }
    if (is_total_below(mpich::reduce_scatter_long, call)) {
        return {"recursive_halving", reduce_scatter_recursive_halving};
    }
    return {"pairwise", reduce_scatter_pairwise};
}

Schedule chosen_among(const std::vector<int>& ranks, const Call& call, int root, Choose choose) {
    if (ranks.size() < 2) {
        return {};
    }
    const RankPlacement layout(1, static_cast<int>(ranks.size()));
    const Call flat = flat_call(call, layout, root);
    return among(ranks, choose(flat).schedule(flat));
}

Schedule chosen_within_nodes(const Nodes& nodes, const Call& call, Choose choose) {
    std::vector<Schedule> schedules;
    for (const std::vector<int>& ranks : nodes.members) {
        schedules.push_back(chosen_among(ranks, call, 0, choose));
    }
    return side_by_side(std::move(schedules));
}

std::string chosen_name(int ranks, const Call& call, Choose choose) {
    const RankPlacement layout(1, ranks);
    return ranks < 2 ? "" : choose(flat_call(call, layout, 0)).name;
}

std::string chosen_names(const RankPlacement& layout, const Call& call, Choose between, Choose within) {
    std::string names = chosen_name(layout.nodes, call, between);
    std::vector<int> counts = layout.ranks_on_nodes();
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    for (const int ranks : counts) {
        names += "+" + chosen_name(ranks, call, within);
    }
    return names;
}

}  // namespace models::schedules
