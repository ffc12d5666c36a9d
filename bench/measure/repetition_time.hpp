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
    std::vector<double> delay;  // with which the rank was to begin, after the common start

    explicit RankTimes(std::size_t ranks) : begin(ranks), finish(ranks), delay(ranks) {}
    // The common start as each rank took it: its begin less its delay
    double first_start() const;
    double last_start() const;
    double first_begin() const;
    double last_finish() const;
    double largest_delay() const;
    // The time that all ranks together spend in the call, from their arrivals after the common start
    double waiting_since(double start) const;
};

// The pair that took longest; without pairs, the root alone
Pair slowest_pair(Metric metric, const std::vector<Pair>& pairs, const RankTimes& times, int root);

// `start` is the common start; the time of the whole operation begins when the last rank was to arrive.
// `slowest` the pair that counts, for a metric of pairs
double time_of(Metric metric, const RankTimes& times, double start, const Pair& slowest);

}  // namespace bench
