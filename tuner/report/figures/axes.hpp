// SPDX-License-Identifier: MIT
// What the figures share: plots with a frame, axes of sizes, times and other values, names that fit, keys.
#pragma once

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "figures.hpp"
#include "svg.hpp"

namespace tuner::report {

inline constexpr double font_size = 11;
inline constexpr std::size_t line_colours = 7;  // c0 to c6 of the palette

struct Frame {
    double left;
    double right;
    double top;
    double bottom;

    double width() const { return right - left; }
    double height() const { return bottom - top; }
    double middle() const { return (left + right) / 2; }
};

// Of sizes or times
struct Range {
    double low = INFINITY;
    double high = 0;

    void include(double value);
};

// A figure while it is drawn
struct Plot {
    Figure figure;
    Frame frame;
    Drawing drawing = {};

    Plot(std::string title, double width, double height, const Frame& frame_inside);

    void add_key(KeyEntry::Kind kind, std::string classes, std::string label);
    void draw_frame();  // the lines on the left and at the bottom
    void draw_caption(double below,
                      std::string_view text);  // in the middle, so far below the frame
    Figure finish(std::string attributes);
};

using Position = std::function<double(double)>;  // of a value, on an axis
using LabelOf = std::function<std::string(double)>;

void draw_size_axis(Plot& plot, const LogScale& x, bool has_grid);
// A line of the grid and a label at each tick, from left to right or from the bottom to the top
void draw_ticks_across(Plot& plot, const std::vector<double>& ticks, const Position& x, const LabelOf& label);
void draw_ticks_up(Plot& plot, const std::vector<double>& ticks, const Position& y, const LabelOf& label);
void draw_time_axis_across(Plot& plot, const LogScale& x);
void draw_time_axis_up(Plot& plot, const LogScale& y);

// How the lines of a figure without colours of their own are told apart
const char* dash_of(std::size_t line);
const char* dash_name_of(std::size_t line);  // for the key: " (dashed)", or nothing

// As it fits: the whole name, the first letters of its words, or nothing
std::string fitting_name(const std::string& name, double width);

std::string place_label(const CellKey& key);

std::vector<KeyEntry> algorithm_key(const std::set<std::string>& algorithms, KeyEntry::Kind kind);

// The box or the dot of an entry, 14 x 10
void draw_key_box(Drawing& drawing, Point corner, KeyEntry::Kind kind, std::string_view classes);
// Round marks that are seen on every colour
void draw_dots(Drawing& drawing, const std::vector<Point>& middles);

// All sizes of the cells
Range size_range_of(const CellPointers& cells);

// Not one that the library has anyway
bool is_tuned_changeover(const Stretch& before, const Stretch& after);

}  // namespace tuner::report
