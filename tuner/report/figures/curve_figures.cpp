// SPDX-License-Identifier: MIT
// Curves: time against size in one cell; and the ratio of two networks' times.
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
    Range range{INFINITY, 0};
    for (const auto& [bytes, times] : cell.measured.times) {
        for (const auto& [algorithm, time] : times) {
            const models::Interval& interval = time.time.interval;
            const double median = time.time.median_seconds;
            if (bytes > 0) {
                range.low = std::min({range.low, median, interval.low > 0 ? interval.low : median});
                range.high =
                    std::max({range.high, median, std::isfinite(interval.high) ? interval.high : median});
            }
        }
    }
    return range.high > 0 ? Range{range.low / 1.15, range.high * 1.15} : Range{1e-6, 1e-3};
}

void draw_changeover_marks(Drawing& drawing, const ReportCell& cell, const LogScale& x, const Frame& frame) {
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
            drawing.text({position, frame.top - 5}, "class=\"ink small\" text-anchor=\"middle\"", label);
            last_label = position + text_width(label, font_size) / 2;
        }
    }
}

void draw_tuned_halo(Drawing& drawing, const ReportCell& cell, const LogScale& x, const LogScale& y) {
    std::vector<Point> points;
    for (const SizeChoice& size : cell.sizes) {
        if (size.is_verified) {
            continue;  // it has a ratio, but no time that could be compared with those of the search
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

}  // namespace

Figure draw_curves(const ReportData& data, const ReportCell& cell) {
    Figure figure;
    figure.title = fmt::format("{} on {}", collective_label(cell.key), place_label(cell.key));
    figure.width = 460;
    figure.height = 290;
    const Frame frame{54, 450, 20, 254};
    const Range sizes = size_range_of({&cell});
    const Range times = time_range_of(cell);
    const LogScale x(sizes.low, sizes.high, frame.left + 8, frame.right - 8);
    const LogScale y(times.low, times.high, frame.bottom, frame.top);
    Drawing drawing;
    draw_size_axis(drawing, x, frame, true);
    draw_time_axis(drawing, y, frame);
    draw_changeover_marks(drawing, cell, x, frame);
    draw_frame(drawing, frame);
    draw_tuned_halo(drawing, cell, x, y);
    const auto curves = curves_of(cell, x, y);
    for (const bool is_default : {false, true}) {  // the default on top
        for (const auto& [algorithm, curve] : curves) {
            if ((algorithm == default_algorithm) != is_default) {
                continue;
            }
            const std::string colour = colour_class(algorithm);
            drawing.open(fmt::format("data-line=\"{}\"", escaped(algorithm)));
            if (const auto predicted = cell.predicted.find(algorithm); predicted != cell.predicted.end()) {
                draw_model(drawing, predicted->second, colour, x, y);
            }
            if (const std::string bars = interval_bars(curve, y); !bars.empty()) {
                drawing.path(bars, "class=\"" + colour + " bar\"");
            }
            drawing.path(polyline(curve.points), "class=\"" + colour + " line\"");
            drawing.close();
            figure.key.push_back({KeyEntry::Kind::line, colour, algorithm});
        }
    }
    figure.key.push_back({KeyEntry::Kind::box, "tuned-key", "tuned choice"});
    figure.key.push_back({KeyEntry::Kind::thin_line, "cd", "thin: the model's prediction"});
    figure.attributes = fmt::format("data-kind=\"curves\" data-cell=\"{}\" data-x=\"{}\" data-y=\"{}\"",
                                    &cell - data.cells.data(), x.attribute(), y.attribute());
    figure.body = drawing.str();
    return figure;
}

Figure draw_comparison(const Comparison& comparison, const ComparedPointers& cells) {
    const std::string a = side_label(comparison.a, comparison.b);
    const std::string b = side_label(comparison.b, comparison.a);
    Figure figure;
    figure.title = fmt::format("{}: {} / {}", collective_label(cells[0]->key), b, a);
    figure.width = 460;
    figure.height = 270;
    const Frame frame{54, 400, 20, 234};
    Range sizes{INFINITY, 0};
    Range ratios{1 / 1.3, 1.3};
    for (const ComparedCell* cell : cells) {
        for (const ComparedSize& size : cell->sizes) {
            if (size.choices[best_choice].ratio && size.bytes > 0) {
                const double ratio = size.choices[best_choice].ratio->ratio;
                sizes = {std::min(sizes.low, static_cast<double>(size.bytes)),
                         std::max(sizes.high, static_cast<double>(size.bytes))};
                ratios = {std::min(ratios.low, ratio / 1.1), std::max(ratios.high, ratio * 1.1)};
            }
        }
    }
    const LogScale x(sizes.high > 0 ? sizes.low : 1, sizes.high, frame.left + 8, frame.right - 8);
    const LogScale y(ratios.low, ratios.high, frame.bottom, frame.top);
    Drawing drawing;
    draw_size_axis(drawing, x, frame, true);
    for (const double tick : time_ticks(y.low(), y.high())) {
        drawing.line({frame.left, y(tick)}, {frame.right, y(tick)}, "class=\"grid\"");
        drawing.text({frame.left - 5, y(tick) + 4}, "class=\"ink\" text-anchor=\"end\"",
                     fmt::format("{:.3g}", tick));
    }
    draw_frame(drawing, frame);
    drawing.line({frame.left, y(1)}, {frame.right, y(1)}, "class=\"axis\"");
    drawing.text({frame.left + 6, frame.top - 6}, "class=\"ink small\"", "above 1: " + a + " is faster");
    drawing.text({frame.left + 6, frame.bottom - 5}, "class=\"halo small\"", "below 1: " + b + " is faster");
    constexpr const char* dashes[] = {"none", "7 3", "2 3", "9 3 2 3"};  // tell the layouts apart
    struct Label {
        double y;
        std::string text;
    };
    std::vector<Label> labels;
    for (const ComparedCell* cell : cells) {
        std::vector<Point> points;
        std::string bars;
        std::string wins;
        for (const ComparedSize& size : cell->sizes) {
            const ComparedChoice& choice = size.choices[best_choice];
            if (!choice.ratio || size.bytes == 0) {
                continue;
            }
            points.push_back({x(static_cast<double>(size.bytes)), y(choice.ratio->ratio)});
            const auto clamped = [&](double ratio) { return y(std::clamp(ratio, y.low(), y.high())); };
            bars +=
                fmt::format("M{},{}V{}", number(points.back().x), number(clamped(choice.ratio->interval.low)),
                            number(clamped(choice.ratio->interval.high)));
            if (choice.winner != Winner::nobody) {
                wins += fmt::format("M{},{}h0", number(points.back().x), number(points.back().y));
            }
        }
        if (points.empty()) {
            continue;
        }
        drawing.open(fmt::format("data-line=\"{}\"", escaped(to_string(cell->key.layout))));
        drawing.path(bars, "class=\"cd bar\"");
        drawing.path(polyline(points), fmt::format("class=\"plain\" stroke-dasharray=\"{}\"",
                                                   dashes[labels.size() % std::size(dashes)]));
        drawing.path(wins, "class=\"cd dots\"");
        drawing.close();
        labels.push_back({points.back().y + 4, to_string(cell->key.layout)});
    }
    // beside the ends of their lines, or as near as they fit
    std::stable_sort(labels.begin(), labels.end(), [](const Label& l, const Label& r) { return l.y < r.y; });
    constexpr double label_height = 12;
    double lowest = frame.bottom + label_height;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        lowest = label->y = std::min(label->y, lowest - label_height);
    }
    for (const Label& label : labels) {
        drawing.text({frame.right + 4, label.y}, "class=\"ink small\"", label.text);
    }
    figure.attributes = "data-kind=\"comparison\"";
    figure.body = drawing.str();
    return figure;
}

}  // namespace tuner::report
