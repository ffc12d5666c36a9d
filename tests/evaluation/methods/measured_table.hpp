// SPDX-License-Identifier: MIT
// What the other methods have in common: a table of mean times, each measured as precisely as ours.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "method.hpp"

namespace evaluation {

struct Point {
    tuner::CellKey cell;
    std::size_t bytes = 0;
    std::string algorithm;  // empty: all of them
};

class MeasuredTable {
  public:
    MeasuredTable(const Setting& setting, calibration::SimulatedCluster& cluster)
        : setting_(setting), cluster_(cluster) {}

    void measure(const Point& point);
    bool has(const Point& point) const;
    std::optional<double> time(const Point& point) const;  // nothing: it was not measured
    const std::map<std::size_t, double>* times(const tuner::CellKey& cell,
                                               const std::string& algorithm) const;
    // A job that fails tells: such an algorithm is never chosen
    bool can_run(const tuner::CellKey& cell, const std::string& algorithm, std::size_t bytes) const;
    // The one with the smallest time, interpolated between sizes and constant beyond them; the default if
    // nothing is known
    std::string best(const tuner::CellKey& cell, std::size_t bytes) const;
    int launches() const { return launches_; }

  private:
    const Setting& setting_;
    calibration::SimulatedCluster& cluster_;
    std::map<tuner::CellKey, std::map<std::string, std::map<std::size_t, double>>> seconds_;
    std::set<std::tuple<tuner::CellKey, std::size_t, std::string>> asked_;
    int launches_ = 0;
    std::optional<std::pair<std::string, tuner::Layout>> last_layout_;
};

// Between the sizes of a curve, as logarithms; constant beyond them
double interpolated(const std::map<std::size_t, double>& seconds, std::size_t bytes);

}  // namespace evaluation
