// SPDX-License-Identifier: MIT
#include "refinement.hpp"

#include <algorithm>

#include "sizes.hpp"

namespace evaluation {

namespace {

constexpr double tolerance = 0.05;       // of a prediction
constexpr std::size_t granularity = 64;  // bytes
constexpr double share_drawn = 0.5;      // of all points of the exhaustive grid

}  // namespace

Refinement::Refinement(const Setting& setting, calibration::SimulatedCluster& cluster)
    : setting_(setting), table_(setting, cluster) {
    for (const tuner::CellKey& cell : setting.cells) {
        for (const std::string& algorithm : cluster.truth().algorithms(cell)) {
            curves_.emplace_back(cell, algorithm);
        }
    }
}

bool Refinement::step() {
    for (; next_ < curves_.size(); ++next_) {
        const auto& [cell, algorithm] = curves_[next_];
        for (const std::size_t bytes : setting_.sizes(cell, setting_.plan.size_step)) {  // its first grid
            if (!table_.has({cell, bytes, algorithm})) {
                table_.measure({cell, bytes, algorithm});
                return true;
            }
        }
        std::vector<models::TimedSize> measured;
        if (const auto* times = table_.times(cell, algorithm)) {
            for (const auto& [bytes, seconds] : *times) {
                measured.push_back({bytes, seconds});
            }
        }
        const std::size_t bytes =
            measured.size() < 2 ? 0 : models::next_refinement(measured, granularity, tolerance);
        if (bytes > 0 && !table_.has({cell, bytes, algorithm})) {
            table_.measure({cell, bytes, algorithm});
            return true;
        }
    }
    return false;
}

Choice Refinement::choice() const {
    return [this](const tuner::CellKey& cell, std::size_t bytes) { return table_.best(cell, bytes); };
}

RandomPoints::RandomPoints(const Setting& setting, calibration::SimulatedCluster& cluster, std::uint64_t seed)
    : table_(setting, cluster) {
    for (const tuner::CellKey& cell : setting.cells) {
        for (const std::size_t bytes : setting.sizes(cell, setting.plan.changeover_factor)) {
            points_.push_back({cell, bytes, ""});
        }
    }
    std::mt19937_64 random(seed);
    std::shuffle(points_.begin(), points_.end(), random);
    points_.resize(static_cast<std::size_t>(share_drawn * static_cast<double>(points_.size())));
}

bool RandomPoints::step() {
    if (next_ == points_.size()) {
        return false;
    }
    table_.measure(points_[next_++]);
    return true;
}

Choice RandomPoints::choice() const {
    return [this](const tuner::CellKey& cell, std::size_t bytes) { return table_.best(cell, bytes); };
}

}  // namespace evaluation
