// SPDX-License-Identifier: MIT
// Round trips of a network whose LogGP parameters are known, by the formula of point_to_point.hpp.
#pragma once

#include <algorithm>

#include "point_to_point.hpp"

// PRTT(n, d, s)
inline double round_trip_seconds(const models::LogGpSegment& truth, int messages, double delay_seconds,
                                 double bytes) {
    const double further_bytes_seconds = std::max(0.0, bytes - 1) * truth.gap_seconds_per_byte.value;
    const double one_way = truth.latency_seconds.value + truth.send_overhead_seconds.value +
                           truth.receive_overhead_seconds.value + further_bytes_seconds;
    const double interval = std::max(truth.send_overhead_seconds.value + delay_seconds,
                                     truth.gap_seconds.value + further_bytes_seconds);
    return 2 * one_way + (messages - 1) * interval;
}
