// SPDX-License-Identifier: MIT
// What the figures share: frames, axes of sizes and times, names that fit, keys.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "figures.hpp"
#include "svg.hpp"

namespace tuner::report {

inline constexpr double font_size = 11;

struct Frame {
    double left;
    double right;
    double top;
    double bottom;
};

// Of sizes or times
struct Range {
    double low;
    double high;
};

void draw_size_axis(Drawing& drawing, const LogScale& x, const Frame& frame, bool has_grid);
void draw_time_axis(Drawing& drawing, const LogScale& y, const Frame& frame);
void draw_frame(Drawing& drawing, const Frame& frame);

// As it fits: the whole name, the first letters of its words, or nothing
std::string fitting_name(const std::string& name, double width);

std::string place_label(const CellKey& key);

std::vector<KeyEntry> algorithm_key(const std::set<std::string>& algorithms, KeyEntry::Kind kind);

// All sizes of the cells
Range size_range_of(const CellPointers& cells);

// Not one that the library has anyway
bool is_tuned_changeover(const Stretch& before, const Stretch& after);

}  // namespace tuner::report
