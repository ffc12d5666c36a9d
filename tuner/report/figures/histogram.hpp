// SPDX-License-Identifier: MIT
// Bars of how many values are where along the width of a plot.
#pragma once

#include <vector>

#include "axes.hpp"

namespace tuner::report {

class Histogram {
  public:
    explicit Histogram(const Frame& frame);

    void add(double x);  // a position; beside the frame counts for the bar at that end
    std::size_t most() const;
    // The path of the bars, of which one with `highest` values is as high as the frame
    std::string bars(std::size_t highest) const;

  private:
    Frame frame_;
    double bar_width_;
    std::vector<std::size_t> counts_;
};

// The largest count of several that are drawn over each other, at least 1
std::size_t most_of(const std::vector<Histogram>& histograms);

}  // namespace tuner::report
