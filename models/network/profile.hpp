// SPDX-License-Identifier: MIT
// What the rounds of an algorithm load the links of a layout with: all that its cost depends on, for every
// message size; of an algorithm that sends segments, for one.
#pragma once

#include <map>

#include "schedule.hpp"

namespace models {

// The load of a round, for a message size of `Profile::unit_bytes`: bytes scale with the message size.
struct Load {
    struct OfLink {
        int messages = 0;            // through the busiest interface, in the busier direction
        double largest_message = 0;  // bytes
        double bytes = 0;            // through the busiest interface, in the busier direction
        double exchanged_bytes = 0;  // of these, what the same two ranks also send the other way
        auto operator<=>(const OfLink&) const = default;
    };
    OfLink between;
    OfLink within;
    double combined_bytes = 0;  // by the busiest rank
    double copied_bytes = 0;
    auto operator<=>(const Load&) const = default;
};

// All rounds of an algorithm on a layout. Rounds with the same load are counted, not repeated: the 1023
// rounds of a ring are one entry.
struct Profile {
    double unit_bytes = 1;
    std::map<Load, int> rounds;
    // Latencies on the longest chain of messages / rounds with such a message. Below 1 where ranks need not
    // wait for the slower link in every round: in a ring over nodes of two ranks every second hop is short.
    double latency_share_between = 1;
    double latency_share_within = 1;
    // For `Contention`: bytes that nodes have yet to send when they start their messages, summed over the
    // rounds at the busiest one; messages of all ranks.
    double waiting_bytes = 0;
    double messages_between = 0;
    double messages_within = 0;
};

Profile profile(const Algorithm& algorithm, const Call& call);

}  // namespace models
