// SPDX-License-Identifier: MIT
// Which algorithm from which size on? As few ranges as possible, such that the algorithm of a range loses at
// most a bound against the best one at every measured size of the range, or the intervals cannot tell. The
// library's default is preferred where it is good enough; a range of another one starts and ends at sizes
// where it is not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "changeover_points.hpp"

namespace models {

// Times of one algorithm, size by size; nothing where it cannot run
struct Candidate {
    std::string name;
    std::vector<std::optional<MeasuredSize>> times;
};

struct DecidedRange {
    std::size_t candidate;
    std::size_t first;  // position of the range's first and last measured size
    std::size_t last;
    // First and last size of the range: those around the changeover points to its neighbours. The first range
    // starts at 0, the last one has no end (the largest value).
    std::size_t from_bytes;
    std::size_t to_bytes;
    double changeover_bytes;  // where it takes over from the range before; 0 for the first range
    Interval from_interval;   // the changeover point is between these two measured sizes
    double worst_loss;        // against the best candidate, at any measured size of the range; 0.01 is 1%
};

// All candidates have the same sizes, in ascending order; each size has a time of at least one candidate; all
// times are finite and above zero. The `preferred` candidate (the default) wins wherever it is good enough.
// Throws std::invalid_argument otherwise.
std::vector<DecidedRange> decide(const std::vector<Candidate>& candidates,
                                 const std::vector<std::size_t>& sizes, std::size_t preferred,
                                 double loss_bound = 0.01);

}  // namespace models
