// SPDX-License-Identifier: MIT
// How long ranks wait for each other at the beginning of calls, and how far apart they leave.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "histogram.hpp"
#include "number_text.hpp"
#include "time_scale.hpp"
#include "trace_figures.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

using report::Anchor;
using report::Frame;
using report::Plot;

constexpr double shortest_seconds = 1e-8;  // that has a place on a logarithmic axis

struct Waits {
    const char* label;
    std::vector<double> seconds;
};

Waits waits_of(const char* label, const Orders& orders) {
    Waits waits{label, {}};
    for (const std::vector<double>& of_rank : orders.wait_seconds) {
        waits.seconds.insert(waits.seconds.end(), of_rank.begin(), of_rank.end());
    }
    return waits;
}

report::LogScale scale_of(const std::vector<Waits>& series, const Frame& frame) {
    double low = INFINITY;
    double high = shortest_seconds;
    for (const Waits& waits : series) {
        for (const double seconds : waits.seconds) {
            low = seconds > shortest_seconds ? std::min(low, seconds) : low;
            high = std::max(high, seconds);
        }
    }
    return {std::min(low, high), high * 1.02, frame.left, frame.right};
}

std::string waits_note(double arrival, double call) {
    return fmt::format(
        "Time before the last arrival is due to the program, time after it to the collective. Half of the "
        "ranks wait {} or longer for the last arrival, and a call then takes {}: {}",
        time_text(arrival), time_text(call),
        arrival > call       ? "ranks that arrive at the same time would save more than any algorithm."
        : arrival > call / 4 ? "both the load balance of the program and the algorithm matter."
                             : "the ranks arrive close together, so the algorithm matters.");
}

}  // namespace

report::Figure draw_waits(const Kind& kind) {
    Plot plot(to_string(kind.key) + ": waits", 460, 330, {48, 440, 16, 290});
    const Frame& frame = plot.frame;
    const std::vector<Waits> series = {waits_of("for the last arrival", kind.arrivals),
                                       waits_of("departure after the first", kind.departures)};
    const report::LogScale x = scale_of(series, frame);
    report::draw_time_axis_across(plot, x);
    std::vector<report::Histogram> histograms;
    for (const Waits& waits : series) {
        report::Histogram& histogram = histograms.emplace_back(frame);
        for (const double seconds : waits.seconds) {
            if (seconds > shortest_seconds) {
                histogram.add(x(seconds));
            }
        }
    }
    const std::size_t highest = report::most_of(histograms);
    for (std::size_t i = 0; i < series.size(); ++i) {
        plot.drawing.path(histograms[i].bars(highest), "class=\"" + colour_of_line(i) + " fill veil\"");
        plot.add_key(report::KeyEntry::Kind::box, colour_of_line(i) + " fill",
                     fmt::format("{}: median {}", series[i].label,
                                 seconds_text(std::max(median_of(series[i].seconds), 1e-9))));
    }
    plot.draw_frame();
    plot.draw_caption(28, "wait of a rank in a call");
    plot.drawing.label({frame.left - 6, frame.top + 4}, Anchor::end, "ink", std::to_string(highest));
    plot.drawing.label({frame.left - 6, frame.bottom + 2}, Anchor::end, "ink", "0");
    plot.drawing.label({frame.left + 6, frame.top + 4}, Anchor::start, "ink small", "count");
    plot.figure.note = waits_note(median_of(series[0].seconds), median_of(kind.seconds));
    return plot.finish("");
}

}  // namespace tuner::trace
