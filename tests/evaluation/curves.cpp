// SPDX-License-Identifier: MIT
#include "curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axes.hpp"
#include "statistics.hpp"
#include "student.hpp"

namespace evaluation {

namespace {

using namespace tuner::report;

constexpr double step_of_curve = 1.1;
constexpr double least_loss = 5e-4;  // of the axis
constexpr double decades_shown = 500;

Range seconds_of(const std::vector<Played>& played) {
    Range range;
    for (const Played& one : played) {
        for (const std::vector<Score>& game : one.games) {
            range.include(game.front().seconds);
            range.include(game.back().seconds);
        }
    }
    return range;
}

}  // namespace

Estimate estimate_of(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    if (values.size() < 2) {
        return {models::mean(values), 0};
    }
    return {models::mean(values),
            models::student_quantile(0.025, n - 1) * models::standard_deviation(values) / std::sqrt(n)};
}

Estimate Played::end(double Score::*value) const {
    std::vector<double> values;
    for (const std::vector<Score>& game : games) {
        values.push_back(game.back().*value);
    }
    return estimate_of(values);
}

double Played::loss_at(double seconds, double before) const {
    double sum = 0;
    for (const std::vector<Score>& game : games) {
        const auto after = std::find_if(game.begin(), game.end(),
                                        [&](const Score& score) { return score.seconds > seconds; });
        sum += after == game.begin() ? before : std::prev(after)->mean_loss;
    }
    return sum / static_cast<double>(games.size());
}

double Played::seconds_to(double loss) const {
    const double end = seconds_of({*this}).high;
    double found = 0;
    for (double seconds = end; loss_at(seconds, INFINITY) <= loss; seconds /= 1.02) {
        found = seconds;
    }
    return found;
}

std::string drawn(const std::string& title, const std::vector<Played>& played, double loss_of_default) {
    Plot plot("Loss against the best algorithms, by seconds of benchmarks: " + title, 640, 330,
              {60, 620, 12, 284});
    Range seconds = seconds_of(played);
    seconds.low = std::max(seconds.low, seconds.high / decades_shown);  // before, nobody knows anything
    const LogScale x(seconds.low, seconds.high, plot.frame.left, plot.frame.right);
    const LogScale y(least_loss, 1.2 * loss_of_default, plot.frame.bottom, plot.frame.top);
    draw_time_axis_across(plot, x);
    std::vector<double> ticks = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
    std::erase_if(ticks, [&](double loss) { return loss > y.high(); });
    draw_ticks_up(plot, ticks, y, [](double loss) { return fmt::format("{:.3g}%", 100 * loss); });
    plot.draw_frame();
    for (std::size_t i = 0; i < played.size(); ++i) {
        const std::string colour = fmt::format("c{}", i % line_colours);
        std::vector<Point> points;
        double longest = 0;
        for (const std::vector<Score>& game : played[i].games) {
            longest = std::max(longest, game.back().seconds);
        }
        for (double t = seconds.low; t < step_of_curve * longest; t *= step_of_curve) {
            points.push_back({x(std::min(t, longest)), y(std::clamp(played[i].loss_at(t, loss_of_default),
                                                                    least_loss, 1.2 * loss_of_default))});
        }
        plot.drawing.path(polyline(points), fmt::format("class=\"{} line\"{}", colour,
                                                        i < line_colours ? "" : " stroke-dasharray=\"4 3\""));
        plot.add_key(KeyEntry::Kind::line, colour, played[i].method + (i < line_colours ? "" : " (dashed)"));
    }
    plot.draw_caption(40, "seconds of benchmarks");
    return svg_file(plot.finish(""));
}

}  // namespace evaluation
