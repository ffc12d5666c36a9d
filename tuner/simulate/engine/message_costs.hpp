// SPDX-License-Identifier: MIT
// What one message costs on a machine, by where its ranks are and by its protocol
#pragma once

#include "live_round.hpp"
#include "player.hpp"

namespace tuner {

// Messages cost more if the same two ranks send the other way meanwhile
inline bool needs_opposite(const SimulatedMachine& machine) {
    return machine.parameters.between.opposite_seconds_per_byte > 0 ||
           machine.parameters.within.opposite_seconds_per_byte > 0;
}

class MessageCosts {
  public:
    explicit MessageCosts(const SimulatedJob& job);

    bool is_within(const LiveMessage& of) const { return node(of.source) == node(of.destination); }
    bool is_eager(const LiveMessage& of) const { return position_of_segment(of) == 0; }
    const models::LinkCosts& link(const LiveMessage& of) const {
        return is_within(of) ? job_.machine.parameters.within : job_.machine.parameters.between;
    }
    const models::ProtocolSegment& segment(const LiveMessage& of) const {
        return link(of).segments[position_of_segment(of)];
    }
    double slowness(const LiveMessage& of) const;      // a factor; above 1 with a slow node
    double core_seconds(const LiveMessage& of) const;  // of its bytes, where cores are shared
    // Between nodes: a message has its interface for a gap and for its bytes, in terms of what moves in that
    // time
    double payload(const LiveMessage& of, double bytes_per_second) const;
    double latency_without_overheads(const LiveMessage& of) const;  // nor, between nodes, the gap

  private:
    int node(int rank) const { return job_.layout.node_of_rank[static_cast<std::size_t>(rank)]; }
    std::size_t position_of_segment(const LiveMessage& of) const {
        return link(of).segment_of(static_cast<double>(of.bytes));
    }

    const SimulatedJob& job_;
    int slow_node_;
};

}  // namespace tuner
