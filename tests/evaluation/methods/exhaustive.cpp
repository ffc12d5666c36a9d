// SPDX-License-Identifier: MIT
// Every algorithm at every size of a grid, and the smallest mean (OCT, ...).
#include "exhaustive.hpp"

namespace evaluation {

Exhaustive::Exhaustive(const Setting& setting, calibration::SimulatedCluster& cluster, double factor)
    : table_(setting, cluster) {
    for (const tuner::CellKey& cell : setting.cells) {
        for (const std::size_t bytes : setting.sizes(cell, factor)) {
            points_.push_back({cell, bytes, ""});
        }
    }
}

bool Exhaustive::step() {
    if (next_ == points_.size()) {
        return false;
    }
    table_.measure(points_[next_++]);
    return true;
}

Choice Exhaustive::choice() const {
    return [this](const tuner::CellKey& cell, std::size_t bytes) { return table_.best(cell, bytes); };
}

}  // namespace evaluation
