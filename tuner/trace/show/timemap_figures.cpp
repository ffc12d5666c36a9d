// SPDX-License-Identifier: MIT
// When ranks are done with each stage of a call.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "classes.hpp"
#include "number_text.hpp"
#include "palette.hpp"
#include "time_scale.hpp"
#include "trace_figures.hpp"

namespace tuner::trace {

namespace {

using namespace report;

constexpr std::size_t most_lines = 12;

struct TimemapLine {
    std::string label;
    std::string colour;
    std::vector<double> stage_seconds;  // with the rest at the end

    double total() const { return std::accumulate(stage_seconds.begin(), stage_seconds.end(), 0.0); }
};

// For hovering: when each stage is done
std::string hover_lines(const std::vector<TimemapLine>& lines) {
    Json all = Json::array();
    for (const TimemapLine& line : lines) {
        Json ends = Json::array();
        double at = 0;
        for (const double seconds : line.stage_seconds) {
            at += seconds;
            ends.push_back(std::round(1e9 * at) / 1e3);
        }
        all.push_back({{"label", line.label}, {"ends", ends}});
    }
    return report::escaped(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string longest_stage_text(const TimemapLine& line) {
    const auto& times = line.stage_seconds;
    const auto longest = std::max_element(times.begin(), times.end());
    const auto position = static_cast<std::size_t>(longest - times.begin());
    return fmt::format("{} ({} of {})",
                       position + 1 == times.size() ? "the time after the last message"
                                                    : fmt::format("stage {}", position + 1),
                       percent_text(line.total() > 0 ? *longest / line.total() : 0), time_text(line.total()));
}

// Where a stage is done, from the top to the bottom
double stage_y(const Frame& frame, std::size_t stage, std::size_t stages) {
    return frame.top + frame.height() * static_cast<double>(stage) / static_cast<double>(stages);
}

void draw_line(Plot& plot, const TimemapLine& line, const TimeScale& x) {
    const std::vector<double>& times = line.stage_seconds;
    std::vector<Point> points = {{x(0), plot.frame.top}};
    double at = 0;
    for (std::size_t stage = 0; stage < times.size(); ++stage) {
        at += times[stage];
        points.push_back({x(at), stage_y(plot.frame, stage + 1, times.size())});
    }
    plot.drawing.path(polyline(points), "class=\"" + line.colour + " line\"");
    plot.add_key(KeyEntry::Kind::line, line.colour, line.label);
}

// Numbers of stages, if all lines have the same
void draw_stages(Plot& plot, const std::vector<TimemapLine>& lines) {
    const Frame& frame = plot.frame;
    const std::size_t stages = lines.empty() ? 0 : lines.front().stage_seconds.size();
    const bool is_common = std::all_of(lines.begin(), lines.end(), [&](const TimemapLine& line) {
        return line.stage_seconds.size() == stages;
    });
    const std::size_t step = std::max<std::size_t>(1, (stages + 15) / 16);
    for (std::size_t stage = step; is_common && stage < stages; stage += step) {
        const double y = stage_y(frame, stage, stages);
        plot.drawing.line({frame.left, y}, {frame.right, y}, "class=\"grid\"");
        // the label of the exit is near
        if (y < frame.bottom - 16) {
            plot.drawing.label({frame.left - 6, y + 4}, Anchor::end, "ink", std::to_string(stage));
        }
    }
    plot.drawing.label({frame.left - 6, frame.bottom + 2}, Anchor::end, "ink small", "exit");
    plot.drawing.label({frame.left - 6, frame.top + 5}, Anchor::end, "ink small",
                       is_common ? "stage" : "entry");
}

Figure timemap(const std::string& title, const std::vector<TimemapLine>& lines) {
    Plot plot(title, 460, 330, {48, 440, 12, 290});
    double longest = 1e-9;
    for (const TimemapLine& line : lines) {
        longest = std::max(longest, line.total());
    }
    const TimeScale x{longest, plot.frame};
    draw_axis(plot, x, "time since entry (mean of the calls, waits for late ranks excluded)");
    plot.draw_frame();
    for (const TimemapLine& line : lines) {
        draw_line(plot, line, x);
    }
    draw_stages(plot, lines);
    return plot.finish(
        fmt::format("data-kind=\"timemap\" data-x=\"{} {} {}\" data-y=\"{} {}\" data-lines=\"{}\"",
                    number(plot.frame.left), number(plot.frame.right), 1e6 * longest, number(plot.frame.top),
                    number(plot.frame.bottom), hover_lines(lines)));
}

}  // namespace

Figure draw_timemap(const Kind& kind) {
    std::vector<TimemapLine> lines;
    const std::vector<RankClass> classes = classes_of(kind);
    for (std::size_t i = 0; i < std::min(classes.size(), most_lines); ++i) {
        lines.push_back(
            {classes[i].ranks.size() == 1
                 ? fmt::format("rank {}", classes[i].ranks.front())
                 : fmt::format("{} ranks like rank {}", classes[i].ranks.size(), classes[i].representative),
             colour_of_line(i), classes[i].stage_seconds});
    }
    Figure figure = timemap(to_string(kind.key) + ": time by stage", lines);
    const auto& slowest =
        *std::max_element(lines.begin(), lines.end(),
                          [](const TimemapLine& a, const TimemapLine& b) { return a.total() < b.total(); });
    figure.note = fmt::format(
        "One line for each class of ranks that behave alike{}; the vertical axis shows stages, one message "
        "after the other. A flat segment is a slow stage: {} spends most time in {}.",
        classes.size() > most_lines ? fmt::format(" (the largest {} of {})", most_lines, classes.size()) : "",
        slowest.label, longest_stage_text(slowest));
    return figure;
}

Figure draw_timemap(const SameCall& call) {
    std::vector<TimemapLine> lines;
    std::set<std::string> colours;
    SameCall drawn(call.begin(),
                   call.begin() + static_cast<std::ptrdiff_t>(std::min(call.size(), most_lines)));
    drawn.back() = call.back();  // the slowest, whatever is left out
    for (const auto& [name, kind] : drawn) {
        TimemapLine slowest;
        for (const RankClass& of : classes_of(*kind)) {
            const TimemapLine line{fmt::format("{} in {}, rank {}", name,
                                               counted(kind->stages.size(), "stage"), of.representative),
                                   report::colour_class(kind->key.algorithm), of.stage_seconds};
            slowest = line.total() > slowest.total() || slowest.label.empty() ? line : slowest;
        }
        colours.insert(slowest.colour);
        lines.push_back(std::move(slowest));
    }
    // An algorithm has its colour in all figures, unless it is here several times
    for (std::size_t i = 0; i < lines.size() && colours.size() < lines.size(); ++i) {
        lines[i].colour = colour_of_line(i);
    }
    Figure figure = timemap(title_of(call) + ": time by stage", lines);
    figure.note = fmt::format(
        "The slowest class of ranks of each{}; all lines have the same height, whatever their number of "
        "stages. {} finishes first; {} spends most time in {}.",
        call.size() > lines.size() ? fmt::format(" ({} of {} ways)", lines.size(), call.size()) : "",
        call.front().name, call.back().name, longest_stage_text(lines.back()));
    return figure;
}

}  // namespace tuner::trace
