// SPDX-License-Identifier: MIT
// What the figures of a trace share: an axis of times from zero on, and colours that stand for nothing but
// the order of lines.
#pragma once

#include <string>

#include "axes.hpp"

namespace tuner::trace {

// Times from zero on, evenly spaced
struct TimeScale {
    double longest;
    const report::Frame& frame;

    double operator()(double seconds) const { return frame.left + frame.width() * seconds / longest; }
};
void draw_axis(report::Plot& plot, const TimeScale& x, const char* label);

std::string colour_of_line(std::size_t i);

}  // namespace tuner::trace
