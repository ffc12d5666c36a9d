// SPDX-License-Identifier: MIT
// Cells of a network whose parameters are known: fast inside a node, slow between nodes. Times come from the
// cost model itself, with a little noise.
#pragma once

#include <random>

#include "prediction.hpp"

namespace known_network {

inline const std::string name = "ethernet";
inline const std::vector<tuner::Layout> layouts = {{8, 1, tuner::Mapping::block},
                                                   {4, 2, tuner::Mapping::block}};

inline models::Parameters truth() {
    models::Parameters parameters;
    parameters.at("between.latency") = 80e-6;
    parameters.at("between.byte") = 80e-9;
    parameters.at("within.latency") = 5e-6;
    parameters.at("within.byte") = 1e-9;
    return parameters;
}

// Broadcast and allgather, all algorithms, 8 bytes to 1 MiB on both layouts
inline tuner::Cells cells(models::Implementation implementation = models::Implementation::mpich,
                          double relative_noise = 0.01) {
    const models::Parameters parameters = truth();
    std::mt19937 random(1);
    std::normal_distribution<double> noise(1, relative_noise);
    tuner::Cells result;
    for (const tuner::Layout& layout : layouts) {
        models::CostTable table(models::RankPlacement(layout.nodes, layout.ppn));
        for (const models::Algorithm& algorithm : models::algorithms(implementation)) {
            for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= 4) {
                const models::Call call{&table.layout(), bytes};
                const bool is_wanted = algorithm.collective == "bcast" || algorithm.collective == "allgather";
                if (is_wanted && models::is_allowed(algorithm, call)) {
                    const double seconds = noise(random) * table.seconds(algorithm, call, parameters);
                    tuner::CellTime time;
                    time.time = {bytes, seconds, {0.99 * seconds, 1.01 * seconds}};
                    time.used = algorithm.name;
                    result[{name, layout, std::string(algorithm.collective), ""}].times[bytes].emplace(
                        algorithm.name, time);
                }
            }
        }
    }
    return result;
}

}  // namespace known_network
