// SPDX-License-Identifier: MIT
#include "trace_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include "classes.hpp"
#include "axes.hpp"
#include "palette.hpp"
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
constexpr std::size_t most_messages = 2000;  // of a chart; some 70 bytes each
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
                       position + 1 == times.size() ? "what comes after the last message"
                                                    : fmt::format("stage {}", position + 1),
                       percent_text(line.total() > 0 ? *longest / line.total() : 0), time_text(line.total()));
}

Figure timemap(const std::string& title, const std::vector<TimemapLine>& lines) {
    Figure figure;
    figure.title = title;
    figure.width = 460;
    figure.height = 330;
    const Frame frame{48, 440, 12, 290};
    double longest = 1e-9;
    for (const TimemapLine& line : lines) {
        longest = std::max(longest, line.total());
    }
    Drawing drawing;
    const TimeScale x{longest, frame};
    x.draw_axis(drawing, "time since entry (mean of the calls, late ranks taken out)");
    report::draw_frame(drawing, frame);
    const auto y = [&](std::size_t stage, std::size_t stages) {
        return frame.top +
               (frame.bottom - frame.top) * static_cast<double>(stage) / static_cast<double>(stages);
    };
    for (const TimemapLine& line : lines) {
        const std::vector<double>& times = line.stage_seconds;
        std::vector<Point> points = {{x(0), frame.top}};
        double at = 0;
        for (std::size_t stage = 0; stage < times.size(); ++stage) {
            at += times[stage];
            points.push_back({x(at), y(stage + 1, times.size())});
        }
        drawing.path(report::polyline(points), "class=\"" + line.colour + " line\"");
        figure.key.push_back({KeyEntry::Kind::line, line.colour, line.label});
    }
    const std::size_t stages = lines.empty() ? 0 : lines.front().stage_seconds.size();
    const bool is_common = std::all_of(lines.begin(), lines.end(), [&](const TimemapLine& line) {
        return line.stage_seconds.size() == stages;
    });
    const std::size_t step = std::max<std::size_t>(1, (stages + 15) / 16);
    for (std::size_t stage = step; is_common && stage < stages; stage += step) {
        drawing.line({frame.left, y(stage, stages)}, {frame.right, y(stage, stages)}, "class=\"grid\"");
        // the label of the exit is near
        if (y(stage, stages) < frame.bottom - 16) {
            drawing.text({frame.left - 6, y(stage, stages) + 4}, "class=\"ink\" text-anchor=\"end\"",
                         std::to_string(stage));
        }
    }
    drawing.text({frame.left - 6, frame.bottom + 2}, "class=\"ink small\" text-anchor=\"end\"", "exit");
    drawing.text({frame.left - 6, frame.top + 5}, "class=\"ink small\" text-anchor=\"end\"",
                 is_common ? "stage" : "entry");
    figure.attributes = fmt::format(
        "data-kind=\"timemap\" data-x=\"{} {} {}\" data-y=\"{} {}\" data-lines=\"{}\"", number(frame.left),
        number(frame.right), 1e6 * longest, number(frame.top), number(frame.bottom), hover_lines(lines));
    figure.body = drawing.str();
    return figure;
}

// A triangle whose tip is at the end
std::string arrow_head(Point from, Point to, double length) {
    const double whole = std::hypot(to.x - from.x, to.y - from.y);
    if (whole < 1) {
        return "";
    }
    const Point along{length * (to.x - from.x) / whole, length * (to.y - from.y) / whole};
    const Point across{along.y * 0.4, -along.x * 0.4};
    return fmt::format("M{},{}L{},{}L{},{}z", number(to.x), number(to.y), number(to.x - along.x + across.x),
                       number(to.y - along.y + across.y), number(to.x - along.x - across.x),
                       number(to.y - along.y - across.y));
}

std::string waits_note(double arrival, double call) {
    return fmt::format(
        "Time before the last arrival is the program's, what comes after it is the collective's. Half of the "
        "ranks wait for {} or longer until the last one is there, and a call then takes {}: {}",
        time_text(arrival), time_text(call),
        arrival > call       ? "ranks that come at the same time would gain more than any algorithm."
        : arrival > call / 4 ? "both the balance of the program and the algorithm matter."
                             : "ranks come close together, so that the algorithm is what matters.");
}

// Ten nanoseconds are enough to read
std::string microseconds(std::int64_t ns) {
    return fmt::format("{}", std::round(static_cast<double>(ns) / 10) / 100);
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
             colour(i), classes[i].stage_seconds});
    }
    Figure figure = timemap(to_string(kind.key) + ": time by stage", lines);
    const auto& slowest =
        *std::max_element(lines.begin(), lines.end(),
                          [](const TimemapLine& a, const TimemapLine& b) { return a.total() < b.total(); });
    figure.note = fmt::format(
        "One line for each class of ranks that behave alike{}; down are stages, one message after the other. "
        "A flat piece is a slow stage: for {} most goes to {}.",
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
        lines[i].colour = colour(i);
    }
    Figure figure = timemap(title_of(call) + ": time by stage", lines);
    figure.note = fmt::format(
        "The slowest class of ranks of each{}; all are as high as each other, however many stages they have. "
        "{} is done first; {} spends most in {}.",
        call.size() > lines.size() ? fmt::format(" ({} of {} ways)", lines.size(), call.size()) : "",
        call.front().name, call.back().name, longest_stage_text(lines.back()));
    return figure;
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
    figure.title = fmt::format("{}: messages of call {}, one with the median time", to_string(kind.key),
                               loaded.matched.calls[shown].sequence);
    figure.width = 900;
    const double lane = std::clamp(560.0 / static_cast<double>(participants.size()), 6.0, 28.0);
    const Frame frame{44, 876, 20, 30 + lane * static_cast<double>(participants.size())};
    figure.height = frame.bottom + 40;
    Drawing drawing;
    const TimeScale x{1e-9 * static_cast<double>(end - start), frame};
    x.draw_axis(drawing, "time since the first arrival");
    drawing.text({frame.left - 6, frame.top - 8}, "class=\"ink small\" text-anchor=\"end\"", "rank");
    const auto at = [&](std::int64_t ns) { return x(1e-9 * static_cast<double>(ns - start)); };
    const auto y = [&](int participant) {
        return frame.top + lane * (static_cast<double>(participant) + 0.5);
    };
    const std::size_t step = static_cast<std::size_t>(std::ceil(11 / lane));
    bool has_late = false;
    for (std::size_t i = 0; i < participants.size(); ++i) {
        const Participant& p = participants[i];
        has_late = has_late || !call.late_waits()[i].empty();
        for (const LateWait& wait : call.late_waits()[i]) {
            drawing.rect({at(wait.from_ns), y(static_cast<int>(i)) - lane * 0.3},
                         at(wait.to_ns) - at(wait.from_ns), lane * 0.6, "class=\"c3 fill pale\"");
        }
        drawing.line({at(p.enter_ns), y(static_cast<int>(i))}, {at(p.exit_ns), y(static_cast<int>(i))},
                     "class=\"axis\"");
        if (i % step == 0) {
            drawing.text({frame.left - 6, y(static_cast<int>(i)) + 4}, "class=\"ink\" text-anchor=\"end\"",
                         std::to_string(loaded.matched.world_rank_of(p.rank)));
        }
    }
    const auto from = [&](const Message& m) {
        return Point{at(m.send_posted_ns), y(call.participant_of(m.source))};
    };
    const auto to = [&](const Message& m) {
        return Point{at(m.receive_ended_ns), y(call.participant_of(m.destination))};
    };
    const auto line = [&](const Message& m) {
        return fmt::format("M{},{}L{},{}", number(from(m).x), number(from(m).y), number(to(m).x),
                           number(to(m).y));
    };
    std::string halo;
    std::size_t path_messages = 0;
    for (const PathStep& part : call.path()) {
        path_messages += part.message != nullptr ? 1 : 0;
        halo += part.message != nullptr ? line(*part.message)
                                        : fmt::format("M{},{}H{}", number(at(part.from_ns)),
                                                      number(y(part.participant)), number(at(part.to_ns)));
    }
    drawing.path(halo, "class=\"tuned slim\"");
    std::string lines[2];
    std::string heads[2];
    std::string hover;
    for (const Message& m : messages) {
        const std::size_t link = m.is_between_nodes ? 1 : 0;
        lines[link] += line(m);
        heads[link] += arrow_head(from(m), to(m), std::min(7.0, lane * 0.5));
        fmt::format_to(std::back_inserter(hover), "{}[{},{},{},{},{},{},{}]", hover.empty() ? "" : ",",
                       call.participant_of(m.source), call.participant_of(m.destination), m.bytes, m.stage,
                       microseconds(m.send_posted_ns - start), microseconds(m.receive_ended_ns - start),
                       microseconds(m.started_ns() - start));
    }
    for (std::size_t link = 0; link < 2; ++link) {
        if (!lines[link].empty()) {
            drawing.path(lines[link], "class=\"" + colour(link) + " bar\"");
            drawing.path(heads[link], "class=\"" + colour(link) + " fill\"");
            figure.key.push_back({KeyEntry::Kind::box, colour(link) + " fill",
                                  link == 1 ? "message between nodes" : "message within a node"});
        }
    }
    figure.key.push_back({KeyEntry::Kind::box, "tuned-key", "on the critical path"});
    if (has_late) {
        figure.key.push_back({KeyEntry::Kind::box, "c3 fill pale", "waits for a late rank"});
    }
    std::string ranks;
    for (const Participant& p : participants) {
        ranks += fmt::format("{}{}", ranks.empty() ? "" : ",", loaded.matched.world_rank_of(p.rank));
    }
    figure.attributes = fmt::format(
        "data-kind=\"messages\" data-x=\"{} {} {}\" data-y=\"{} {}\" data-ranks=\"[{}]\" "
        "data-messages=\"[{}]\"",
        number(frame.left), number(frame.right), microseconds(end - start), number(frame.top), lane, ranks,
        hover);
    const Breakdown costs = call.path_costs();
    figure.note = fmt::format(
        "Each line across is a rank, from its entry to its exit; an arrow goes from where a message is sent "
        "to "
        "where it has been received. Only what is on the critical path ({}, {} of its time in the network) "
        "makes the call shorter if it gets quicker.{}",
        counted(path_messages, "message"),
        percent_text(costs.total() > 0 ? costs.seconds[network_cost] / costs.total() : 0),
        messages.size() < call.messages().size()
            ? fmt::format(" Drawn are the first {} of {}.", messages.size(),
                          counted(call.messages().size(), "message"))
            : "");
    figure.body = drawing.str();
    return figure;
}

Figure draw_waits(const Kind& kind) {
    Figure figure;
    figure.title = to_string(kind.key) + ": waits";
    figure.width = 460;
    figure.height = 330;
    const Frame frame{48, 440, 16, 290};
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
    drawing.text({(frame.left + frame.right) / 2, frame.bottom + 28},
                 "class=\"ink small\" text-anchor=\"middle\"", "wait of a rank in a call");
    drawing.text({frame.left - 6, frame.top + 4}, "class=\"ink\" text-anchor=\"end\"", std::to_string(most));
    drawing.text({frame.left - 6, frame.bottom + 2}, "class=\"ink\" text-anchor=\"end\"", "0");
    drawing.text({frame.left + 6, frame.top + 4}, "class=\"ink small\"", "how many");
    figure.note = waits_note(median_of(all[0]), median_of(kind.seconds));
    figure.body = drawing.str();
    return figure;
}

}  // namespace tuner::trace
