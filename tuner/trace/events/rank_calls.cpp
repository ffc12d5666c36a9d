// SPDX-License-Identifier: MIT
#include "rank_calls.hpp"

#include "event_clock.hpp"

namespace tuner::trace {

namespace {

bool is_enter(const FileEvent& event) {
    return event.kind == static_cast<std::uint8_t>(EventKind::enter);
}
bool is_exit(const FileEvent& event) {
    return event.kind == static_cast<std::uint8_t>(EventKind::exit);
}

bool is_sound(const FileEvent& event, const RankTrace& rank) {
    if (event.kind < static_cast<std::uint8_t>(EventKind::enter) ||
        event.kind > static_cast<std::uint8_t>(EventKind::reduce) || !is_possible_time(event.time_ns)) {
        return false;
    }
    if (is_enter(event)) {
        return event.enter().collective < rank.names.size() && event.index < rank.communicators.size();
    }
    if (is_exit(event)) {
        return event.index < rank.names.size();
    }
    return is_possible_time(event.end_ns);
}

// Fills in entries, exits and how many events there are between; the call of each of these
std::vector<std::uint32_t> count_events(const RankTrace& rank, RankCalls& found) {
    std::vector<std::uint32_t> call_of_event(rank.events.size(), nowhere);
    std::uint32_t last_id = 0;
    std::uint32_t last = nowhere;
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
        const FileEvent& event = rank.events[i];
        if (!is_sound(event, rank)) {
            ++found.damaged;
            continue;
        }
        if (last == nowhere || event.call != last_id) {
            const auto [entry, is_new] =
                found.position.try_emplace(event.call, static_cast<std::uint32_t>(found.calls.size()));
            if (is_new) {
                found.calls.emplace_back();
            }
            last_id = event.call;
            last = entry->second;
        }
        LocalCall& call = found.calls[last];
        if (is_enter(event)) {
            call.enter = &event;
        } else if (is_exit(event)) {
            call.exit = &event;
        } else {
            call_of_event[i] = last;
            ++call.events;
        }
    }
    return call_of_event;
}

}  // namespace

// Those of nonblocking calls lie between others': first their numbers, then their places
RankCalls calls_of(const RankTrace& rank) {
    RankCalls found;
    const std::vector<std::uint32_t> call_of_event = count_events(rank, found);
    std::uint32_t first = 0;
    for (LocalCall& call : found.calls) {
        call.first_event = first;
        first += call.events;
        call.events = 0;
    }
    found.events.resize(first);
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
        if (call_of_event[i] != nowhere) {
            LocalCall& call = found.calls[call_of_event[i]];
            found.events[call.first_event + call.events++] = &rank.events[i];
        }
    }
    return found;
}

}  // namespace tuner::trace
