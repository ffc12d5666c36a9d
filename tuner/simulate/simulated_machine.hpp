// SPDX-License-Identifier: MIT
// What a simulation needs to know of a machine besides the links of its platform file: what a message costs
// the processors, how the protocols differ, what happens inside a node, and how times vary. Kept in the
// platform file as properties of its outermost zone, named as the parameters of the cost model:
//     <prop id="changeover.between.latency" value="3e-05"/>
#pragma once

#include <map>
#include <string>

#include "cost.hpp"
#include "noise.hpp"

namespace tuner {

// Nodes that are in truth one machine (network namespaces) share its cores
struct SharedCores {
    double count = 0;             // 0: each rank has a core for itself
    double dispatch_seconds = 0;  // to give a core to a rank that was waiting
    double peer_seconds = 0;      // and again for each other rank: poll looks at a connection to each
    double wake_seconds = 0;      // to wake up a core that has nothing to do
    // of a message, at its sender and again at its receiver
    double between_seconds = 0;
    double between_seconds_per_byte = 0;
    double within_seconds_per_byte = 0;
};

struct SimulatedMachine {
    // `between`: latency on top of that of the links; seconds for each byte where they are not those of the
    // links (0: they are). `within`: all there is.
    models::Parameters parameters;
    double send_overhead_seconds = 0;  // when the sender can do nothing else; a part of the latency
    double receive_overhead_seconds = 0;
    SharedCores cores;
    double burst_bytes = 0;  // that a rate limit lets pass at once after a pause of a node
    // Repetitions of a collective start after a barrier, as in the benchmark where ranks share cores. Ranks
    // leave it one after another, and enter the next one as soon as they have finished.
    bool starts_after_barrier = false;
    double message_bytes_per_second = 0;  // of one message alone, if its node has several interfaces; 0: all
    // Each node has a link of its own in each direction to one switch, all of them the same: where all ranks
    // of a schedule do the same, one node stands for all
    bool are_nodes_alike = false;
    std::string slow_host;  // whose messages take longer; empty: none
    double slow_factor = 1;
    Noise noise;
};

using Properties = std::map<std::string, std::string>;
inline constexpr const char* property_prefix = "changeover.";

Properties to_properties(const SimulatedMachine& machine);  // what is not as by default
// `file` is named in errors. Properties without the prefix are somebody else's.
SimulatedMachine machine_from(const Properties& properties, const std::string& file);

}  // namespace tuner
