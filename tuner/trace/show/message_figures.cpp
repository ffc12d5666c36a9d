// SPDX-License-Identifier: MIT
// One call: ranks against time, an arrow for each message.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "number_text.hpp"
#include "rank_names.hpp"
#include "time_scale.hpp"
#include "trace_figures.hpp"

namespace tuner::trace {

namespace {

using namespace report;

constexpr std::size_t most_messages = 2000;  // of a chart; some 70 bytes each

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

// Ten nanoseconds are enough to read
std::string microseconds(std::int64_t ns) {
    return fmt::format("{}", std::round(static_cast<double>(ns) / 10) / 100);
}

struct Period {
    std::int64_t from_ns;
    std::int64_t to_ns;
};

// From the first entry to the last exit
Period period_of(std::span<const Participant> participants) {
    Period period{participants.front().enter_ns, participants.front().enter_ns + 1};
    for (const Participant& p : participants) {
        period.from_ns = std::min(period.from_ns, p.enter_ns);
        period.to_ns = std::max(period.to_ns, p.exit_ns);
    }
    return period;
}

double lane_height(std::size_t ranks) {
    return std::clamp(560.0 / static_cast<double>(ranks), 6.0, 28.0);
}

class MessageChart {
  public:
    MessageChart(const LoadedTrace& loaded, const CallAnalysis& call, std::string title)
        : matched_(loaded.matched),
          call_(call),
          messages_(call.messages().first(std::min(call.messages().size(), most_messages))),
          period_(period_of(call.participants())),
          lane_(lane_height(call.participants().size())),
          plot_(std::move(title), 900, 0,
                {44, 876, 20, 30 + lane_ * static_cast<double>(call.participants().size())}),
          x_{1e-9 * static_cast<double>(period_.to_ns - period_.from_ns), plot_.frame} {
        plot_.figure.height = plot_.frame.bottom + 40;
    }

    Figure draw() {
        draw_axis(plot_, x_, "time since the first arrival");
        plot_.drawing.label({plot_.frame.left - 6, plot_.frame.top - 8}, Anchor::end, "ink small", "rank");
        draw_ranks();
        draw_path();
        draw_arrows();
        plot_.add_key(KeyEntry::Kind::box, "tuned-key", "on the critical path");
        if (has_late()) {
            plot_.add_key(KeyEntry::Kind::box, "c3 fill pale", "waits for a late rank");
        }
        plot_.figure.note = note();
        return plot_.finish(attributes());
    }

  private:
    double at(std::int64_t ns) const { return x_(1e-9 * static_cast<double>(ns - period_.from_ns)); }
    double y(int participant) const {
        return plot_.frame.top + lane_ * (static_cast<double>(participant) + 0.5);
    }
    Point from(const Message& m) const { return {at(m.send_posted_ns), y(call_.participant_of(m.source))}; }
    Point to(const Message& m) const {
        return {at(m.receive_ended_ns), y(call_.participant_of(m.destination))};
    }
    std::string line(const Message& m) const {
        return fmt::format("M{},{}L{},{}", number(from(m).x), number(from(m).y), number(to(m).x),
                           number(to(m).y));
    }

    bool has_late() const {
        return std::any_of(call_.late_waits().begin(), call_.late_waits().end(),
                           [](const std::vector<LateWait>& waits) { return !waits.empty(); });
    }

    void draw_ranks() {
        const std::size_t step = static_cast<std::size_t>(std::ceil(11 / lane_));
        for (std::size_t i = 0; i < call_.participants().size(); ++i) {
            const Participant& p = call_.participants()[i];
            const double middle = y(static_cast<int>(i));
            for (const LateWait& wait : call_.late_waits()[i]) {
                plot_.drawing.rect({at(wait.from_ns), middle - lane_ * 0.3},
                                   at(wait.to_ns) - at(wait.from_ns), lane_ * 0.6, "class=\"c3 fill pale\"");
            }
            plot_.drawing.line({at(p.enter_ns), middle}, {at(p.exit_ns), middle}, "class=\"axis\"");
            if (i % step == 0) {
                plot_.drawing.label({plot_.frame.left - 6, middle + 4}, Anchor::end, "ink",
                                    std::to_string(matched_.world_rank_of(p.rank)));
            }
        }
    }

    void draw_path() {
        std::string halo;
        for (const PathStep& part : call_.path()) {
            halo += part.message != nullptr
                        ? line(*part.message)
                        : fmt::format("M{},{}H{}", number(at(part.from_ns)), number(y(part.participant)),
                                      number(at(part.to_ns)));
        }
        plot_.drawing.path(halo, "class=\"tuned slim\"");
    }

    void draw_arrows() {
        constexpr const char* names[] = {"message within a node", "message between nodes"};
        std::string lines[2];
        std::string heads[2];
        for (const Message& m : messages_) {
            const std::size_t link = m.is_between_nodes ? 1 : 0;
            lines[link] += line(m);
            heads[link] += arrow_head(from(m), to(m), std::min(7.0, lane_ * 0.5));
        }
        for (std::size_t link = 0; link < 2; ++link) {
            if (!lines[link].empty()) {
                plot_.drawing.path(lines[link], "class=\"" + colour_of_line(link) + " bar\"");
                plot_.drawing.path(heads[link], "class=\"" + colour_of_line(link) + " fill\"");
                plot_.add_key(KeyEntry::Kind::box, colour_of_line(link) + " fill", names[link]);
            }
        }
    }

    // For hovering
    std::string attributes() const {
        const auto since = [&](std::int64_t ns) { return microseconds(ns - period_.from_ns); };
        std::string ranks;
        for (const Participant& p : call_.participants()) {
            ranks += fmt::format("{}{}", ranks.empty() ? "" : ",", matched_.world_rank_of(p.rank));
        }
        std::string messages;
        for (const Message& m : messages_) {
            fmt::format_to(std::back_inserter(messages), "{}[{},{},{},{},{},{},{}]",
                           messages.empty() ? "" : ",", call_.participant_of(m.source),
                           call_.participant_of(m.destination), m.bytes, m.stage, since(m.send_posted_ns),
                           since(m.receive_ended_ns), since(m.started_ns()));
        }
        return fmt::format(
            "data-kind=\"messages\" data-x=\"{} {} {}\" data-y=\"{} {}\" data-ranks=\"[{}]\" "
            "data-messages=\"[{}]\"",
            number(plot_.frame.left), number(plot_.frame.right), since(period_.to_ns),
            number(plot_.frame.top), lane_, ranks, messages);
    }

    std::vector<int> world_ranks() const {
        std::vector<int> ranks;
        for (const Participant& p : call_.participants()) {
            ranks.push_back(matched_.world_rank_of(p.rank));
        }
        return ranks;
    }

    std::string note() const {
        const auto on_path = std::count_if(call_.path().begin(), call_.path().end(),
                                           [](const PathStep& part) { return part.message != nullptr; });
        const Breakdown costs = call_.path_costs();
        return fmt::format(
            "Each horizontal line is a rank, from its entry to its exit; an arrow goes from where a message "
            "is "
            "sent to where it has been received. Only a faster step on the critical path ({}, {} of its time "
            "in "
            "the network) makes the call shorter. Ranks by host: {}.{}",
            counted(static_cast<std::size_t>(on_path), "message"),
            percent_text(costs.total() > 0 ? costs.seconds[network_cost] / costs.total() : 0),
            ranks_by_host(*matched_.trace, world_ranks()),
            messages_.size() < call_.messages().size()
                ? fmt::format(" The first {} of {} are drawn.", messages_.size(),
                              counted(call_.messages().size(), "message"))
                : "");
    }

    const Matched& matched_;
    const CallAnalysis& call_;
    std::span<const Message> messages_;  // that are drawn
    Period period_;
    double lane_;  // height of a rank's
    Plot plot_;
    TimeScale x_;
};

}  // namespace

Figure draw_messages(const LoadedTrace& loaded, const Kind& kind) {
    const std::uint32_t shown = kind.median_call();
    CallAnalysis call(loaded.matched);
    call.load(shown);
    return MessageChart(loaded, call,
                        fmt::format("{}: messages of call {}, one with the median time", to_string(kind.key),
                                    loaded.matched.calls[shown].sequence))
        .draw();
}

}  // namespace tuner::trace
