// SPDX-License-Identifier: MIT
#include "stage_times.hpp"

#include <algorithm>

namespace tuner::trace {

namespace {

constexpr std::int64_t never = INT64_MIN;

}  // namespace

void StageTimer::add_links(Kind& kind) {
    collect_receives();
    through_.clear();
    exchanges_.clear();
    for (const Message& m : call_.messages()) {
        if (m.stage > kind.stages.size()) {
            kind.stages.resize(m.stage);
        }
        const Link link = m.is_between_nodes ? Link::between_nodes : Link::within_node;
        add_message(kind.stages[m.stage - 1].at(link), m);
        if (m.is_between_nodes) {
            add_bytes(m);
        }
    }
    add_exchanged();
    add_busiest(kind);
}

void StageTimer::collect_receives() {
    received_.assign(call_.participants().size(), {});
    for (const Message& m : call_.messages()) {
        received_[static_cast<std::size_t>(call_.participant_of(m.destination))].push_back(
            m.receive_ended_ns);
    }
    for (auto& times : received_) {
        std::sort(times.begin(), times.end());
    }
}

void StageTimer::add_message(LinkTimes& link, const Message& m) const {
    ++link.messages;
    link.bytes += static_cast<double>(m.bytes);
    link.transfer_seconds.push_back(m.transfer_seconds());
    link.wait_seconds.push_back(seconds_from_ns(
        std::max<std::int64_t>(0, std::min(m.send_posted_ns, m.receive_ended_ns) - m.receive_posted_ns)));
    const auto source = static_cast<std::size_t>(call_.participant_of(m.source));
    const auto& times = received_[source];
    const auto behind = std::upper_bound(times.begin(), times.end(), m.send_posted_ns);
    const std::int64_t since =
        behind == times.begin() ? call_.participants()[source].enter_ns : *(behind - 1);
    link.pass_on_seconds.push_back(seconds_from_ns(m.send_posted_ns - since));
}

void StageTimer::add_bytes(const Message& m) {
    const auto bytes = static_cast<double>(m.bytes);
    through_[{m.stage, matched_.node_of(m.source)}].out += bytes;
    through_[{m.stage, matched_.node_of(m.destination)}].in += bytes;
    exchanges_[{m.stage, m.source, m.destination}] += bytes;
}

void StageTimer::add_exchanged() {
    for (const auto& [pair, bytes] : exchanges_) {
        const auto& [stage, source, destination] = pair;
        if (const auto back = exchanges_.find({stage, destination, source}); back != exchanges_.end()) {
            through_[{stage, matched_.node_of(source)}].exchanged += std::min(bytes, back->second);
        }
    }
}

void StageTimer::add_busiest(Kind& kind) const {
    auto next = through_.begin();
    while (next != through_.end()) {
        const std::uint32_t stage = next->first.first;
        auto busiest = next;
        for (; next != through_.end() && next->first.first == stage; ++next) {
            if (next->second.busier() > busiest->second.busier()) {
                busiest = next;
            }
        }
        StageTimes& times = kind.stages[stage - 1];
        times.busiest_bytes += busiest->second.busier();
        times.busiest_exchanged_bytes += busiest->second.exchanged;
        ++times.busiest_node[busiest->first.second];
    }
}

// When each rank had done with each stage; waits for late ranks are excluded
void StageTimer::add_ranks(Kind& kind) {
    const std::size_t stages = kind.stages.size();
    ended_.assign(call_.participants().size(), std::vector<std::int64_t>(stages, never));
    for (const Message& m : call_.messages()) {
        const auto note = [&](std::uint32_t rank, std::int64_t at) {
            std::int64_t& ended = ended_[static_cast<std::size_t>(call_.participant_of(rank))][m.stage - 1];
            ended = std::max(ended, at);
        };
        note(m.source, m.send_ended_ns);
        note(m.destination, m.receive_ended_ns);
    }
    for (std::size_t i = 0; i < ended_.size(); ++i) {
        const Participant& p = call_.participants()[i];
        std::vector<double>& sums = kind.stage_seconds[i];
        sums.insert(sums.empty() ? sums.end() : sums.end() - 1, stages + 1 - sums.size(), 0.0);
        std::int64_t at = p.enter_ns;
        for (std::size_t stage = 0; stage <= stages; ++stage) {
            const std::int64_t to =
                stage == stages ? p.exit_ns : std::min(std::max(ended_[i][stage], at), p.exit_ns);
            if (stage == stages || ended_[i][stage] != never) {
                sums[stage] += seconds_from_ns(to - at - late_between(i, at, to));
                at = to;
            }
        }
    }
}

std::int64_t StageTimer::late_between(std::size_t participant, std::int64_t from, std::int64_t to) const {
    std::int64_t sum = 0;
    for (const LateWait& wait : call_.late_waits()[participant]) {
        sum += std::max<std::int64_t>(0, std::min(to, wait.to_ns) - std::max(from, wait.from_ns));
    }
    return sum;
}

}  // namespace tuner::trace
