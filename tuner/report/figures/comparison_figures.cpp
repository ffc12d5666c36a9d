// SPDX-License-Identifier: MIT
// The ratio of two networks' times against message size: a line for each layout.
#include <fmt/format.h>

#include <algorithm>

#include "axes.hpp"

namespace tuner::report {

namespace {

struct Ranges {
    Range sizes;
    Range ratios = {1 / 1.3, 1.3};
};

// Sizes that both sides have, with a place on a logarithmic axis
std::vector<const ComparedSize*> drawn_sizes(const ComparedCell& cell) {
    std::vector<const ComparedSize*> drawn;
    for (const ComparedSize& size : cell.sizes) {
        if (size.choices[best_choice].ratio && size.bytes > 0) {
            drawn.push_back(&size);
        }
    }
    return drawn;
}

Ranges ranges_of(const ComparedPointers& cells) {
    Ranges ranges;
    for (const ComparedCell* cell : cells) {
        for (const ComparedSize* size : drawn_sizes(*cell)) {
            const double ratio = size->choices[best_choice].ratio->ratio;
            ranges.sizes.include(static_cast<double>(size->bytes));
            ranges.ratios.include(ratio / 1.1);
            ranges.ratios.include(ratio * 1.1);
        }
    }
    return ranges;
}

struct EndLabel {
    double y;
    std::string text;
};

// Beside the ends of their lines, or as near as they fit
void draw_end_labels(Plot& plot, std::vector<EndLabel> labels) {
    constexpr double label_height = 12;
    std::stable_sort(labels.begin(), labels.end(),
                     [](const EndLabel& a, const EndLabel& b) { return a.y < b.y; });
    double lowest = plot.frame.bottom + label_height;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        lowest = label->y = std::min(label->y, lowest - label_height);
    }
    for (const EndLabel& label : labels) {
        plot.drawing.label({plot.frame.right + 4, label.y}, Anchor::start, "ink small", label.text);
    }
}

// Adds the label of the line, if there is one
void draw_layout(Plot& plot, const ComparedCell& cell, const LogScale& x, const LogScale& y,
                 std::vector<EndLabel>& labels) {
    const auto clamped = [&](double ratio) { return number(y(std::clamp(ratio, y.low(), y.high()))); };
    std::vector<Point> points;
    std::string bars;
    std::string wins;
    for (const ComparedSize* size : drawn_sizes(cell)) {
        const ComparedChoice& choice = size->choices[best_choice];
        const Point at{x(static_cast<double>(size->bytes)), y(choice.ratio->ratio)};
        points.push_back(at);
        bars += fmt::format("M{},{}V{}", number(at.x), clamped(choice.ratio->interval.low),
                            clamped(choice.ratio->interval.high));
        if (choice.winner != Winner::neither) {
            wins += fmt::format("M{},{}h0", number(at.x), number(at.y));
        }
    }
    if (points.empty()) {
        return;
    }
    plot.drawing.open_line(to_string(cell.key.layout));
    plot.drawing.path(bars, "class=\"cd bar\"");
    plot.drawing.path(polyline(points),
                      fmt::format("class=\"plain\" stroke-dasharray=\"{}\"", dash_of(labels.size())));
    plot.drawing.path(wins, "class=\"cd dots\"");
    plot.drawing.close();
    labels.push_back({points.back().y + 4, to_string(cell.key.layout)});
}

}  // namespace

Figure draw_comparison(const Comparison& comparison, const ComparedPointers& cells) {
    const std::string a = side_label(comparison.a, comparison.b);
    const std::string b = side_label(comparison.b, comparison.a);
    Plot plot(fmt::format("{}: {} / {}", collective_label(cells[0]->key), b, a), 460, 270,
              {54, 400, 20, 234});
    const Frame& frame = plot.frame;
    const Ranges ranges = ranges_of(cells);
    const LogScale x(ranges.sizes.high > 0 ? ranges.sizes.low : 1, ranges.sizes.high, frame.left + 8,
                     frame.right - 8);
    const LogScale y(ranges.ratios.low, ranges.ratios.high, frame.bottom, frame.top);
    draw_size_axis(plot, x, true);
    draw_ticks_up(plot, time_ticks(y.low(), y.high()), y,
                  [](double tick) { return fmt::format("{:.3g}", tick); });
    plot.draw_frame();
    plot.drawing.line({frame.left, y(1)}, {frame.right, y(1)}, "class=\"axis\"");
    plot.drawing.label({frame.left + 6, frame.top - 6}, Anchor::start, "ink small",
                       "above 1: " + a + " is faster");
    plot.drawing.label({frame.left + 6, frame.bottom - 5}, Anchor::start, "halo small",
                       "below 1: " + b + " is faster");
    std::vector<EndLabel> labels;
    for (const ComparedCell* cell : cells) {
        draw_layout(plot, *cell, x, y, labels);
    }
    draw_end_labels(plot, std::move(labels));
    return plot.finish("data-kind=\"comparison\"");
}

}  // namespace tuner::report
