// SPDX-License-Identifier: MIT
// What nodes have yet to send when they start a message: bytes of later rounds that they send without waiting
// for another node in between (`Contention::has_streams`).
#pragma once

#include <map>
#include <vector>

#include "schedule.hpp"

namespace models {

class WaitingBytes {
  public:
    WaitingBytes(const RankPlacement& layout, const Representatives& representatives);
    // The same round so many times in a row
    void add(const Round& round, int times);
    // Over the rounds, at the busiest node of each
    double sum() const;

  private:
    // What a rank sent, or the one of its node whose message it waited for, since they last waited for
    // another node: a list from the last message to the first. Ranks share what they have in common.
    struct Sent {
        std::size_t one_before;  // position in `sent_`
        int round;
        int first_round;  // of the list
        int source;
        int destination;
        double node_bytes;  // that its node sends in this round
    };
    static constexpr std::size_t nothing = 0;  // a position that no message has
    struct Waiting {
        double bytes;  // with what the node sends in that round by itself
        int messages = 0;
    };

    int node_of(int rank) const { return layout_.node_of_rank[static_cast<std::size_t>(rank)]; }
    double& node_bytes_of(int rank) { return node_bytes_[static_cast<std::size_t>(node_of(rank))]; }
    bool is_between(const Message& message) const {
        return node_of(message.source) != node_of(message.destination);
    }
    void add(const Round& round);
    void count_node_bytes(const Round& round);
    void send(const Message& message);
    bool is_in_use(const Message& stream, std::size_t last) const;
    void delay_earlier(const Message& message, std::size_t last);
    void receive(const Round& round);
    bool everybody_waited() const;

    const RankPlacement& layout_;
    const Representatives& representatives_;
    std::vector<Sent> sent_;
    std::vector<std::size_t> last_sent_;  // of each rank
    std::vector<std::size_t> received_;   // of each rank that receives within its node, in this round
    std::vector<double> node_bytes_;      // in this round
    std::vector<double> busiest_;         // bytes of each round
    std::vector<std::map<int, Waiting>> waiting_;  // of each round, by node; only where something waits
};

}  // namespace models
