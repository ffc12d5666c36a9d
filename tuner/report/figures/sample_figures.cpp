// SPDX-License-Identifier: MIT
// Distributions of repetitions, and when each rank finished.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axes.hpp"
#include "histogram.hpp"
#include "palette.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

std::string title_of(const Distribution& distribution, std::string_view what) {
    return fmt::format("{} of {} bytes on {}: {}", collective_label(distribution.cell),
                       bytes_text(distribution.bytes), place_label(distribution.cell), what);
}

// Below the marks of outliers; labels that would touch the one before are left out
void draw_sample_axis(Plot& plot, const LogScale& x) {
    constexpr double label_room = 46;
    const Frame& frame = plot.frame;
    double last_label = -INFINITY;
    for (const double tick : time_ticks(x.low(), x.high())) {
        plot.drawing.line({x(tick), frame.top}, {x(tick), frame.bottom}, "class=\"grid\"");
        if (x(tick) > last_label + label_room) {
            plot.drawing.label({x(tick), frame.bottom + 30}, Anchor::middle, "ink", seconds_text(tick));
            last_label = x(tick);
        }
    }
}

// A mark below the axis for each outlier
void draw_outliers(Plot& plot, const Distribution::Series& series, const LogScale& x,
                   const std::string& colour) {
    std::string ticks;
    std::string suspects;
    for (const std::size_t outlier : models::summarize(series.sorted_seconds).outliers) {
        const double seconds = series.sorted_seconds[outlier];
        std::string& marks = models::is_like_time_out(seconds - series.tail.median) ? suspects : ticks;
        marks += fmt::format("M{},{}v7", number(x(seconds)), number(plot.frame.bottom + 3));
    }
    if (!ticks.empty()) {
        plot.drawing.path(ticks, "class=\"" + colour + " bar\"");
    }
    if (!suspects.empty()) {
        plot.drawing.path(suspects, "class=\"outlier\"");
        plot.drawing.label({x(series.tail.max), plot.frame.top + 10}, Anchor::end, "ink small",
                           fmt::format("{} suspected time-out{}", series.tail.time_outs,
                                       series.tail.time_outs == 1 ? "" : "s"));
    }
}

void draw_series(Plot& plot, const Distribution::Series& series, const Histogram& histogram,
                 std::size_t highest, const LogScale& x) {
    const std::string colour = colour_class(series.algorithm);
    plot.drawing.open_line(series.algorithm);
    plot.drawing.path(histogram.bars(highest), "class=\"" + colour + " fill veil\"");
    const double median = x(series.tail.median);
    plot.drawing.line({median, plot.frame.top - 4}, {median, plot.frame.bottom},
                      "class=\"" + colour + " line\"");
    draw_outliers(plot, series, x, colour);
    plot.drawing.close();
    plot.add_key(KeyEntry::Kind::box, colour + " fill",
                 fmt::format("{}: {} repetitions, median {}, {} outlier{}", series.algorithm,
                             series.sorted_seconds.size(), seconds_text(series.tail.median), series.outliers,
                             series.outliers == 1 ? "" : "s"));
}

}  // namespace

Figure draw_distribution(const Distribution& distribution, std::size_t position) {
    Plot plot(title_of(distribution, distribution.why), 460, 240, {40, 436, 20, 180});
    const Frame& frame = plot.frame;
    Range range;
    for (const Distribution::Series& series : distribution.series) {
        range.include(series.tail.min);
        range.include(series.tail.max);
    }
    const LogScale x(range.low / 1.02, range.high * 1.02, frame.left, frame.right);
    std::vector<Histogram> histograms;
    for (const Distribution::Series& series : distribution.series) {
        Histogram& histogram = histograms.emplace_back(frame);
        for (const double seconds : series.sorted_seconds) {
            histogram.add(x(seconds));
        }
    }
    const std::size_t highest = most_of(histograms);
    draw_sample_axis(plot, x);
    plot.drawing.label({frame.left - 5, frame.top + 8}, Anchor::end, "ink", std::to_string(highest));
    plot.drawing.label({frame.left - 5, frame.bottom}, Anchor::end, "ink", "0");
    for (std::size_t i = 0; i < histograms.size(); ++i) {
        draw_series(plot, distribution.series[i], histograms[i], highest, x);
    }
    plot.draw_frame();
    plot.draw_caption(46,
                      "time of a repetition; bars: count; line: median; "
                      "marks below the axis: outliers");
    return plot.finish(fmt::format("data-kind=\"distribution\" data-distribution=\"{}\"", position));
}

Figure draw_finishes(const Distribution& distribution) {
    Plot plot(title_of(distribution, "when each rank finishes"), 460, 240, {62, 436, 20, 180});
    const Frame& frame = plot.frame;
    Range times;
    std::size_t ranks = 1;
    for (const Distribution::Series& series : distribution.series) {
        for (const double seconds : series.finish_of_rank) {
            times.include(seconds);
        }
        ranks = std::max(ranks, series.finish_of_rank.size());
    }
    const LogScale y(times.low / 1.2, times.high * 1.2, frame.bottom, frame.top);
    const auto x = [&](std::size_t rank) {
        return frame.left + (static_cast<double>(rank) + 0.5) * frame.width() / static_cast<double>(ranks);
    };
    draw_time_axis_up(plot, y);
    plot.draw_frame();
    constexpr std::size_t most_labels = 16;
    for (std::size_t rank = 0; rank < ranks; rank += (ranks + most_labels - 1) / most_labels) {
        plot.drawing.label({x(rank), frame.bottom + 14}, Anchor::middle, "ink", std::to_string(rank));
    }
    for (const Distribution::Series& series : distribution.series) {
        std::vector<Point> points;
        for (std::size_t rank = 0; rank < series.finish_of_rank.size(); ++rank) {
            points.push_back({x(rank), y(series.finish_of_rank[rank])});
        }
        if (!points.empty()) {
            const std::string colour = colour_class(series.algorithm);
            plot.drawing.open_line(series.algorithm);
            plot.drawing.path(polyline(points), "class=\"" + colour + " line\"");
            plot.drawing.close();
            plot.add_key(KeyEntry::Kind::line, colour, series.algorithm);
        }
    }
    plot.draw_caption(30, "rank; median time from the common start to its finish");
    return plot.finish("data-kind=\"finishes\"");
}

}  // namespace tuner::report
