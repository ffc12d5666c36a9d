// SPDX-License-Identifier: MIT
#include "axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "palette.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

struct Dash {
    const char* pattern;
    const char* name;
};
constexpr std::array<Dash, 4> dashes = {
    {{"none", ""}, {"7 3", " (dashed)"}, {"2 3", " (dotted)"}, {"9 3 2 3", " (dash-dotted)"}}};

}  // namespace

void Range::include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
}

Plot::Plot(std::string title, double width, double height, const Frame& frame_inside) : frame(frame_inside) {
    figure.title = std::move(title);
    figure.width = width;
    figure.height = height;
}

void Plot::add_key(KeyEntry::Kind kind, std::string classes, std::string label) {
    figure.key.push_back({kind, std::move(classes), std::move(label)});
}

void Plot::draw_frame() {
    drawing.path(fmt::format("M{},{}V{}H{}", number(frame.left), number(frame.top), number(frame.bottom),
                             number(frame.right)),
                 "class=\"axis\"");
}

void Plot::draw_caption(double below, std::string_view text) {
    drawing.label({frame.middle(), frame.bottom + below}, Anchor::middle, "ink small", text);
}

Figure Plot::finish(std::string attributes) {
    figure.attributes = std::move(attributes);
    figure.body = drawing.str();
    return std::move(figure);
}

void draw_size_axis(Plot& plot, const LogScale& x, bool has_grid) {
    const Frame& frame = plot.frame;
    for (const double tick : byte_ticks(x.low(), x.high(), 8)) {
        if (has_grid) {
            plot.drawing.line({x(tick), frame.top}, {x(tick), frame.bottom}, "class=\"grid\"");
        }
        plot.drawing.label({x(tick), frame.bottom + 14}, Anchor::middle, "ink", size_label(tick));
    }
    plot.draw_caption(28, "message size, bytes");
}

void draw_ticks_across(Plot& plot, const std::vector<double>& ticks, const Position& x,
                       const LabelOf& label) {
    for (const double tick : ticks) {
        plot.drawing.line({x(tick), plot.frame.top}, {x(tick), plot.frame.bottom}, "class=\"grid\"");
        plot.drawing.label({x(tick), plot.frame.bottom + 14}, Anchor::middle, "ink", label(tick));
    }
}

void draw_ticks_up(Plot& plot, const std::vector<double>& ticks, const Position& y, const LabelOf& label) {
    for (const double tick : ticks) {
        plot.drawing.line({plot.frame.left, y(tick)}, {plot.frame.right, y(tick)}, "class=\"grid\"");
        plot.drawing.label({plot.frame.left - 5, y(tick) + 4}, Anchor::end, "ink", label(tick));
    }
}

void draw_time_axis_across(Plot& plot, const LogScale& x) {
    draw_ticks_across(plot, time_ticks(x.low(), x.high()), x, seconds_text);
}

void draw_time_axis_up(Plot& plot, const LogScale& y) {
    draw_ticks_up(plot, time_ticks(y.low(), y.high()), y, seconds_text);
}

const char* dash_of(std::size_t line) {
    return dashes[line % dashes.size()].pattern;
}

const char* dash_name_of(std::size_t line) {
    return dashes[line % dashes.size()].name;
}

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

std::string place_label(const CellKey& key) {
    return key.network + " " + to_string(key.layout);
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

void draw_key_box(Drawing& drawing, Point corner, KeyEntry::Kind kind, std::string_view classes) {
    constexpr double width = 14;
    constexpr double height = 10;
    if (kind == KeyEntry::Kind::dot) {
        draw_dots(drawing, {{corner.x + width / 2, corner.y + height / 2}});
        return;
    }
    drawing.rect(corner, width, height,
                 fmt::format("class=\"{}{}\"", classes, classes[0] == 'c' ? " fill" : ""));
    if (kind == KeyEntry::Kind::hatched_box) {
        drawing.rect(corner, width, height, "class=\"hatch\"");
    }
}

void draw_dots(Drawing& drawing, const std::vector<Point>& middles) {
    std::string data;
    for (const Point& middle : middles) {
        data += fmt::format("M{},{}h0", number(middle.x), number(middle.y));
    }
    drawing.path(data, "class=\"dot-edge\"");
    drawing.path(data, "class=\"dot\"");
}

Range size_range_of(const CellPointers& cells) {
    Range range;
    for (const ReportCell* cell : cells) {
        if (!cell->sizes.empty()) {
            range.include(static_cast<double>(cell->sizes.front().bytes));
            range.include(static_cast<double>(cell->sizes.back().bytes));
        }
    }
    return range.high > 0 ? range : Range{1, 2};
}

bool is_tuned_changeover(const Stretch& before, const Stretch& after) {
    return before.algorithm != after.algorithm && (before.by_rule || after.by_rule);
}

}  // namespace tuner::report
