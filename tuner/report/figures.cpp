// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "palette.hpp"
#include "svg.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

constexpr double font_size = 11;

struct Frame {
    double left;
    double right;
    double top;
    double bottom;
};

std::string place_label(const CellKey& key) {
    return key.network + " " + to_string(key.layout);
}

std::string axis_time(double seconds) {
    return seconds_text(seconds);
}

void draw_size_axis(Drawing& drawing, const LogScale& x, const Frame& frame, bool has_grid) {
    for (const double tick : byte_ticks(x.low(), x.high(), 8)) {
        if (has_grid) {
            drawing.line({x(tick), frame.top}, {x(tick), frame.bottom}, "class=\"grid\"");
        }
        drawing.text({x(tick), frame.bottom + 14}, "class=\"ink\" text-anchor=\"middle\"", size_label(tick));
    }
    drawing.text({(frame.left + frame.right) / 2, frame.bottom + 28},
                 "class=\"ink small\" text-anchor=\"middle\"", "message size, bytes");
}

void draw_time_axis(Drawing& drawing, const LogScale& y, const Frame& frame) {
    for (const double tick : time_ticks(y.low(), y.high())) {
        drawing.line({frame.left, y(tick)}, {frame.right, y(tick)}, "class=\"grid\"");
        drawing.text({frame.left - 5, y(tick) + 4}, "class=\"ink\" text-anchor=\"end\"", axis_time(tick));
    }
}

void draw_frame(Drawing& drawing, const Frame& frame) {
    drawing.path(fmt::format("M{},{}V{}H{}", number(frame.left), number(frame.top), number(frame.bottom),
                             number(frame.right)),
                 "class=\"axis\"");
}

// As it fits: the whole name, the first letters of its words, or nothing
std::string fitting_name(const std::string& name, double width) {
    if (text_width(name, font_size) + 6 <= width) {
        return name;
    }
    std::string initials;
    bool is_start = true;
    for (const char c : name) {
        if (is_start) {
            initials += c;
        }
        is_start = c == '_';
    }
    return name.find('_') != std::string::npos && text_width(initials, font_size) + 6 <= width ? initials
                                                                                               : "";
}

std::vector<KeyEntry> algorithm_key(const std::set<std::string>& algorithms, KeyEntry::Kind kind) {
    std::vector<KeyEntry> key;
    for (const std::string& algorithm : algorithms) {
        if (!algorithm.empty()) {
            key.push_back({kind, colour_class(algorithm), algorithm});
        }
    }
    return key;
}

// Not one that the library has anyway
bool is_tuned_changeover(const Stretch& before, const Stretch& after) {
    return before.algorithm != after.algorithm && (before.by_rule || after.by_rule);
}

// ---- gains: sizes x layouts of one network

using CellPointers = std::vector<const ReportCell*>;

struct SizeRange {
    double low;
    double high;
};

SizeRange size_range_of(const CellPointers& cells) {
    SizeRange range{INFINITY, 0};
    for (const ReportCell* cell : cells) {
        if (!cell->sizes.empty()) {
            range.low = std::min(range.low, static_cast<double>(cell->sizes.front().bytes));
            range.high = std::max(range.high, static_cast<double>(cell->sizes.back().bytes));
        }
    }
    return range.high > 0 ? range : SizeRange{1, 2};
}

// Between neighbouring sizes, in the middle as the eye sees it; at the ends as far outside as inside
std::vector<double> edges_of(const std::vector<SizeChoice>& sizes, const LogScale& x, const Frame& frame) {
    std::vector<double> edges = {x(static_cast<double>(sizes.front().bytes)) - 12};
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        edges.push_back(
            (x(static_cast<double>(sizes[i - 1].bytes)) + x(static_cast<double>(sizes[i].bytes))) / 2);
    }
    edges.push_back(x(static_cast<double>(sizes.back().bytes)) + 12);
    for (double& edge : edges) {
        edge = std::clamp(edge, frame.left, frame.right);
    }
    return edges;
}

void draw_gain_labels(Drawing& drawing, const std::vector<SizeChoice>& sizes,
                      const std::vector<double>& edges, double top, double height) {
    for (std::size_t first = 0; first < sizes.size();) {
        std::size_t last = first;
        double sum_of_logs = 0;
        std::size_t known = 0;
        while (last < sizes.size() && sizes[last].by_rule == sizes[first].by_rule &&
               (!sizes[first].by_rule || sizes[last].runs == sizes[first].runs)) {
            if (!std::isnan(sizes[last].gain)) {
                sum_of_logs += std::log(sizes[last].gain);
                ++known;
            }
            ++last;
        }
        const double width = edges[last] - edges[first];
        const double middle = (edges[first] + edges[last]) / 2;
        if (sizes[first].by_rule) {
            drawing.rect({edges[first], top + height - 4}, width, 4,
                         fmt::format("class=\"{} fill\"", colour_class(sizes[first].runs)));
            const std::string gain =
                known == 0 ? "" : percent_label(std::exp(sum_of_logs / static_cast<double>(known)));
            drawing.text({middle, top + 13}, "class=\"halo\" text-anchor=\"middle\"",
                         fitting_name(sizes[first].runs, width));
            if (text_width(gain, font_size) + 4 <= width) {
                drawing.text({middle, top + 26}, "class=\"halo\" text-anchor=\"middle\"", gain);
            }
        } else if (width > 46) {
            drawing.text({middle, top + height / 2 + 4}, "class=\"ink small\" text-anchor=\"middle\"",
                         "default");
        }
        first = last;
    }
}

Figure draw_gains(const ReportData& data, const CellPointers& cells) {
    constexpr double row_height = 36;
    Figure figure;
    figure.title = fmt::format("{} on {}: gain of tuned over default", collective_label(cells[0]->key),
                               cells[0]->key.network);
    double label_width = 0;
    for (const ReportCell* cell : cells) {
        label_width = std::max(label_width, text_width(to_string(cell->key.layout), font_size));
    }
    const Frame frame{label_width + 12, 740, 4, 4 + row_height * static_cast<double>(cells.size())};
    figure.width = 760;
    figure.height = frame.bottom + 34;
    const SizeRange range = size_range_of(cells);
    const LogScale x(range.low, range.high, frame.left + 12, frame.right - 12);
    Drawing drawing;
    std::set<std::string> algorithms;
    double top = frame.top;
    for (const ReportCell* cell : cells) {
        const auto position = static_cast<std::size_t>(cell - data.cells.data());
        drawing.text({frame.left - 6, top + row_height / 2 + 2}, "class=\"ink\" text-anchor=\"end\"",
                     to_string(cell->key.layout));
        if (!cell->sizes.empty()) {
            const std::vector<double> edges = edges_of(cell->sizes, x, frame);
            std::map<std::string, std::string> cells_of_colour;  // one path for each colour: half the bytes
            for (std::size_t i = 0; i < cell->sizes.size(); ++i) {
                cells_of_colour[gain_class(cell->sizes[i].gain)] += fmt::format(
                    "M{},{}h{}v{}h{}z", number(edges[i]), number(top + 1), number(edges[i + 1] - edges[i]),
                    number(row_height - 2), number(edges[i] - edges[i + 1]));
                if (cell->sizes[i].by_rule) {
                    algorithms.insert(cell->sizes[i].runs);
                }
            }
            drawing.open(fmt::format("data-cell=\"{}\"", position));
            for (const auto& [colour, data_of_path] : cells_of_colour) {
                drawing.path(data_of_path, fmt::format("class=\"{}\"", colour));
            }
            draw_gain_labels(drawing, cell->sizes, edges, top + 1, row_height - 2);
            drawing.close();
        }
        top += row_height;
    }
    draw_size_axis(drawing, x, frame, false);
    figure.attributes = fmt::format("data-kind=\"gains\" data-x=\"{}\"", x.attribute());
    figure.body = drawing.str();
    for (std::size_t i = 0; i < gain_steps().size(); ++i) {
        figure.key.push_back({KeyEntry::Kind::box, fmt::format("g{}", i), gain_steps()[i].label});
    }
    const std::vector<KeyEntry> of_algorithms = algorithm_key(algorithms, KeyEntry::Kind::box);
    figure.key.insert(figure.key.end(), of_algorithms.begin(), of_algorithms.end());
    return figure;
}

// ---- changeovers of one collective: all networks and layouts below each other

void draw_stretches(Drawing& drawing, const std::vector<Stretch>& stretches, const LogScale& x, double top,
                    double height, bool has_names) {
    for (const Stretch& stretch : stretches) {
        const double from = x(stretch.from_bytes);
        const double width = std::max(x(stretch.to_bytes) - from, 0.8);
        drawing.rect({from, top}, width, height,
                     fmt::format("class=\"{} fill{}\"", colour_class(stretch.algorithm),
                                 stretch.by_rule || !has_names ? "" : " pale"));
        if (has_names) {
            drawing.text({from + width / 2, top + height / 2 + 4}, "class=\"halo\" text-anchor=\"middle\"",
                         fitting_name(stretch.algorithm, width));
        }
    }
}

void draw_changeover_intervals(Drawing& drawing, const std::vector<Stretch>& stretches, const LogScale& x,
                               double top, double height) {
    for (std::size_t i = 1; i < stretches.size(); ++i) {
        const Stretch& stretch = stretches[i];
        if (!is_tuned_changeover(stretches[i - 1], stretch)) {
            continue;
        }
        drawing.line({x(stretch.from_bytes), top - 2}, {x(stretch.from_bytes), top + height + 2},
                     "class=\"axis\"");
        const models::Interval& interval = stretch.from_interval;
        if (interval.low > 0 && interval.high > interval.low) {
            drawing.line({x(std::max(interval.low, x.low())), top - 2},
                         {x(std::min(interval.high, x.high())), top - 2}, "class=\"axis\"");
        }
    }
}

Figure draw_changeovers(const CellPointers& cells) {
    constexpr double row_height = 40;
    Figure figure;
    figure.title = collective_label(cells[0]->key) + ": which algorithm, from which size on";
    double label_width = 0;
    for (const ReportCell* cell : cells) {
        label_width = std::max(label_width, text_width(place_label(cell->key), font_size));
    }
    label_width = std::min(label_width, 240.0);
    const Frame frame{label_width + 12, 740, 4, 4 + row_height * static_cast<double>(cells.size())};
    figure.width = 760;
    figure.height = frame.bottom + 34;
    const SizeRange range = size_range_of(cells);
    const LogScale x(range.low, range.high, frame.left, frame.right);
    Drawing drawing;
    std::set<std::string> algorithms;
    double top = frame.top;
    for (const ReportCell* cell : cells) {
        drawing.text({frame.left - 6, top + 18}, "class=\"ink\" text-anchor=\"end\"", place_label(cell->key));
        drawing.text({frame.left - 6, top + 32}, "class=\"ink small\" text-anchor=\"end\"", "by default");
        draw_stretches(drawing, cell->tuned, x, top + 5, 18, true);
        draw_stretches(drawing, cell->by_default, x, top + 26, 6, false);
        draw_changeover_intervals(drawing, cell->tuned, x, top + 5, 18);
        for (const std::vector<Stretch>* stretches : {&cell->tuned, &cell->by_default}) {
            for (const Stretch& stretch : *stretches) {
                algorithms.insert(stretch.algorithm);
            }
        }
        top += row_height;
    }
    draw_size_axis(drawing, x, frame, false);
    figure.attributes = "data-kind=\"changeovers\"";
    figure.body = drawing.str();
    figure.key = algorithm_key(algorithms, KeyEntry::Kind::box);
    figure.key.push_back({KeyEntry::Kind::box, "cd fill pale", "pale: left to the library"});
    return figure;
}

// ---- curves: time against size in one cell

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

SizeRange time_range_of(const ReportCell& cell) {
    SizeRange range{INFINITY, 0};
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
    return range.high > 0 ? SizeRange{range.low / 1.15, range.high * 1.15} : SizeRange{1e-6, 1e-3};
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

Figure draw_curves(const ReportData& data, const ReportCell& cell) {
    Figure figure;
    figure.title = fmt::format("{} on {}", collective_label(cell.key), place_label(cell.key));
    figure.width = 460;
    figure.height = 290;
    const Frame frame{54, 450, 20, 254};
    const SizeRange sizes = size_range_of({&cell});
    const SizeRange times = time_range_of(cell);
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

// ---- distributions

constexpr std::size_t bins = 48;

Figure draw_distribution(const Distribution& distribution, std::size_t position) {
    Figure figure;
    figure.title =
        fmt::format("{} of {} bytes on {}: {}", collective_label(distribution.cell),
                    bytes_text(distribution.bytes), place_label(distribution.cell), distribution.why);
    figure.width = 460;
    figure.height = 240;
    const Frame frame{40, 436, 20, 180};
    SizeRange range{INFINITY, 0};
    for (const Distribution::Series& series : distribution.series) {
        range.low = std::min(range.low, series.tail.min);
        range.high = std::max(range.high, series.tail.max);
    }
    const LogScale x(range.low / 1.02, range.high * 1.02, frame.left, frame.right);
    const double bin_width = (frame.right - frame.left) / static_cast<double>(bins);
    std::vector<std::vector<std::size_t>> counts;
    std::size_t most = 1;
    for (const Distribution::Series& series : distribution.series) {
        counts.emplace_back(bins, 0);
        for (const double seconds : series.sorted_seconds) {
            const auto bin = static_cast<std::size_t>((x(seconds) - frame.left) / bin_width);
            most = std::max(most, ++counts.back()[std::min(bin, bins - 1)]);
        }
    }
    Drawing drawing;
    double last_label = -INFINITY;
    for (const double tick : time_ticks(x.low(), x.high())) {
        drawing.line({x(tick), frame.top}, {x(tick), frame.bottom}, "class=\"grid\"");
        if (x(tick) > last_label + 46) {
            drawing.text({x(tick), frame.bottom + 30}, "class=\"ink\" text-anchor=\"middle\"",
                         axis_time(tick));
            last_label = x(tick);
        }
    }
    const auto height_of = [&](std::size_t count) {
        return (frame.bottom - frame.top) * static_cast<double>(count) / static_cast<double>(most);
    };
    drawing.text({frame.left - 5, frame.top + 8}, "class=\"ink\" text-anchor=\"end\"", std::to_string(most));
    drawing.text({frame.left - 5, frame.bottom}, "class=\"ink\" text-anchor=\"end\"", "0");
    for (std::size_t s = 0; s < distribution.series.size(); ++s) {
        const Distribution::Series& series = distribution.series[s];
        const std::string colour = colour_class(series.algorithm);
        drawing.open(fmt::format("data-line=\"{}\"", escaped(series.algorithm)));
        std::string bars;
        for (std::size_t i = 0; i < bins; ++i) {
            if (counts[s][i] > 0) {
                const double height = height_of(counts[s][i]);
                bars +=
                    fmt::format("M{},{}v-{}h{}v{}z", number(frame.left + static_cast<double>(i) * bin_width),
                                number(frame.bottom), number(height), number(bin_width), number(height));
            }
        }
        drawing.path(bars, "class=\"" + colour + " fill veil\"");
        const double middle = x(series.tail.median);
        drawing.line({middle, frame.top - 4}, {middle, frame.bottom}, "class=\"" + colour + " line\"");
        // far out: a tick for each below the axis
        std::string ticks;
        std::string suspects;
        const models::Summary summary = models::summarize(series.sorted_seconds);
        for (const std::size_t outlier : summary.outliers) {
            const double seconds = series.sorted_seconds[outlier];
            std::string& marks = models::is_like_time_out(seconds - series.tail.median) ? suspects : ticks;
            marks += fmt::format("M{},{}v7", number(x(seconds)), number(frame.bottom + 3));
        }
        if (!ticks.empty()) {
            drawing.path(ticks, "class=\"" + colour + " bar\"");
        }
        if (!suspects.empty()) {
            drawing.path(suspects, "class=\"outlier\"");
            drawing.text({x(series.tail.max), frame.top + 10}, "class=\"ink small\" text-anchor=\"end\"",
                         fmt::format("{} suspected time-out{}", series.tail.time_outs,
                                     series.tail.time_outs == 1 ? "" : "s"));
        }
        drawing.close();
        figure.key.push_back(
            {KeyEntry::Kind::box, colour + " fill",
             fmt::format("{}: {} repetitions, median {}, {} far out", series.algorithm,
                         series.sorted_seconds.size(), seconds_text(series.tail.median), series.outliers)});
    }
    draw_frame(drawing, frame);
    drawing.text({(frame.left + frame.right) / 2, frame.bottom + 46},
                 "class=\"ink small\" text-anchor=\"middle\"",
                 "time of a repetition; bars: how many; line: median; ticks below: far out");
    figure.attributes = fmt::format("data-kind=\"distribution\" data-distribution=\"{}\"", position);
    figure.body = drawing.str();
    return figure;
}

// ---- model: predicted against measured

Figure draw_model_fit(const NetworkModel& model) {
    Figure figure;
    figure.title = model.network + ": predicted against measured";
    figure.width = 460;
    figure.height = 400;
    const Frame frame{62, 450, 10, 362};
    SizeRange range{INFINITY, 0};
    for (const Prediction::Explained& time : model.times) {
        range.low = std::min({range.low, time.measured_seconds, time.predicted_seconds});
        range.high = std::max({range.high, time.measured_seconds, time.predicted_seconds});
    }
    const LogScale x(range.low / 1.2, range.high * 1.2, frame.left, frame.right);
    const LogScale y(range.low / 1.2, range.high * 1.2, frame.bottom, frame.top);
    Drawing drawing;
    draw_time_axis(drawing, y, frame);
    for (const double tick : time_ticks(x.low(), x.high())) {
        drawing.line({x(tick), frame.top}, {x(tick), frame.bottom}, "class=\"grid\"");
        drawing.text({x(tick), frame.bottom + 14}, "class=\"ink\" text-anchor=\"middle\"", axis_time(tick));
    }
    draw_frame(drawing, frame);
    drawing.line({x(x.low()), y(x.low())}, {x(x.high()), y(x.high())}, "class=\"axis\"");
    for (const double factor : {0.5, 2.0}) {
        const double low = std::max(x.low(), x.low() / factor);
        const double high = std::min(x.high(), x.high() / factor);
        drawing.line({x(low), y(low * factor)}, {x(high), y(high * factor)}, "class=\"change-line\"");
    }
    // Dots on a grid of two units, each once: a million times make no larger picture
    std::map<std::string, std::set<std::pair<int, int>>> dots;
    std::map<std::string, std::string> names_of_colour;  // there are more algorithms than colours
    for (const Prediction::Explained& time : model.times) {
        dots[time.algorithm].emplace(static_cast<int>(std::lround(x(time.predicted_seconds) / 2)),
                                     static_cast<int>(std::lround(y(time.measured_seconds) / 2)));
    }
    for (const auto& [algorithm, positions] : dots) {
        std::string path;
        for (const auto& [column, row] : positions) {
            path += fmt::format("M{},{}h0", 2 * column, 2 * row);
        }
        const std::string colour = colour_class(algorithm);
        drawing.open(fmt::format("data-line=\"{}\"", escaped(algorithm)));
        drawing.path(path, "class=\"" + colour + " dots\"");
        drawing.close();
        std::string& names = names_of_colour[colour];
        names += (names.empty() ? "" : ", ") + algorithm;
    }
    for (const auto& [colour, names] : names_of_colour) {
        figure.key.push_back({KeyEntry::Kind::box, colour + " fill", names});
    }
    drawing.text({(frame.left + frame.right) / 2, frame.bottom + 30},
                 "class=\"ink small\" text-anchor=\"middle\"",
                 "across: predicted, up: measured; dotted: wrong by a factor of two");
    figure.attributes = "data-kind=\"model\"";
    figure.body = drawing.str();
    return figure;
}

// Runs of neighbouring cells that belong together
template <class Same>
std::vector<CellPointers> grouped(const std::vector<ReportCell>& cells, const Same& is_same) {
    std::vector<CellPointers> groups;
    for (const ReportCell& cell : cells) {
        if (cell.sizes.empty()) {
            continue;
        }
        if (groups.empty() || !is_same(groups.back().front()->key, cell.key)) {
            groups.emplace_back();
        }
        groups.back().push_back(&cell);
    }
    return groups;
}

std::string collective_name(const CellKey& key) {
    return slug(key.operation.empty() || key.operation == "sum" ? key.collective
                                                                : key.collective + "-" + key.operation);
}

std::string place_name(const CellKey& key) {
    return slug(key.network) + "-" + slug(to_string(key.layout));
}

constexpr double margin = 10;
constexpr double title_height = 26;
constexpr double key_row = 18;

// Rows of the key, from left to right as far as they fit
double draw_key(Drawing& drawing, const std::vector<KeyEntry>& key, double width, double top) {
    double x = margin;
    double y = top + key_row / 2;
    for (const KeyEntry& entry : key) {
        const double entry_width = 34 + text_width(entry.label, font_size);
        if (x > margin && x + entry_width > width - margin) {
            x = margin;
            y += key_row;
        }
        switch (entry.kind) {
            case KeyEntry::Kind::line:
                drawing.path(polyline({{x, y}, {x + 9, y}, {x + 18, y}}),
                             "class=\"" + entry.classes + " line\"");
                break;
            case KeyEntry::Kind::thin_line:
                drawing.line({x, y}, {x + 18, y}, "class=\"change-line\"");
                break;
            case KeyEntry::Kind::box:
                drawing.rect({x + 2, y - 5}, 14, 10,
                             "class=\"" + entry.classes + (entry.classes[0] == 'c' ? " fill\"" : "\""));
                break;
        }
        drawing.text({x + 22, y + 4}, "class=\"ink\"", entry.label);
        x += entry_width;
    }
    return y + key_row - top;
}

}  // namespace

std::vector<NamedFigure> figures_of(const ReportData& data) {
    std::vector<NamedFigure> figures;
    const auto position = [&](const ReportCell* cell) {
        return static_cast<std::size_t>(cell - data.cells.data());
    };
    for (const CellPointers& cells : grouped(data.cells, is_same_collective)) {
        figures.push_back({"changeovers-" + collective_name(cells[0]->key), FigureKind::changeovers,
                           position(cells[0]), [cells] { return draw_changeovers(cells); }});
    }
    const auto is_same_map = [](const CellKey& a, const CellKey& b) {
        return is_same_collective(a, b) && a.network == b.network;
    };
    for (const CellPointers& cells : grouped(data.cells, is_same_map)) {
        figures.push_back({"gains-" + collective_name(cells[0]->key) + "-" + slug(cells[0]->key.network),
                           FigureKind::gains, position(cells[0]),
                           [&data, cells] { return draw_gains(data, cells); }});
    }
    for (const ReportCell& cell : data.cells) {
        if (!cell.sizes.empty()) {
            figures.push_back({"curves-" + collective_name(cell.key) + "-" + place_name(cell.key),
                               FigureKind::curves, position(&cell),
                               [&data, &cell] { return draw_curves(data, cell); }});
        }
    }
    for (std::size_t i = 0; i < data.distributions.size(); ++i) {
        figures.push_back({fmt::format("distribution-{}", i + 1), FigureKind::distribution, i,
                           [&data, i] { return draw_distribution(data.distributions[i], i); }});
    }
    for (std::size_t i = 0; i < data.models.size(); ++i) {
        if (!data.models[i].times.empty()) {
            figures.push_back({"model-" + slug(data.models[i].network), FigureKind::model, i,
                               [&data, i] { return draw_model_fit(data.models[i]); }});
        }
    }
    std::map<std::string, int> uses;
    for (NamedFigure& figure : figures) {
        if (const int use = ++uses[figure.name]; use > 1) {
            figure.name += fmt::format("-{}", use);
        }
    }
    return figures;
}

std::string svg_for_page(const Figure& figure) {
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" {}>{}</svg>",
                       number(figure.width), number(figure.height), escaped(figure.title), figure.attributes,
                       figure.body);
}

std::string svg_file(const Figure& figure) {
    Drawing key;
    const double key_top = title_height + figure.height;
    const double key_height = figure.key.empty() ? 0 : draw_key(key, figure.key, figure.width, key_top);
    const double height = key_top + key_height + margin;
    Drawing title;
    title.text({margin, 18}, "class=\"ink title\"", figure.title);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">"
        "<title>{2}</title><style>{3}</style>{4}<rect class=\"ground\" width=\"{0}\" height=\"{1}\"/>{5}"
        "<g transform=\"translate(0,{6})\">{7}</g>{8}</svg>\n",
        number(figure.width), number(height), escaped(figure.title), figure_style_light(),
        marker_definitions(), title.str(), number(title_height), figure.body, key.str());
}

}  // namespace tuner::report
