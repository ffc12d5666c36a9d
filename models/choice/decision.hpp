// SPDX-License-Identifier: MIT
// Which algorithm from which size on? As few ranges as possible, such that the algorithm of a range loses no
// more than a bound against the best one at any measured size of it. The library's default is preferred where
// it is good enough.
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
    std::size_t first;  // measured sizes of the range, by position
    std::size_t last;
    double from_bytes;  // changeovers to the neighbours; the first and the last range have no end
    double to_bytes;
    Interval from_interval;  // between the neighbouring measured sizes at most
    double worst_loss;       // against the best candidate at any size of the range, 0.01 is 1%
};

// Candidates have the same sizes, ascending; each size has a time of at least one candidate, the
// `preferred` one (the default) wins whenever it is good enough. Throws std::invalid_argument otherwise.
std::vector<DecidedRange> decide(const std::vector<Candidate>& candidates, const std::vector<double>& sizes,
                                 std::size_t preferred, double loss_bound = 0.01);

}  // namespace models
