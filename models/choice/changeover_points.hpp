// SPDX-License-Identifier: MIT
// The message sizes where the better one of two algorithms changes: from measurements alone, from two cost
// models alone, or from models whose level is corrected by measurements. Where nobody can tell which is
// better, the answer is a tie.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "statistics.hpp"

namespace models {

struct MeasuredSize {
    double bytes;  // above zero
    double median_seconds;
    Interval interval;  // of the median
};

enum class Better { a, b, tie };

struct SizeRange {
    double from_bytes;
    double to_bytes;
    Better better;
};

// One algorithm gives way to the other at about `bytes`, surely between low and high: the end of the range
// that the one wins and the start of the range that the other wins. Between them is a tie, unless they are
// equal. A tie that the same algorithm wins on both sides, or that reaches the first or last size, is no
// crossing.
struct Crossing {
    double bytes;
    double low_bytes;
    double high_bytes;
};

struct Changeover {
    std::vector<SizeRange> ranges;  // without gaps, neighbours differ
    std::vector<Crossing> crossings;
};

// Seconds for a size
using Curve = std::function<double(double bytes)>;

// All throw std::invalid_argument for sizes that are not above zero, ascending and the same for both
// algorithms, and for times that are not above zero.

// Times between measured sizes are interpolated in log-log. Better is who is faster by more than the 95%
// interval of the ratio, from both intervals by the method of Zou and Donner (2008).
Changeover measured_changeover(std::span<const MeasuredSize> a, std::span<const MeasuredSize> b);

// Better is who is faster by more than the factor 1 + tie. Ranges narrower than an eighth of an octave may be
// missed.
Changeover modelled_changeover(const Curve& a, const Curve& b, double from_bytes, double to_bytes,
                               double tie = 0);

// The model gives the shape, the measurements give the level: log(measured / modelled) is interpolated
// between the measured sizes and kept beyond them. There the interval widens as that of a random walk whose
// steps are those of log(measured / modelled) from one measured size to the next. Needs two measured sizes.
Changeover combined_changeover(const Curve& model_a, const Curve& model_b, std::span<const MeasuredSize> a,
                               std::span<const MeasuredSize> b, double from_bytes, double to_bytes);

}  // namespace models
