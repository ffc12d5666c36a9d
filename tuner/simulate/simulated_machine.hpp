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

struct SimulatedMachine {
    // `between`: latency on top of that of the links; seconds for each byte where they are not those of the
    // links (0: they are). `within`: all there is.
    models::Parameters parameters;
    double send_overhead_seconds = 0;  // when the sender can do nothing else; a part of the latency
    double receive_overhead_seconds = 0;
    double message_bytes_per_second = 0;  // of one message alone, if its node has several interfaces; 0: all
    std::string slow_host;                // whose messages take longer; empty: none
    double slow_factor = 1;
    Noise noise;
};

using Properties = std::map<std::string, std::string>;
inline constexpr const char* property_prefix = "changeover.";

Properties to_properties(const SimulatedMachine& machine);  // what is not as by default
// `file` is named in errors. Properties without the prefix are somebody else's.
SimulatedMachine machine_from(const Properties& properties, const std::string& file);

}  // namespace tuner
