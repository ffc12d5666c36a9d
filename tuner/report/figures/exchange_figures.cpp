// SPDX-License-Identifier: MIT
// An exchange against message size: latency, bandwidth, availability, overlap or time, a line for each
// network and way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axes.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

// What is drawn of an exchange: the first of these that it has, else its time
struct Shown {
    const char* value;  // by the benchmark's name; nullptr: the time
    const char* name;
    double factor;  // to seconds, or to itself
    bool is_share;  // from 0 to 1
    bool is_time;
};
constexpr Shown shown[] = {
    {"overlap", "overlap: part of the operation that is hidden", 1, true, false},
    {"availability", "availability of the processor during a transfer", 1, true, false},
    {"half_us", "latency: half the round trip", 1e-6, false, true},
    {"megabytes_per_s", "bandwidth, MB/s", 1, false, false},
    {nullptr, "time", 1, false, true}};

const Shown& shown_of(const ExchangePointers& curves) {
    const auto has = [&](const Shown& row) {
        return row.value == nullptr || curves.front()->second.begin()->second.values.contains(row.value);
    };
    // rates of rings and the like say no more than their time
    const bool is_rate_wanted = curves.front()->first.exchange.starts_with("bandwidth");
    return *std::find_if(std::begin(shown), std::end(shown), [&](const Shown& row) {
        return has(row) && (row.is_time || row.is_share || is_rate_wanted);
    });
}

double value_at(const Shown& what, const ExchangePoint& point) {
    if (what.value == nullptr) {
        return point.median_seconds;
    }
    const auto found = point.values.find(what.value);
    return found == point.values.end() ? NAN : what.factor * found->second;
}

struct ExchangeRanges {
    Range sizes;
    Range values;
};

ExchangeRanges ranges_of(const Shown& what, const ExchangePointers& curves) {
    ExchangeRanges ranges;
    for (const auto* curve : curves) {
        for (const auto& [bytes, point] : curve->second) {
            ranges.sizes.include(static_cast<double>(bytes));
            if (const double value = value_at(what, point); value > 0) {
                ranges.values.include(value);
            }
        }
    }
    if (ranges.values.high <= 0) {
        ranges.values = {0.5, 1};
    }
    return ranges;
}

std::size_t colour_of(const ReportData& data, const std::string& network) {
    const auto found = std::find_if(data.cluster.networks.begin(), data.cluster.networks.end(),
                                    [&](const Network& n) { return n.name == network; });
    return static_cast<std::size_t>(found - data.cluster.networks.begin()) % line_colours;
}

// Its place among those that were drawn before, or behind them
std::size_t position_of(std::vector<std::string>& ways, const std::string& way) {
    const auto found = std::find(ways.begin(), ways.end(), way);
    const auto position = static_cast<std::size_t>(found - ways.begin());
    if (found == ways.end()) {
        ways.push_back(way);
    }
    return position;
}

void draw_lines(Plot& plot, const ReportData& data, const ExchangePointers& curves, const Shown& what,
                const LogScale& x, const Position& y) {
    std::vector<std::string> ways;
    for (const auto* curve : curves) {
        const ExchangeKey& key = curve->first;
        const std::size_t way = position_of(ways, key.way);
        std::vector<Point> points;
        for (const auto& [bytes, point] : curve->second) {
            if (const double value = value_at(what, point); !std::isnan(value)) {
                points.push_back({x(static_cast<double>(bytes)), y(value)});
            }
        }
        if (points.empty()) {
            continue;
        }
        const std::string label = key.network + ", " + key.way;
        const std::string colour = fmt::format("c{}", colour_of(data, key.network));
        plot.drawing.open_line(label);
        plot.drawing.path(polyline(points),
                          fmt::format("class=\"{} line\" stroke-dasharray=\"{}\"", colour, dash_of(way)));
        plot.drawing.close();
        plot.add_key(KeyEntry::Kind::line, colour, label + dash_name_of(way));
    }
}

}  // namespace

Figure draw_exchange(const ReportData& data, const ExchangePointers& curves) {
    const Shown& what = shown_of(curves);
    const ExchangeKey& key = curves.front()->first;
    Plot plot(fmt::format("{} on {}", key.exchange, to_string(key.layout)), 460, 290, {54, 450, 20, 254});
    const Frame& frame = plot.frame;
    const ExchangeRanges ranges = ranges_of(what, curves);
    const LogScale x(ranges.sizes.low, ranges.sizes.high, frame.left + 8, frame.right - 8);
    const LogScale log_y(ranges.values.low / 1.15, ranges.values.high * 1.15, frame.bottom, frame.top);
    const auto y = [&](double value) {
        return what.is_share ? frame.bottom - frame.height() * std::clamp(value, 0.0, 1.0)
                             : log_y(std::clamp(value, log_y.low(), log_y.high()));
    };
    draw_size_axis(plot, x, true);
    draw_ticks_up(
        plot,
        what.is_share ? std::vector<double>{0, 0.25, 0.5, 0.75, 1} : time_ticks(log_y.low(), log_y.high()), y,
        [&](double tick) { return what.is_time ? seconds_text(tick) : fmt::format("{:g}", tick); });
    plot.draw_frame();
    plot.drawing.label({frame.left + 6, frame.top - 6}, Anchor::start, "ink small", what.name);
    draw_lines(plot, data, curves, what, x, y);
    return plot.finish("data-kind=\"exchange\"");
}

}  // namespace tuner::report
