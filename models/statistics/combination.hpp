// SPDX-License-Identifier: MIT
// One result from several runs. Each run has a bias of its own (placement, memory, other load) that more
// repetitions do not remove: the median of each run is one observation, as in SKaMPI's postprocessor
// (Reussner et al. 1998, section 2), and the spread between runs gives the interval.
#pragma once

#include <cstddef>
#include <span>

#include "statistics.hpp"

namespace models {

struct RunMedian {
    double median;
    Interval interval;  // from the repetitions of this run
};

struct Combined {
    std::size_t runs;
    double median;      // of the medians of the runs
    Interval interval;  // 95%, from the spread between runs; infinite for fewer than 6
    double spread;      // between runs: standard deviation of the logarithms of their medians
    double largest_by_smallest;
    std::size_t misses;  // runs whose own interval does not contain the combined median
};
Combined combine(std::span<const RunMedian> runs);  // not empty; medians above zero

}  // namespace models
