// SPDX-License-Identifier: MIT
#include "breakdown.hpp"

#include <numeric>

namespace tuner::trace {

namespace {

double seconds(std::int64_t ns) {
    return 1e-9 * static_cast<double>(ns);
}

}  // namespace

double Breakdown::total() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

Breakdown& Breakdown::operator+=(const Breakdown& other) {
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        seconds[i] += other.seconds[i];
    }
    return *this;
}

bool CallAnalysis::load(std::uint32_t call) {
    for (const Participant& p : participants_) {
        index_[p.rank] = -1;
    }
    participants_ = {};
    if (!matched_.calls[call].is_complete || !matched_.is_outermost(call)) {
        return false;
    }
    participants_ = matched_.participants_of(call);
    messages_ = matched_.messages_of(call);
    works_ = matched_.works_of(call);
    for (std::size_t i = 0; i < participants_.size(); ++i) {
        index_[participants_[i].rank] = static_cast<int>(i);
    }
    const auto is_stranger = [&](std::uint32_t rank) { return index_[rank] < 0; };
    if (std::any_of(messages_.begin(), messages_.end(),
                    [&](const Message& m) { return is_stranger(m.source) || is_stranger(m.destination); }) ||
        std::any_of(works_.begin(), works_.end(), [&](const LocalWork& w) { return is_stranger(w.rank); })) {
        return false;
    }
    find_late();
    find_breakdowns();
    find_path();
    return true;
}

// Keeps the waits of a rank apart: what is known to be late already stays as it is.
void CallAnalysis::add_late(int who, LateWait wait) {
    std::vector<LateWait>& known = late_[static_cast<std::size_t>(who)];
    while (wait.from_ns < wait.to_ns) {
        const auto next = std::upper_bound(known.begin(), known.end(), wait.from_ns,
                                           [](std::int64_t ns, const LateWait& l) { return ns < l.to_ns; });
        if (next == known.end() || next->from_ns >= wait.to_ns) {
            known.insert(next, wait);
            return;
        }
        if (wait.from_ns < next->from_ns) {
            const std::int64_t behind = next->to_ns;
            known.insert(next, {wait.from_ns, next->from_ns, wait.cause});
            wait.from_ns = behind;
        } else {
            wait.from_ns = next->to_ns;
        }
    }
}

// A rank waits for a sender that has not sent yet, or, held up by a large message, for a receiver. In the
// order in which waits end, what the other one waited for meanwhile is known.
void CallAnalysis::find_late() {
    waits_.clear();
    late_.resize(participants_.size());
    for (auto& of_rank : late_) {
        of_rank.clear();
    }
    for (const Message& m : messages_) {
        const int source = index_[m.source];
        const int destination = index_[m.destination];
        const std::int64_t sent = std::min(m.send_posted_ns, m.receive_ended_ns);
        if (sent > m.receive_posted_ns) {
            waits_.push_back({destination, source, m.receive_posted_ns, sent});
        }
        if (m.receive_posted_ns > m.send_posted_ns && !m.is_sent_freely()) {
            waits_.push_back({source, destination, m.send_posted_ns, m.receive_posted_ns});
        }
    }
    std::sort(waits_.begin(), waits_.end(), [](const Wait& a, const Wait& b) { return a.to_ns < b.to_ns; });
    for (const Wait& wait : waits_) {
        const std::int64_t entered = participants_[static_cast<std::size_t>(wait.for_whom)].enter_ns;
        add_late(wait.who, {wait.from_ns, std::min(wait.to_ns, entered), wait.for_whom});
        // `late_` of another rank does not move while this one's grows
        const std::vector<LateWait>& others = late_[static_cast<std::size_t>(wait.for_whom)];
        const std::int64_t from = std::max(wait.from_ns, entered);
        auto other = std::upper_bound(others.begin(), others.end(), from,
                                      [](std::int64_t ns, const LateWait& l) { return ns < l.to_ns; });
        for (; wait.who != wait.for_whom && other != others.end() && other->from_ns < wait.to_ns; ++other) {
            add_late(wait.who,
                     {std::max(from, other->from_ns), std::min(wait.to_ns, other->to_ns), other->cause});
        }
    }
}

void CallAnalysis::add_span(int who, std::int64_t from, std::int64_t to, Cost cost) {
    const Participant& p = participants_[static_cast<std::size_t>(who)];
    from = std::max(from, p.enter_ns);
    to = std::min(to, p.exit_ns);
    if (from < to) {
        spans_[static_cast<std::size_t>(who)].push_back({from, to, cost});
    }
}

void CallAnalysis::find_spans() {
    spans_.resize(participants_.size());
    for (auto& of_rank : spans_) {
        of_rank.clear();
    }
    for (const LocalWork& work : works_) {
        add_span(index_[work.rank], work.from_ns, work.to_ns, work.is_reduction ? reduction_cost : copy_cost);
    }
    for (const Message& m : messages_) {
        const std::int64_t held_up =
            m.is_sent_freely() ? m.send_posted_ns : std::max(m.send_posted_ns, m.receive_posted_ns);
        add_span(index_[m.source], std::min(held_up, m.send_ended_ns), m.send_ended_ns, network_cost);
        add_span(index_[m.destination], m.started_ns(), m.receive_ended_ns, network_cost);
    }
    for (const Wait& wait : waits_) {
        add_span(wait.who, wait.from_ns, wait.to_ns, wait_cost);
    }
    for (std::size_t i = 0; i < late_.size(); ++i) {
        for (const LateWait& wait : late_[i]) {
            add_span(static_cast<int>(i), wait.from_ns, wait.to_ns, late_cost);
        }
    }
}

void CallAnalysis::find_breakdowns() {
    find_spans();
    breakdowns_.assign(participants_.size(), {});
    late_waits_.assign(participants_.size(), {});
    for (std::size_t i = 0; i < participants_.size(); ++i) {
        find_breakdown(i);
    }
}

// From entry to exit, from one beginning or end of a span to the next
void CallAnalysis::find_breakdown(std::size_t i) {
    edges_.clear();
    for (const Span& span : spans_[i]) {
        edges_.emplace_back(span.from_ns, span.cost + 1);
        edges_.emplace_back(span.to_ns, -(span.cost + 1));
    }
    std::sort(edges_.begin(), edges_.end());
    std::array<int, cost_names.size()> open = {};
    open[software_cost] = 1;
    std::int64_t at = participants_[i].enter_ns;
    auto next_late = late_[i].begin();
    const auto pass_to = [&](std::int64_t to) {
        const auto cost = static_cast<std::size_t>(
            std::find_if(open.begin(), open.end(), [](int count) { return count > 0; }) - open.begin());
        breakdowns_[i].seconds[cost] += seconds(to - at);
        if (cost == late_cost && at < to) {
            while (next_late->to_ns <= at) {
                ++next_late;
            }
            late_waits_[i].push_back({at, to, next_late->cause});
        }
        at = to;
    };
    for (const auto& [to, change] : edges_) {
        pass_to(to);
        open[static_cast<std::size_t>(std::abs(change) - 1)] += change > 0 ? 1 : -1;
    }
    pass_to(participants_[i].exit_ns);
}

void CallAnalysis::find_path() {
    ended_.resize(participants_.size());
    for (auto& of_rank : ended_) {
        of_rank.clear();
    }
    for (const Message& m : messages_) {
        ended_[static_cast<std::size_t>(index_[m.source])].push_back({m.send_ended_ns, &m, true});
        ended_[static_cast<std::size_t>(index_[m.destination])].push_back({m.receive_ended_ns, &m, false});
    }
    for (auto& of_rank : ended_) {
        std::sort(of_rank.begin(), of_rank.end(),
                  [](const Ended& a, const Ended& b) { return a.at_ns < b.at_ns; });
    }
    path_.clear();
    const auto last =
        std::max_element(participants_.begin(), participants_.end(),
                         [](const Participant& a, const Participant& b) { return a.exit_ns < b.exit_ns; });
    auto who = static_cast<int>(last - participants_.begin());
    std::int64_t at = last->exit_ns;
    while (true) {
        auto& ended = ended_[static_cast<std::size_t>(who)];
        // what was passed once is taken away, so that the way back ends whatever the clocks say
        while (!ended.empty() && ended.back().at_ns > at) {
            ended.pop_back();
        }
        if (ended.empty()) {
            break;
        }
        const Ended end = ended.back();
        ended.pop_back();
        const Message& m = *end.message;
        path_.push_back({who, -1, nullptr, end.at_ns, at});
        const bool other_is_last = end.is_send ? m.receive_posted_ns > m.send_posted_ns && !m.is_sent_freely()
                                               : m.send_posted_ns > m.receive_posted_ns;
        const std::int64_t mine = end.is_send ? m.send_posted_ns : m.receive_posted_ns;
        const std::int64_t others = end.is_send ? m.receive_posted_ns : m.send_posted_ns;
        const std::int64_t from = std::min(other_is_last ? others : mine, end.at_ns);
        path_.push_back({who, index_[m.source], &m, from, end.at_ns});
        who = other_is_last ? index_[end.is_send ? m.destination : m.source] : who;
        at = from;
    }
    const std::int64_t entered = participants_[static_cast<std::size_t>(who)].enter_ns;
    path_.push_back({who, -1, nullptr, std::min(entered, at), at});
}

Breakdown CallAnalysis::path_costs() const {
    Breakdown costs;
    for (const PathStep& step : path_) {
        if (step.message != nullptr) {
            costs.seconds[network_cost] += seconds(step.to_ns - step.from_ns);
            continue;
        }
        double software = seconds(step.to_ns - step.from_ns);
        for (const Span& work : spans_[static_cast<std::size_t>(step.participant)]) {
            const std::int64_t from = std::max(work.from_ns, step.from_ns);
            const std::int64_t to = std::min(work.to_ns, step.to_ns);
            if (work.cost <= reduction_cost && from < to) {
                costs.seconds[work.cost] += seconds(to - from);
                software -= seconds(to - from);
            }
        }
        costs.seconds[software_cost] += software;
    }
    return costs;
}

}  // namespace tuner::trace
