// SPDX-License-Identifier: MIT
// LogGP parameters of messages between two ranks: latency L, overheads o_s and o_r, gap g between messages,
// gap G for each byte, by the parametrised round trips of Hoefler, Lichei and Rehm, "Low-Overhead LogGP
// Parameter Assessment for Modern Interconnection Networks" (2007). Protocols (eager, rendezvous) differ in
// them, so the parameters come in segments of sizes, whose boundaries the data give.
#pragma once

#include <span>
#include <vector>

#include "fitted.hpp"

namespace models {

// The time of a receive call whose message had already arrived
struct ReceiveCall {
    double bytes;
    double seconds;
};

// PRTT(n, d, s): the client sends n messages of s bytes with a pause of d between them; the server answers
// the last one with s bytes. In terms of the parameters:
//     PRTT(n, d, s) = 2 (L + o_s + o_r + (s - 1) G) + (n - 1) max(o_s + d, g + (s - 1) G)
struct RoundTrip {
    int messages;
    double delay_seconds;
    double bytes;
    double seconds;
};

struct LogGpSegment {
    double from_bytes;  // smallest and largest measured size; a boundary is between the sizes of two segments
    double to_bytes;
    FittedParameter latency_seconds;           // L
    FittedParameter send_overhead_seconds;     // o_s
    FittedParameter receive_overhead_seconds;  // o_r
    FittedParameter gap_seconds;               // g
    FittedParameter gap_seconds_per_byte;      // G
    double noise;                              // relative
};

// Needs PRTT(1, 0, s) of several sizes, which give the segments; g needs PRTT(n, 0, s) and o_s needs PRTT(n,
// d, s) with a delay above the gap, in each segment; what is missing comes out as unknown. Round trips cannot
// separate o_r from L: o_r equals o_s, as in the paper, unless `receive_calls` are given. Sizes between two
// segments are left out: their protocol is unknown.
//
// The number of segments is the one with the smallest modified Bayes information criterion (Zhang and
// Siegmund 2007), up to `max_segments`; a segment has at least 4 measured sizes. Throws std::invalid_argument
// without round trips of one message or for times that are not above zero.
std::vector<LogGpSegment> log_gp(std::span<const RoundTrip> round_trips,
                                 std::span<const ReceiveCall> receive_calls = {}, int max_segments = 4);

}  // namespace models
