// SPDX-License-Identifier: MIT
// Times of calls that a simulation computes: asks changeover-sim, so that nothing else needs SimGrid.
#pragma once

#include <string>
#include <vector>

#include "calibrate.hpp"

namespace tuner {

struct SimulatedTime {
    std::string algorithm;
    double seconds;
};

// Of all algorithms that can run there, the fastest first; for each size. Throws an Error if changeover-sim
// was not built, or fails.
std::vector<std::vector<SimulatedTime>> simulated_times(const CalibratedPlatform& platform,
                                                        const std::string& collective, const Layout& layout,
                                                        const std::vector<std::size_t>& sizes);

}  // namespace tuner
