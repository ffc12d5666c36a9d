// SPDX-License-Identifier: MIT
// The platform of these tests: 64 nodes around one switch, Fast Ethernet. One for the process, as SimGrid
// wants it.
#pragma once

#include <filesystem>
#include <fstream>

#include "simulated_platform.hpp"
#include "topology.hpp"

namespace tuner {

inline const SimulatedPlatform& star() {
    static const SimulatedPlatform platform = [] {
        Topology topology;
        topology.nodes = 64;
        topology.bytes_per_second = 12.5e6;
        topology.latency_seconds = 30e-6;
        const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "simulated-star.xml";
        std::ofstream(file) << platform_xml(topology, {});
        return SimulatedPlatform(file.string());
    }();
    return platform;
}

inline std::vector<simgrid::s4u::Host*> hosts_of_star(int nodes) {
    std::vector<simgrid::s4u::Host*> hosts;
    for (int i = 0; i < nodes; ++i) {
        hosts.push_back(star().host("n" + std::to_string(i)));
    }
    return hosts;
}

}  // namespace tuner
