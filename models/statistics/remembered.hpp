// SPDX-License-Identifier: MIT
// Values of a function of two numbers that takes long to compute and is asked for the same numbers again and
// again: quantiles for the repetitions of thousands of cases, most of which have as many.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

namespace models {

class Remembered {
  public:
    // compute(a, b), computed the first time
    template <typename Compute>
    double of(double a, double b, Compute compute) {
        if (const auto known = values_.find({a, b}); known != values_.end()) {
            return known->second;
        }
        if (values_.size() == most) {
            values_.clear();
        }
        return values_[{a, b}] = compute(a, b);
    }

  private:
    static constexpr std::size_t most = 4096;  // 300 kB
    std::map<std::pair<double, double>, double> values_;
};

}  // namespace models
