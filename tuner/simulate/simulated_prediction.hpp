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
    bool is_default = false;  // MPICH would choose it
};

// Of all algorithms that can run there, the fastest first; for each size. Throws an Error if changeover-sim
// was not built, or fails.
std::vector<std::vector<SimulatedTime>> simulated_times(const CalibratedPlatform& platform,
                                                        const std::string& collective, const Layout& layout,
                                                        const std::vector<std::size_t>& sizes);

// The same on a platform file, on its first hosts; sizes of each collective
struct SimulatedCall {
    std::string collective;
    std::size_t bytes = 0;
    bool operator==(const SimulatedCall&) const = default;
};
std::vector<std::vector<SimulatedTime>> simulated_times(const std::string& platform_file,
                                                        const Layout& layout,
                                                        const std::vector<SimulatedCall>& calls);

}  // namespace tuner
