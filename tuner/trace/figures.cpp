// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "classes.hpp"
#include "report/axes.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

using report::Drawing;
using report::Figure;
using report::Frame;
using report::KeyEntry;
using report::number;
using report::Point;

constexpr std::size_t colour_count = 7;      // of the palette
constexpr std::size_t most_lines = 12;       // of a timemap
constexpr std::size_t most_messages = 6000;  // of a chart
constexpr std::size_t bins = 48;

std::string colour(std::size_t i) {
    return fmt::format("c{}", i % colour_count);
}

// Times from zero on, evenly spaced
struct TimeScale {
    double longest;
    const Frame& frame;

    double operator()(double seconds) const {
        return frame.left + (frame.right - frame.left) * seconds / longest;
    }
    void draw_axis(Drawing& drawing, const char* label) const {
        const double rough = longest / 5;
        const double decade = std::pow(10.0, std::floor(std::log10(rough)));
        const double step = decade * (rough / decade < 2 ? 2 : rough / decade < 5 ? 5 : 10);
        for (double tick = 0; tick <= longest * 1.001; tick += step) {
            drawing.line({(*this)(tick), frame.top}, {(*this)(tick), frame.bottom}, "class=\"grid\"");
            drawing.text({(*this)(tick), frame.bottom + 14}, "class=\"ink\" text-anchor=\"middle\"",
                         tick == 0 ? "0" : seconds_text(tick));
        }
        drawing.text({(frame.left + frame.right) / 2, frame.bottom + 28},
                     "class=\"ink small\" text-anchor=\"middle\"", label);
    }
};

struct TimemapLine {
    std::string label;
    std::vector<double> stage_seconds;  // with the rest at the end

    double total() const { return std::accumulate(stage_seconds.begin(), stage_seconds.end(), 0.0); }
};

Figure timemap(const std::string& title, const std::vector<TimemapLine>& lines) {
    Figure figure;
    figure.title = title;
    figure.width = 560;
    figure.height = 340;
    const Frame frame{44, 546, 12, 300};
    double longest = 1e-9;
    for (const TimemapLine& line : lines) {
        longest = std::max(longest, line.total());
    }
    Drawing drawing;
    const TimeScale x{longest, frame};
    x.draw_axis(drawing, "time since entry, mean of the calls; down: stages, the last point is the exit");
    report::draw_frame(drawing, frame);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::vector<double>& times = lines[i].stage_seconds;
        std::vector<Point> points = {{x(0), frame.top}};
        double at = 0;
        for (std::size_t stage = 0; stage < times.size(); ++stage) {
            at += times[stage];
            points.push_back({x(at), frame.top + (frame.bottom - frame.top) * static_cast<double>(stage + 1) /
                                                     static_cast<double>(times.size())});
        }
        drawing.path(report::polyline(points), "class=\"" + colour(i) + " line\"");
        figure.key.push_back({KeyEntry::Kind::line, colour(i), lines[i].label});
    }
    const std::size_t stages = lines.empty() ? 0 : lines.front().stage_seconds.size();
    const bool is_common = std::all_of(lines.begin(), lines.end(), [&](const TimemapLine& line) {
        return line.stage_seconds.size() == stages;
    });
    const std::size_t step = std::max<std::size_t>(1, (stages + 15) / 16);
    for (std::size_t stage = step; is_common && stage < stages; stage += step) {
        drawing.text(
            {frame.left - 6,
             frame.top +
                 (frame.bottom - frame.top) * static_cast<double>(stage) / static_cast<double>(stages) + 4},
            "class=\"ink\" text-anchor=\"end\"", std::to_string(stage));
    }
    figure.body = drawing.str();
    return figure;
}

std::vector<std::int64_t> marked(const std::vector<PathStep>& path, std::span<const Message> messages) {
    std::vector<std::int64_t> positions;
    for (const PathStep& step : path) {
        if (step.message != nullptr) {
            positions.push_back(step.message - messages.data());
        }
    }
    return positions;
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
             classes[i].stage_seconds});
    }
    return timemap(to_string(kind.key) + ": time by stage", lines);
}

Figure draw_timemap(const std::vector<const Kind*>& kinds) {
    std::vector<TimemapLine> lines;
    for (const Kind* kind : kinds) {
        TimemapLine slowest;
        for (const RankClass& of : classes_of(*kind)) {
            const TimemapLine line{fmt::format("{} in {} stages, rank {}", kind->key.algorithm,
                                               kind->stages.size(), of.representative),
                                   of.stage_seconds};
            slowest = line.total() > slowest.total() || slowest.label.empty() ? line : slowest;
        }
        lines.push_back(std::move(slowest));
    }
    const KindKey& key = kinds.front()->key;
    return timemap(
        fmt::format("{} {} {}: time by stage", key.collective, bytes_text(key.bytes), to_string(key.shape)),
        lines);
}

Figure draw_messages(const LoadedTrace& loaded, const Kind& kind) {
    const std::uint32_t shown = kind.median_call();
    CallAnalysis call(loaded.matched);
    call.load(shown);
    const auto participants = call.participants();
    const auto messages = call.messages().first(std::min(call.messages().size(), most_messages));
    std::int64_t start = participants.front().enter_ns;
    std::int64_t end = start + 1;
    for (const Participant& p : participants) {
        start = std::min(start, p.enter_ns);
        end = std::max(end, p.exit_ns);
    }
    Figure figure;
    figure.title = fmt::format("{}: messages of call {}, one with the median time{}", to_string(kind.key),
                               loaded.matched.calls[shown].sequence,
                               messages.size() < call.messages().size() ? " (not all are shown)" : "");
    figure.width = 900;
    const double lane = std::clamp(560.0 / static_cast<double>(participants.size()), 6.0, 28.0);
    const Frame frame{44, 886, 10, 20 + lane * static_cast<double>(participants.size())};
    figure.height = frame.bottom + 40;
    Drawing drawing;
    const TimeScale x{1e-9 * static_cast<double>(end - start), frame};
    x.draw_axis(drawing, "time since the first arrival; across: ranks from entry to exit");
    const auto at = [&](std::int64_t ns) { return x(1e-9 * static_cast<double>(ns - start)); };
    const auto y = [&](int participant) {
        return frame.top + lane * (static_cast<double>(participant) + 0.5);
    };
    const std::size_t step = static_cast<std::size_t>(std::ceil(11 / lane));
    for (std::size_t i = 0; i < participants.size(); ++i) {
        const Participant& p = participants[i];
        for (const LateWait& wait : call.late_waits()[i]) {
            drawing.rect({at(wait.from_ns), y(static_cast<int>(i)) - lane * 0.3},
                         at(wait.to_ns) - at(wait.from_ns), lane * 0.6, "class=\"c4 fill pale\"");
        }
        drawing.line({at(p.enter_ns), y(static_cast<int>(i))}, {at(p.exit_ns), y(static_cast<int>(i))},
                     "class=\"axis\"");
        if (i % step == 0) {
            drawing.text({frame.left - 6, y(static_cast<int>(i)) + 4}, "class=\"ink\" text-anchor=\"end\"",
                         std::to_string(loaded.matched.world_rank_of(p.rank)));
        }
    }
    const auto arrow = [&](const Message& m) {
        return fmt::format("M{},{}L{},{}", number(at(m.send_posted_ns)),
                           number(y(call.participant_of(m.source))), number(at(m.receive_ended_ns)),
                           number(y(call.participant_of(m.destination))));
    };
    std::string halo;
    for (const std::int64_t position : marked(call.path(), call.messages())) {
        halo += arrow(call.messages()[static_cast<std::size_t>(position)]);
    }
    drawing.path(halo, "class=\"tuned\" stroke-width=\"5\"");
    std::string paths[2];
    std::string heads[2];
    for (const Message& m : messages) {
        const std::size_t link = m.is_between_nodes ? 1 : 0;
        paths[link] += arrow(m);
        heads[link] += fmt::format("M{},{}h0", number(at(m.receive_ended_ns)),
                                   number(y(call.participant_of(m.destination))));
    }
    for (std::size_t link = 0; link < 2; ++link) {
        if (!paths[link].empty()) {
            drawing.path(paths[link], "class=\"" + colour(link) + " bar\"");
            drawing.path(heads[link], "class=\"" + colour(link) + " dots\"");
            figure.key.push_back({KeyEntry::Kind::box, colour(link) + " fill",
                                  link == 1 ? "between nodes; the dot is the receiver" : "within a node"});
        }
    }
    figure.key.push_back({KeyEntry::Kind::box, "tuned-key", "on the critical path"});
    figure.key.push_back({KeyEntry::Kind::box, "c4 fill", "waits for a late rank"});
    figure.body = drawing.str();
    return figure;
}

Figure draw_waits(const Kind& kind) {
    Figure figure;
    figure.title = to_string(kind.key) + ": waits";
    figure.width = 560;
    figure.height = 240;
    const Frame frame{44, 546, 16, 180};
    const std::pair<const char*, const Orders*> series[] = {{"for the last arrival", &kind.arrivals},
                                                            {"departure after the first", &kind.departures}};
    constexpr double shortest = 1e-8;
    double low = INFINITY;
    double high = shortest;
    for (const auto& [label, orders] : series) {
        for (const auto& waits : orders->wait_seconds) {
            for (const double seconds : waits) {
                low = seconds > shortest ? std::min(low, seconds) : low;
                high = std::max(high, seconds);
            }
        }
    }
    const report::LogScale x(std::min(low, high), high * 1.02, frame.left, frame.right);
    Drawing drawing;
    for (const double tick : report::time_ticks(x.low(), x.high())) {
        drawing.line({x(tick), frame.top}, {x(tick), frame.bottom}, "class=\"grid\"");
        drawing.text({x(tick), frame.bottom + 14}, "class=\"ink\" text-anchor=\"middle\"",
                     seconds_text(tick));
    }
    const double width = (frame.right - frame.left) / static_cast<double>(bins);
    std::size_t most = 1;
    std::vector<std::vector<std::size_t>> counts;
    std::vector<std::vector<double>> all;
    for (const auto& [label, orders] : series) {
        counts.emplace_back(bins, 0);
        all.emplace_back();
        for (const auto& waits : orders->wait_seconds) {
            for (const double seconds : waits) {
                all.back().push_back(seconds);
                if (seconds > shortest) {
                    const double position = std::max(0.0, (x(seconds) - frame.left) / width);
                    most = std::max(most,
                                    ++counts.back()[std::min(bins - 1, static_cast<std::size_t>(position))]);
                }
            }
        }
    }
    for (std::size_t s = 0; s < std::size(series); ++s) {
        std::string bars;
        for (std::size_t i = 0; i < bins; ++i) {
            if (counts[s][i] > 0) {
                const double height = (frame.bottom - frame.top) * static_cast<double>(counts[s][i]) /
                                      static_cast<double>(most);
                bars += fmt::format("M{},{}v-{}h{}v{}z", number(frame.left + static_cast<double>(i) * width),
                                    number(frame.bottom), number(height), number(width), number(height));
            }
        }
        drawing.path(bars, "class=\"" + colour(s) + " fill veil\"");
        figure.key.push_back(
            {KeyEntry::Kind::box, colour(s) + " fill",
             fmt::format("{}: median {}", series[s].first, seconds_text(std::max(median_of(all[s]), 1e-9)))});
    }
    report::draw_frame(drawing, frame);
    drawing.text({(frame.left + frame.right) / 2, frame.bottom + 30},
                 "class=\"ink small\" text-anchor=\"middle\"",
                 "wait of a rank in a call; bars: how many; the one that others wait for is not shown");
    figure.body = drawing.str();
    return figure;
}

}  // namespace tuner::trace
