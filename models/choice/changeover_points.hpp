// SPDX-License-Identifier: MIT
// The message sizes at which the faster one of two algorithms changes. Two cost models give the shape of the
// curves, measured times correct their level. Where the difference is not significant, the answer is a tie.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "statistics.hpp"

namespace models {

// The time of one algorithm at one message size
struct MeasuredSize {
    std::size_t bytes;  // above zero
    double median_seconds;
    Interval interval;  // of the median
};

enum class Better { a, b, tie };

// Between two changeover points. A changeover point is a real number: curves cross between two sizes.
struct SizeRange {
    double from_bytes;
    double to_bytes;
    Better better;
};

// The only way from a changeover point to a size: the last size that belongs to the range before the point.
// The range after the point starts one byte later.
std::size_t last_size_before(double changeover_bytes);

// Seconds for a size; models are evaluated between sizes, too
using Curve = std::function<double(double bytes)>;

// Which algorithm is faster from `from_bytes` to `to_bytes`: ranges without gaps, neighbours differ.
//
// log(measured / modelled) is interpolated between the measured sizes and kept constant beyond them. An
// algorithm is better where the 95% interval of the ratio (from both medians' intervals, Zou and Donner 2008)
// excludes 1. Beyond the measured sizes the interval widens like that of a random walk whose steps are the
// changes of log(measured / modelled) from one measured size to the next. Ranges narrower than an eighth of
// an octave may be missed.
//
// Throws std::invalid_argument unless both algorithms have the same ascending sizes above zero (at least two)
// and all times are above zero.
std::vector<SizeRange> combined_changeover(const Curve& model_a, const Curve& model_b,
                                           std::span<const MeasuredSize> a, std::span<const MeasuredSize> b,
                                           std::size_t from_bytes, std::size_t to_bytes);

}  // namespace models
