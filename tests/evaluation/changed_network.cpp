// SPDX-License-Identifier: MIT
#include "changed_network.hpp"

#include <algorithm>

namespace evaluation {

std::optional<double> BeforeTheChange::seconds(const tuner::CellKey& cell, const std::string& algorithm,
                                               std::size_t bytes) const {
    constexpr double bandwidth_then = 0.5;  // of today's
    const std::optional<double> now = now_.seconds(cell, algorithm, bytes);
    const std::optional<double> latency = now_.seconds(cell, algorithm, smallest_);
    return now && latency ? std::optional(*now + std::max(0.0, *now - *latency) * (1 / bandwidth_then - 1))
                          : now;
}

}  // namespace evaluation
