// SPDX-License-Identifier: MIT
// Two ways to choose sizes: SKaMPI's refinement (Reussner et al. 1998), each algorithm by itself, where a
// line between its neighbours predicts a time worst; and points drawn at random.
#pragma once

#include <random>

#include "measured_table.hpp"

namespace evaluation {

class Refinement : public Method {
  public:
    Refinement(const Setting& setting, calibration::SimulatedCluster& cluster);
    bool step() override;
    Choice choice() const override;
    int launches() const override { return table_.launches(); }

  private:
    const Setting& setting_;
    MeasuredTable table_;
    std::vector<std::pair<tuner::CellKey, std::string>> curves_;  // cell and algorithm
    std::size_t next_ = 0;
};

class RandomPoints : public Method {
  public:
    RandomPoints(const Setting& setting, calibration::SimulatedCluster& cluster, std::uint64_t seed);
    bool step() override;
    Choice choice() const override;
    int launches() const override { return table_.launches(); }

  private:
    MeasuredTable table_;
    std::vector<Point> points_;  // in their order, at random
    std::size_t next_ = 0;
};

}  // namespace evaluation
