// SPDX-License-Identifier: MIT
// What the model predicts against what was measured: a dot for each time, a colour for each algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "axes.hpp"
#include "palette.hpp"

namespace tuner::report {

namespace {

// Equal times, and where the model is wrong by a factor of two
void draw_diagonals(Plot& plot, const LogScale& x, const LogScale& y) {
    plot.drawing.line({x(x.low()), y(x.low())}, {x(x.high()), y(x.high())}, "class=\"axis\"");
    for (const double factor : {0.5, 2.0}) {
        const double low = std::max(x.low(), x.low() / factor);
        const double high = std::min(x.high(), x.high() / factor);
        plot.drawing.line({x(low), y(low * factor)}, {x(high), y(high * factor)}, "class=\"change-line\"");
    }
}

// On a grid of two units, each dot once: a million times make no larger picture
using Dots = std::map<std::string, std::set<std::pair<int, int>>>;  // by algorithm

Dots dots_of(const NetworkModel& model, const LogScale& x, const LogScale& y) {
    Dots dots;
    for (const Prediction::Explained& time : model.times) {
        dots[time.algorithm].emplace(static_cast<int>(std::lround(x(time.predicted_seconds) / 2)),
                                     static_cast<int>(std::lround(y(time.measured_seconds) / 2)));
    }
    return dots;
}

void draw_dots(Plot& plot, const Dots& dots) {
    std::map<std::string, std::string> names_of_colour;  // there are more algorithms than colours
    for (const auto& [algorithm, positions] : dots) {
        std::string path;
        for (const auto& [column, row] : positions) {
            path += fmt::format("M{},{}h0", 2 * column, 2 * row);
        }
        const std::string colour = colour_class(algorithm);
        plot.drawing.open_line(algorithm);
        plot.drawing.path(path, "class=\"" + colour + " dots\"");
        plot.drawing.close();
        std::string& names = names_of_colour[colour];
        names += (names.empty() ? "" : ", ") + algorithm;
    }
    for (const auto& [colour, names] : names_of_colour) {
        plot.add_key(KeyEntry::Kind::box, colour + " fill", names);
    }
}

}  // namespace

Figure draw_model_fit(const NetworkModel& model) {
    Plot plot(model.network + ": predicted against measured", 460, 400, {62, 450, 10, 362});
    Range range;
    for (const Prediction::Explained& time : model.times) {
        range.include(time.measured_seconds);
        range.include(time.predicted_seconds);
    }
    const LogScale x(range.low / 1.2, range.high * 1.2, plot.frame.left, plot.frame.right);
    const LogScale y(range.low / 1.2, range.high * 1.2, plot.frame.bottom, plot.frame.top);
    draw_time_axis_up(plot, y);
    draw_time_axis_across(plot, x);
    plot.draw_frame();
    draw_diagonals(plot, x, y);
    draw_dots(plot, dots_of(model, x, y));
    plot.draw_caption(30,
                      "horizontal: predicted, vertical: measured; dotted: "
                      "wrong by a factor of two");
    return plot.finish("data-kind=\"model\"");
}

}  // namespace tuner::report
