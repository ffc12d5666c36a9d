// SPDX-License-Identifier: MIT
#include "match_messages.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuner::trace {

namespace {

bool is_a(const FileEvent& event, EventKind kind) {
    return event.kind == static_cast<std::uint8_t>(kind);
}

}  // namespace

void MessageMatcher::match(std::uint32_t number) {
    const Call& call = result_.calls[number];
    sends_.clear();
    receives_.clear();
    for (const Participant& p : result_.participants_of(number)) {
        const RankCalls& of_rank = of_rank_[p.rank];
        for (const FileEvent* event : of_rank.events_of(of_rank.calls[p.local])) {
            collect(call, p, *event);
        }
    }
    const auto before = [](const End& a, const End& b) { return a.channel() < b.channel(); };
    const auto in_order = [](const End& a, const End& b) {
        return std::tuple(a.channel(), a.event->time_ns) < std::tuple(b.channel(), b.event->time_ns);
    };
    std::stable_sort(sends_.begin(), sends_.end(), in_order);
    std::stable_sort(receives_.begin(), receives_.end(), in_order);
    auto send = sends_.begin();
    auto receive = receives_.begin();
    while (send != sends_.end() || receive != receives_.end()) {
        if (receive == receives_.end() || (send != sends_.end() && before(*send, *receive))) {
            ++result_.unmatched_messages[reason_of_absence(number, (send++)->destination, "receive")];
        } else if (send == sends_.end() || before(*receive, *send)) {
            ++result_.unmatched_messages[reason_of_absence(number, (receive++)->source, "send")];
        } else {
            add_message(call, *send++, *receive++);
        }
    }
}

void MessageMatcher::collect(const Call& call, const Participant& p, const FileEvent& event) {
    const auto size = static_cast<int>(result_.communicators[call.communicator].members.size());
    const std::int64_t end_ns = std::max(event.time_ns, event.end_ns);
    if (!is_a(event, EventKind::send) && !is_a(event, EventKind::receive)) {
        result_.works.push_back({call.outermost, p.rank, is_a(event, EventKind::reduce),
                                 clocks_[p.rank].aligned(event.time_ns), clocks_[p.rank].aligned(end_ns)});
    } else if (event.peer < 0 || event.peer >= size) {
        ++result_.unmatched_messages[damaged_record];
    } else if ((event.flags & flag_not_completed) != 0) {
        ++result_.unmatched_messages["it had not completed when the file was written"];
    } else if (is_a(event, EventKind::send)) {
        sends_.push_back({p.place, event.peer, p.rank, &event, end_ns});
        end_with_send(p.rank, event);
    } else {
        receives_.push_back({event.peer, p.place, p.rank, &event, end_ns});
    }
}

// What is received in an exchange may have been there before, but cannot be used before the exchange's
// send is posted: it is not what the send waited for
void MessageMatcher::end_with_send(std::uint32_t rank, const FileEvent& send) {
    if (!receives_.empty() && receives_.back().rank == rank && receives_.back().event->index == send.index) {
        receives_.back().end_ns = std::max(receives_.back().end_ns, send.time_ns + send.detail);
    }
}

std::string MessageMatcher::reason_of_absence(std::uint32_t number, int place, const char* what) const {
    const auto participants = result_.participants_of(number);
    const bool is_there = std::any_of(participants.begin(), participants.end(),
                                      [&](const Participant& p) { return p.place == place; });
    return is_there ? fmt::format("the other rank has no matching {}", what)
                    : "the other rank has no record of the call";
}

void MessageMatcher::add_message(const Call& call, const End& send, const End& receive) {
    Message message;
    message.outermost = call.outermost;
    message.source = send.rank;
    message.destination = receive.rank;
    message.bytes = send.event->bytes;
    const RankClock& from = clocks_[send.rank];
    const RankClock& to = clocks_[receive.rank];
    message.send_posted_ns = from.aligned(send.event->time_ns);
    message.send_ended_ns = from.aligned(send.end_ns);
    message.receive_posted_ns = to.aligned(receive.event->time_ns);
    message.receive_ended_ns = to.aligned(receive.end_ns);
    message.is_between_nodes = result_.node_of(send.rank) != result_.node_of(receive.rank);
    if (send.event->bytes != receive.event->bytes) {
        ++result_.remarks["messages with different sizes at both ends"];
    }
    result_.messages.push_back(message);
}

}  // namespace tuner::trace
