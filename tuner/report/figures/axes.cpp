// SPDX-License-Identifier: MIT
#include "axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "palette.hpp"
#include "units.hpp"

namespace tuner::report {

std::string place_label(const CellKey& key) {
    return key.network + " " + to_string(key.layout);
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
        drawing.text({frame.left - 5, y(tick) + 4}, "class=\"ink\" text-anchor=\"end\"", seconds_text(tick));
    }
}

void draw_frame(Drawing& drawing, const Frame& frame) {
    drawing.path(fmt::format("M{},{}V{}H{}", number(frame.left), number(frame.top), number(frame.bottom),
                             number(frame.right)),
                 "class=\"axis\"");
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

std::vector<KeyEntry> algorithm_key(const std::set<std::string>& algorithms, KeyEntry::Kind kind) {
    std::vector<KeyEntry> key;
    for (const std::string& algorithm : algorithms) {
        if (!algorithm.empty()) {
            key.push_back({kind, colour_class(algorithm), algorithm});
        }
    }
    return key;
}

Range size_range_of(const CellPointers& cells) {
    Range range{INFINITY, 0};
    for (const ReportCell* cell : cells) {
        if (!cell->sizes.empty()) {
            range.low = std::min(range.low, static_cast<double>(cell->sizes.front().bytes));
            range.high = std::max(range.high, static_cast<double>(cell->sizes.back().bytes));
        }
    }
    return range.high > 0 ? range : Range{1, 2};
}

bool is_tuned_changeover(const Stretch& before, const Stretch& after) {
    return before.algorithm != after.algorithm && (before.by_rule || after.by_rule);
}

}  // namespace tuner::report
