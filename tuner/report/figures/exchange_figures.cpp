// SPDX-License-Identifier: MIT
// An exchange against message size: latency, bandwidth, availability, overlap or time, a line for each
// network and way.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axes.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

constexpr std::size_t colours = 7;  // of the palette
constexpr std::array dashes = {"none", "7 3", "2 3", "9 3 2 3"};

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

}  // namespace

Figure draw_exchange(const ReportData& data, const ExchangePointers& curves) {
    const Shown& what = shown_of(curves);
    Figure figure;
    figure.title =
        fmt::format("{} on {}", curves.front()->first.exchange, to_string(curves.front()->first.layout));
    figure.width = 460;
    figure.height = 290;
    const Frame frame{54, 450, 20, 254};
    Range sizes{INFINITY, 0};
    Range values{INFINITY, 0};
    for (const auto* curve : curves) {
        for (const auto& [bytes, point] : curve->second) {
            sizes = {std::min(sizes.low, static_cast<double>(bytes)),
                     std::max(sizes.high, static_cast<double>(bytes))};
            if (const double value = value_at(what, point); value > 0) {
                values = {std::min(values.low, value), std::max(values.high, value)};
            }
        }
    }
    values = values.high > 0 ? values : Range{0.5, 1};
    const LogScale x(sizes.low, sizes.high, frame.left + 8, frame.right - 8);
    const LogScale log_y(values.low / 1.15, values.high * 1.15, frame.bottom, frame.top);
    const auto y = [&](double value) {
        return what.is_share ? frame.bottom + (frame.top - frame.bottom) * std::clamp(value, 0.0, 1.0)
                             : log_y(std::clamp(value, log_y.low(), log_y.high()));
    };
    Drawing drawing;
    draw_size_axis(drawing, x, frame, true);
    const std::vector<double> ticks =
        what.is_share ? std::vector<double>{0, 0.25, 0.5, 0.75, 1} : time_ticks(log_y.low(), log_y.high());
    for (const double tick : ticks) {
        drawing.line({frame.left, y(tick)}, {frame.right, y(tick)}, "class=\"grid\"");
        drawing.text({frame.left - 5, y(tick) + 4}, "class=\"ink\" text-anchor=\"end\"",
                     what.is_time ? seconds_text(tick) : fmt::format("{:g}", tick));
    }
    draw_frame(drawing, frame);
    drawing.text({frame.left + 6, frame.top - 6}, "class=\"ink small\"", what.name);
    std::vector<std::string> ways;
    for (const auto* curve : curves) {
        const ExchangeKey& key = curve->first;
        const auto network = std::find_if(data.cluster.networks.begin(), data.cluster.networks.end(),
                                          [&](const Network& n) { return n.name == key.network; });
        const auto colour = static_cast<std::size_t>(network - data.cluster.networks.begin()) % colours;
        auto way = std::find(ways.begin(), ways.end(), key.way);
        if (way == ways.end()) {
            way = ways.insert(ways.end(), key.way);
        }
        const auto dash = static_cast<std::size_t>(way - ways.begin()) % dashes.size();
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
        drawing.open(fmt::format("data-line=\"{}\"", escaped(label)));
        drawing.path(polyline(points),
                     fmt::format("class=\"c{} line\" stroke-dasharray=\"{}\"", colour, dashes[dash]));
        drawing.close();
        constexpr std::array dash_names = {"", " (dashed)", " (dotted)", " (dash-dotted)"};
        figure.key.push_back({KeyEntry::Kind::line, fmt::format("c{}", colour), label + dash_names[dash]});
    }
    figure.attributes = "data-kind=\"exchange\"";
    figure.body = drawing.str();
    return figure;
}

}  // namespace tuner::report
