// SPDX-License-Identifier: MIT
// The two ends of each message of a call.
#pragma once

#include <tuple>
#include <vector>

#include "match.hpp"
#include "rank_calls.hpp"

namespace tuner::trace {

class MessageMatcher {
  public:
    MessageMatcher(Matched& result, const std::vector<RankClock>& clocks,
                   const std::vector<RankCalls>& of_rank)
        : result_(result), clocks_(clocks), of_rank_(of_rank) {}

    // Adds the messages and the local work of a call to the result, what has no counterpart by its reason
    void match(std::uint32_t call);

  private:
    struct End {
        int source;  // places in the communicator
        int destination;
        std::uint32_t rank;
        const FileEvent* event;
        std::int64_t end_ns;

        // Messages of one do not overtake each other
        std::tuple<int, int, int> channel() const { return {source, destination, event->lane()}; }
    };

    void collect(const Call& call, const Participant& participant, const FileEvent& event);
    void end_with_send(std::uint32_t rank, const FileEvent& send);
    std::string reason_of_absence(std::uint32_t call, int place, const char* what) const;
    void add_message(const Call& call, const End& send, const End& receive);

    Matched& result_;
    const std::vector<RankClock>& clocks_;
    const std::vector<RankCalls>& of_rank_;
    std::vector<End> sends_;
    std::vector<End> receives_;
};

}  // namespace tuner::trace
