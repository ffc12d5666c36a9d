// SPDX-License-Identifier: MIT
#include "symmetry.hpp"

#include <algorithm>

#include "message_costs.hpp"

namespace tuner {

namespace {

// With several messages of a rank at the same time, in which order they leave a node of several ranks depends
// on small differences, which then grow
bool has_several_at_once(const models::Schedule& schedule, const models::Representatives& of) {
    return std::any_of(schedule.begin(), schedule.end(), [&](const models::Phase& phase) {
        models::Round round(&of);
        if (phase.rounds > 0) {
            phase.make(0, round);
        }
        return std::count_if(round.messages().begin(), round.messages().end(), [](const models::Message& m) {
                   return m.source == 0 && m.destination != 0;
               }) > 1;
    });
}

}  // namespace

std::optional<models::Representatives> alike_in(const SimulatedJob& job, const models::Schedule& schedule,
                                                Pace pace) {
    const SimulatedMachine& machine = job.machine;
    if (pace != Pace::free || !machine.are_nodes_alike || !machine.slow_host.empty() ||
        machine.cores.count > 0 || needs_opposite(machine) || !job.pauses.empty()) {
        return std::nullopt;
    }
    models::Representatives all = models::representatives(schedule, job.layout);
    const bool has_one_rank_a_node = all.ranks_of_each() == job.layout.ranks();
    if (all.ranks_of_each() == 1 || (!has_one_rank_a_node && has_several_at_once(schedule, all))) {
        return std::nullopt;
    }
    return all;
}

}  // namespace tuner
