// SPDX-License-Identifier: MIT
// What is above the median: high quantiles, how many times are far above the smallest one (Hamid 2008, tables
// 5.1 and 5.2), and how many look like a TCP retransmit time-out.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace models {

inline constexpr std::array far_factors = {2.0, 3.0, 5.0, 10.0};  // times the smallest one

struct Tail {
    std::size_t count;
    double min;
    double median;
    double p90;
    double p99;
    double max;
    std::array<double, far_factors.size()> shares_beyond;  // of the samples: above each of the far_factors
    std::size_t time_outs;                                 // that look like a retransmit time-out, see below
};
Tail tail_of(std::span<const double> sorted_seconds);  // not empty

// Is a time that is so much above the median about where a TCP retransmit time-out puts it? Linux waits 200
// ms at least (TCP_RTO_MIN), plus a round trip and its variation, and doubles it each time (RFC 6298, 5.5):
// one message is late by 200 ms x 2^k, or by the sum of such waits, 200 ms x (2^k - 1). In tail_of a time
// must also be far out (3 interquartile ranges above the upper quartile): 200 ms more than a median of
// seconds is normal variation.
bool is_like_time_out(double seconds_above_median);

}  // namespace models
