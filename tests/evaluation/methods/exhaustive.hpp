// SPDX-License-Identifier: MIT
// Every algorithm at every size of a grid, and the smallest mean: what OCT and most administrators do.
#pragma once

#include "measured_table.hpp"

namespace evaluation {

class Exhaustive : public Method {
  public:
    Exhaustive(const Setting& setting, calibration::SimulatedCluster& cluster, double factor);

    bool step() override;
    Choice choice() const override;
    int launches() const override { return table_.launches(); }

  protected:
    MeasuredTable table_;
    std::vector<Point> points_;
    std::size_t next_ = 0;
};

}  // namespace evaluation
