// SPDX-License-Identifier: MIT
// The order in which messages leave their nodes. Those from one rank to another follow each other; of very
// many of a node, some move and the others wait: its interface is busy anyway.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "live_round.hpp"

namespace tuner {

inline constexpr int most_moving_from_a_node = 16;

class Outgoing {
  public:
    Outgoing(int nodes, int ranks)
        : ranks_(static_cast<std::uint64_t>(ranks)), interfaces_(static_cast<std::size_t>(nodes)) {}

    struct Message {
        MessageId id;
        int source;
        int destination;
        int node;  // of the source
    };
    bool enter(const Message& message);  // it may move now; else later
    // A message that moved has left: the one that may move now in its place, if there is one
    std::optional<MessageId> leave(const Message& message);

  private:
    struct Interface {
        int moving = 0;
        std::deque<MessageId> waiting;
    };
    std::uint64_t stream_of(const Message& message) const {
        return static_cast<std::uint64_t>(message.source) * ranks_ +
               static_cast<std::uint64_t>(message.destination);
    }

    std::uint64_t ranks_;
    std::unordered_map<std::uint64_t, std::deque<MessageId>>
        streams_;  // that have messages, the first one moves
    std::vector<Interface> interfaces_;
};

}  // namespace tuner
