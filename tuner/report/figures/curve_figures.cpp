// SPDX-License-Identifier: MIT
// Curves: time against size in one cell, with changeover points, the tuned choice and the model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "axes.hpp"
#include "palette.hpp"

namespace tuner::report {

namespace {

struct Curve {
    std::vector<const CellTime*> times;
    std::vector<Point> points;
};

std::map<std::string, Curve> curves_of(const ReportCell& cell, const LogScale& x, const LogScale& y) {
    std::map<std::string, Curve> curves;
    for (const auto& [bytes, times] : cell.measured.times) {
        for (const auto& [algorithm, time] : times) {
            if (bytes > 0) {
                curves[algorithm].times.push_back(&time);
                curves[algorithm].points.push_back(
                    {x(static_cast<double>(bytes)), y(time.time.median_seconds)});
            }
        }
    }
    return curves;
}

Range time_range_of(const ReportCell& cell) {
    Range range;
    for (const auto& [bytes, times] : cell.measured.times) {
        for (const auto& [algorithm, time] : times) {
            const models::Interval& interval = time.time.interval;
            const double median = time.time.median_seconds;
            if (bytes > 0) {
                range.include(median);
                range.include(interval.low > 0 ? interval.low : median);
                range.include(std::isfinite(interval.high) ? interval.high : median);
            }
        }
    }
    return range.high > 0 ? Range{range.low / 1.15, range.high * 1.15} : Range{1e-6, 1e-3};
}

void draw_changeover_marks(Plot& plot, const ReportCell& cell, const LogScale& x) {
    Drawing& drawing = plot.drawing;
    const Frame& frame = plot.frame;
    double last_label = -INFINITY;
    for (std::size_t i = 1; i < cell.tuned.size(); ++i) {
        const Stretch& stretch = cell.tuned[i];
        if (!is_tuned_changeover(cell.tuned[i - 1], stretch)) {
            continue;
        }
        const double position = x(stretch.from_bytes);
        const models::Interval& interval = stretch.from_interval;
        if (interval.low > 0 && interval.high > interval.low) {
            const double low = x(std::clamp(interval.low, x.low(), x.high()));
            const double high = x(std::clamp(interval.high, x.low(), x.high()));
            drawing.rect({low, frame.top}, std::max(high - low, 1.0), frame.bottom - frame.top,
                         "class=\"change\"");
        }
        drawing.line({position, frame.top}, {position, frame.bottom}, "class=\"change-line\"");
        const std::string label = size_label(stretch.from_bytes);
        if (position - text_width(label, font_size) / 2 > last_label + 3) {
            drawing.label({position, frame.top - 5}, Anchor::middle, "ink small", label);
            last_label = position + text_width(label, font_size) / 2;
        }
    }
}

void draw_tuned_halo(Drawing& drawing, const ReportCell& cell, const LogScale& x, const LogScale& y) {
    std::vector<Point> points;
    for (const SizeChoice& size : cell.sizes) {
        if (size.is_verified) {
            continue;  // it has a ratio, but no time that could be compared with those
                       // of the search
        }
        const auto& times = cell.measured.times.at(size.bytes);
        const auto time = times.find(size.by_rule ? size.runs : default_algorithm);
        if (time != times.end()) {
            points.push_back({x(static_cast<double>(size.bytes)), y(time->second.time.median_seconds)});
        }
    }
    if (points.size() > 1) {
        drawing.path(polyline(points), "class=\"tuned\"");
    }
}

void draw_model(Drawing& drawing, const std::map<std::size_t, double>& predicted, const std::string& colour,
                const LogScale& x, const LogScale& y) {
    std::vector<Point> points;
    for (const auto& [bytes, seconds] : predicted) {
        if (seconds >= y.low() && seconds <= y.high()) {
            points.push_back({x(static_cast<double>(bytes)), y(seconds)});
        }
    }
    if (points.size() > 1) {
        drawing.path(polyline(points), "class=\"" + colour + " model\"");
    }
}

// Bars of intervals that are longer than the line is wide; hovering shows all
std::string interval_bars(const Curve& curve, const LogScale& y) {
    std::string data;
    for (std::size_t i = 0; i < curve.times.size(); ++i) {
        const models::Interval& interval = curve.times[i]->time.interval;
        if (!(interval.low > 0) || !std::isfinite(interval.high)) {
            continue;
        }
        const double low = y(interval.low);
        const double high = y(interval.high);
        if (low - high > 3) {
            data += fmt::format("M{},{}V{}", number(curve.points[i].x), number(low), number(high));
        }
    }
    return data;
}

void draw_curve(Plot& plot, const ReportCell& cell, const std::string& algorithm, const Curve& curve,
                const LogScale& x, const LogScale& y) {
    const std::string colour = colour_class(algorithm);
    plot.drawing.open_line(algorithm);
    if (const auto predicted = cell.predicted.find(algorithm); predicted != cell.predicted.end()) {
        draw_model(plot.drawing, predicted->second, colour, x, y);
    }
    if (const std::string bars = interval_bars(curve, y); !bars.empty()) {
        plot.drawing.path(bars, "class=\"" + colour + " bar\"");
    }
    plot.drawing.path(polyline(curve.points), "class=\"" + colour + " line\"");
    plot.drawing.close();
    plot.add_key(KeyEntry::Kind::line, colour, algorithm);
}

}  // namespace

Figure draw_curves(const ReportData& data, const ReportCell& cell) {
    Plot plot(fmt::format("{} on {}", collective_label(cell.key), place_label(cell.key)), 460, 290,
              {54, 450, 20, 254});
    const Range sizes = size_range_of({&cell});
    const Range times = time_range_of(cell);
    const LogScale x(sizes.low, sizes.high, plot.frame.left + 8, plot.frame.right - 8);
    const LogScale y(times.low, times.high, plot.frame.bottom, plot.frame.top);
    draw_size_axis(plot, x, true);
    draw_time_axis_up(plot, y);
    draw_changeover_marks(plot, cell, x);
    plot.draw_frame();
    draw_tuned_halo(plot.drawing, cell, x, y);
    const auto curves = curves_of(cell, x, y);
    for (const bool is_default : {false, true}) {  // the default on top
        for (const auto& [algorithm, curve] : curves) {
            if ((algorithm == default_algorithm) == is_default) {
                draw_curve(plot, cell, algorithm, curve, x, y);
            }
        }
    }
    plot.add_key(KeyEntry::Kind::box, "tuned-key", "tuned choice");
    plot.add_key(KeyEntry::Kind::thin_line, "cd", "thin: prediction of the model");
    return plot.finish(fmt::format("data-kind=\"curves\" data-cell=\"{}\" data-x=\"{}\" data-y=\"{}\"",
                                   &cell - data.cells.data(), x.attribute(), y.attribute()));
}

}  // namespace tuner::report
