// SPDX-License-Identifier: MIT
// A network that is not the one that was measured any more (other cables, adapters, drivers): which
// parameters of its links moved, and since when. In the journal, so that times from before and after are
// never mixed (forget_stale).
#pragma once

#include <string>
#include <vector>

#include "network_parameters.hpp"
#include "run_data.hpp"

namespace tuner {

struct MovedParameter {
    std::string network;
    Link link = Link::between_nodes;
    std::string name;  // as in the cost model: latency (L), byte (G)
    double before = 0;
    double after = 0;

    bool is_same_as(const MovedParameter& other) const {
        return network == other.network && link == other.link && name == other.name;
    }
};
std::string to_string(const MovedParameter& moved);  // between.byte (G): 78 -> 7 ns/byte

// Latency and time per byte of links that both have, if their intervals do not overlap and they differ by
// more than 50% and 20%; and so do the times of one message of the smallest and the largest size that both
// have. Of several segments of sizes, those with the smallest size and the most bytes in common are compared.
// Where no fit says so, the times of the three largest messages may: all of them by more than 40%.
std::vector<MovedParameter> moved_parameters(const NetworkParameters& before, const NetworkParameters& after);

// The events of a run that say so
struct NetworkChange {
    std::string network;
    std::string date;                // of the check that found it, UTC
    std::vector<std::string> moved;  // as to_string(MovedParameter)
};
std::vector<NetworkChange> network_changes(const RunData& run);
std::string to_string(const NetworkChange& change);  // a sentence

}  // namespace tuner
