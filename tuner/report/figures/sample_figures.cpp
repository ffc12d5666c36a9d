// SPDX-License-Identifier: MIT
// Distributions of repetitions, and when each rank finished; what the model predicts against what was
// measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "axes.hpp"
#include "palette.hpp"
#include "units.hpp"

namespace tuner::report {

constexpr std::size_t bins = 48;

Figure draw_distribution(const Distribution& distribution, std::size_t position) {
    Figure figure;
    figure.title =
        fmt::format("{} of {} bytes on {}: {}", collective_label(distribution.cell),
                    bytes_text(distribution.bytes), place_label(distribution.cell), distribution.why);
    figure.width = 460;
    figure.height = 240;
    const Frame frame{40, 436, 20, 180};
    Range range{INFINITY, 0};
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
                         seconds_text(tick));
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

Figure draw_finishes(const Distribution& distribution) {
    Figure figure;
    figure.title =
        fmt::format("{} of {} bytes on {}: when each rank finishes", collective_label(distribution.cell),
                    bytes_text(distribution.bytes), place_label(distribution.cell));
    figure.width = 460;
    figure.height = 240;
    const Frame frame{62, 436, 20, 180};
    Range times{INFINITY, 0};
    std::size_t ranks = 1;
    for (const Distribution::Series& series : distribution.series) {
        for (const double seconds : series.finish_of_rank) {
            times = {std::min(times.low, seconds), std::max(times.high, seconds)};
        }
        ranks = std::max(ranks, series.finish_of_rank.size());
    }
    const LogScale y(times.low / 1.2, times.high * 1.2, frame.bottom, frame.top);
    const double rank_width = (frame.right - frame.left) / static_cast<double>(ranks);
    const auto x = [&](std::size_t rank) {
        return frame.left + (static_cast<double>(rank) + 0.5) * rank_width;
    };
    Drawing drawing;
    draw_time_axis(drawing, y, frame);
    draw_frame(drawing, frame);
    const std::size_t step = (ranks + 15) / 16;  // of the labels
    for (std::size_t rank = 0; rank < ranks; rank += step) {
        drawing.text({x(rank), frame.bottom + 14}, "class=\"ink\" text-anchor=\"middle\"",
                     std::to_string(rank));
    }
    for (const Distribution::Series& series : distribution.series) {
        std::vector<Point> points;
        for (std::size_t rank = 0; rank < series.finish_of_rank.size(); ++rank) {
            points.push_back({x(rank), y(series.finish_of_rank[rank])});
        }
        if (!points.empty()) {
            const std::string colour = colour_class(series.algorithm);
            drawing.open(fmt::format("data-line=\"{}\"", escaped(series.algorithm)));
            drawing.path(polyline(points), "class=\"" + colour + " line\"");
            drawing.close();
            figure.key.push_back({KeyEntry::Kind::line, colour, series.algorithm});
        }
    }
    drawing.text({(frame.left + frame.right) / 2, frame.bottom + 30},
                 "class=\"ink small\" text-anchor=\"middle\"",
                 "rank; median time from the common start to its finish");
    figure.attributes = "data-kind=\"finishes\"";
    figure.body = drawing.str();
    return figure;
}

Figure draw_model_fit(const NetworkModel& model) {
    Figure figure;
    figure.title = model.network + ": predicted against measured";
    figure.width = 460;
    figure.height = 400;
    const Frame frame{62, 450, 10, 362};
    Range range{INFINITY, 0};
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
        drawing.text({x(tick), frame.bottom + 14}, "class=\"ink\" text-anchor=\"middle\"",
                     seconds_text(tick));
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

}  // namespace tuner::report
