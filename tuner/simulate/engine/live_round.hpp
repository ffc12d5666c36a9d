// SPDX-License-Identifier: MIT
// A round of a schedule while it is played: its messages, and which of them each rank sends and receives.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "exchanged_bytes.hpp"
#include "representatives.hpp"
#include "schedule.hpp"

namespace tuner {

struct LiveMessage {
    int source;
    int destination;
    std::size_t bytes;
    double opposite_bytes;  // that the same two ranks send the other way meanwhile
    bool combines;
    int receiver;              // who plays the destination: itself, or the rank that stands for it
    bool is_eager = false;     // its sender does not wait
    bool is_sent = false;      // its sender has come to it
    bool is_expected = false;  // its receiver has
    bool has_arrived = false;
    bool is_moving = false;

    bool is_copy() const { return source == destination; }
};

// Which message of which round
struct MessageId {
    int round;
    std::uint32_t position;
};

class LiveRound {
  public:
    // `opposite_bytes`: of each message; empty: nobody asks for them
    // `of`: only these play; nullptr: all do
    LiveRound(const models::Round& round, int ranks, const std::vector<double>& opposite_bytes,
              const models::Representatives* of = nullptr);

    std::size_t size() const { return messages_.size(); }
    LiveMessage& message(std::uint32_t position) { return messages_[position]; }
    // Positions of messages. Local copies are among those that a rank sends.
    std::span<const std::uint32_t> sent_by(int rank) const { return sent_.of(rank); }
    std::span<const std::uint32_t> received_by(int rank) const { return received_.of(rank); }
    bool has_part_of(int rank) const { return !sent_by(rank).empty() || !received_by(rank).empty(); }

    std::size_t phase = 0;  // of the schedule
    int ranks_left = 0;     // that have not finished their part

  private:
    struct Lists {
        std::vector<std::uint32_t> begins;  // of each rank, and the end
        std::vector<std::uint32_t> positions;

        Lists(const std::vector<LiveMessage>& messages, int ranks, int LiveMessage::*rank, bool with_copies);
        std::span<const std::uint32_t> of(int rank) const {
            const auto r = static_cast<std::size_t>(rank);
            return std::span(positions).subspan(begins[r], begins[r + 1] - begins[r]);
        }
    };

    std::vector<LiveMessage> messages_;
    Lists sent_;
    Lists received_;
};

// The rounds of a schedule, made one by one
class LiveRounds {
  public:
    LiveRounds(const models::Schedule& schedule, int ranks, bool with_opposite,
               const models::Representatives* of = nullptr);
    // Adds the next one that has messages; false: there are no more
    bool next(std::deque<LiveRound>& into);

  private:
    const models::Schedule& schedule_;
    int ranks_;
    models::ExchangedBytes exchanged_;
    bool with_opposite_;
    const models::Representatives* of_;
    models::Round made_;
    std::size_t phase_ = 0;
    int round_ = 0;
};

}  // namespace tuner
