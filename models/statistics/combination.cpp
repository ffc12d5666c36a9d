// SPDX-License-Identifier: MIT
#include "combination.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace models {

Combined combine(std::span<const RunMedian> runs) {
    std::vector<double> sorted;
    std::vector<double> logarithms;
    for (const RunMedian& run : runs) {
        sorted.push_back(run.median);
        logarithms.push_back(std::log(run.median));
    }
    std::sort(sorted.begin(), sorted.end());
    const double middle = median(sorted);
    const auto misses = std::count_if(runs.begin(), runs.end(), [&](const RunMedian& run) {
        return middle < run.interval.low || middle > run.interval.high;
    });
    return {runs.size(),
            middle,
            median_interval(sorted),
            standard_deviation(logarithms),
            sorted.back() / sorted.front(),
            static_cast<std::size_t>(misses)};
}

}  // namespace models
