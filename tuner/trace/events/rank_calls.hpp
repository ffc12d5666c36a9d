// SPDX-License-Identifier: MIT
// The calls of one rank as its file has them: entry, exit, and the events between, grouped by call.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "reader.hpp"

namespace tuner::trace {

inline constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);

// A call as one rank saw it
struct LocalCall {
    const FileEvent* enter = nullptr;
    const FileEvent* exit = nullptr;
    std::uint32_t first_event = 0;  // of its messages and work, in RankCalls::events
    std::uint32_t events = 0;
    std::uint32_t call = nowhere;  // position in Matched::calls
};

struct RankCalls {
    std::vector<LocalCall> calls;
    std::unordered_map<std::uint32_t, std::uint32_t> position;  // by id
    std::vector<const FileEvent*> events;
    std::size_t damaged = 0;  // records that were left out

    std::span<const FileEvent* const> events_of(const LocalCall& call) const {
        return std::span(events).subspan(call.first_event, call.events);
    }
};

RankCalls calls_of(const RankTrace& rank);

}  // namespace tuner::trace
