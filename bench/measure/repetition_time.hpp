// SPDX-License-Identifier: MIT
// The time of a repetition, from when each rank began and finished it, by the metric that was asked for.
#pragma once

#include <vector>

#include "pairs.hpp"
#include "pattern.hpp"

namespace bench {

// When each rank began and finished a repetition, on the global clock
struct RankTimes {
    std::vector<double> begin;
    std::vector<double> finish;

    explicit RankTimes(std::size_t ranks) : begin(ranks), finish(ranks) {}
    double first_begin() const;
    double last_begin() const;
    double last_finish() const;
};

// The pair that took longest; without pairs, the root alone
Pair slowest_pair(Metric metric, const std::vector<Pair>& pairs, const RankTimes& times, int root);

// `start` is the common start; `slowest` the pair that counts, for a metric of pairs
double time_of(Metric metric, const RankTimes& times, double start, const Pair& slowest);

}  // namespace bench
