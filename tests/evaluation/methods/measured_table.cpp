// SPDX-License-Identifier: MIT
#include "measured_table.hpp"

#include <cmath>

#include "statistics.hpp"

namespace evaluation {

double interpolated(const std::map<std::size_t, double>& seconds, std::size_t bytes) {
    const auto above = seconds.lower_bound(bytes);
    if (above == seconds.end()) {
        return seconds.rbegin()->second;
    }
    if (above == seconds.begin() || above->first == bytes) {
        return above->second;
    }
    const auto below = std::prev(above);
    const auto log = [](auto value) { return std::log(static_cast<double>(value)); };
    const double share = (log(bytes) - log(below->first)) / (log(above->first) - log(below->first));
    return std::exp((1 - share) * std::log(below->second) + share * std::log(above->second));
}

void MeasuredTable::measure(const Point& point) {
    const std::pair layout(point.cell.network, point.cell.layout);
    launches_ += last_layout_ != layout;
    last_layout_ = layout;
    const tuner::Question question = {point.bytes, point.algorithm.empty()
                                                       ? cluster_.truth().algorithms(point.cell)
                                                       : std::vector{point.algorithm}};
    for (const tuner::CaseRecord& record : cluster_.search_group(point.cell, question, setting_.plan)) {
        asked_.insert({point.cell, point.bytes, record.algorithm});
        if (record.status == tuner::Status::measured) {
            seconds_[point.cell][record.algorithm][point.bytes] = models::mean(record.samples_seconds);
        }
    }
}

bool MeasuredTable::has(const Point& point) const {
    return asked_.contains({point.cell, point.bytes, point.algorithm});
}

const std::map<std::size_t, double>* MeasuredTable::times(const tuner::CellKey& cell,
                                                          const std::string& algorithm) const {
    const auto found = seconds_.find(cell);
    const auto curve =
        found == seconds_.end() ? decltype(found->second.begin())() : found->second.find(algorithm);
    return found == seconds_.end() || curve == found->second.end() ? nullptr : &curve->second;
}

std::optional<double> MeasuredTable::time(const Point& point) const {
    const auto* curve = times(point.cell, point.algorithm);
    const auto found = curve ? curve->find(point.bytes) : decltype(curve->begin())();
    return !curve || found == curve->end() ? std::nullopt : std::optional(found->second);
}

bool MeasuredTable::can_run(const tuner::CellKey& cell, const std::string& algorithm,
                            std::size_t bytes) const {
    return cluster_.truth().seconds(cell, algorithm, bytes).has_value();
}

std::string MeasuredTable::best(const tuner::CellKey& cell, std::size_t bytes) const {
    std::string best = tuner::default_algorithm;
    double fastest = INFINITY;
    const auto found = seconds_.find(cell);
    if (found == seconds_.end()) {
        return best;
    }
    for (const auto& [algorithm, seconds] : found->second) {
        const double time = interpolated(seconds, bytes);
        if (time < fastest && can_run(cell, algorithm, bytes)) {
            best = algorithm;
            fastest = time;
        }
    }
    return best;
}

}  // namespace evaluation
