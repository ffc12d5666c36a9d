// SPDX-License-Identifier: MIT
#include "time_scale.hpp"

#include <fmt/format.h>

#include <cmath>

#include "units.hpp"

namespace tuner::trace {

void draw_axis(report::Plot& plot, const TimeScale& x, const char* label) {
    const double rough = x.longest / 5;
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = decade * (rough / decade < 2 ? 2 : rough / decade < 5 ? 5 : 10);
    std::vector<double> ticks;
    for (double tick = 0; tick <= x.longest * 1.001; tick += step) {
        ticks.push_back(tick);
    }
    report::draw_ticks_across(plot, ticks, x,
                              [](double tick) { return tick == 0 ? "0" : seconds_text(tick); });
    plot.draw_caption(28, label);
}

std::string colour_of_line(std::size_t i) {
    return fmt::format("c{}", i % report::line_colours);
}

}  // namespace tuner::trace
