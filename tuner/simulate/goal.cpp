// SPDX-License-Identifier: MIT
#include "goal.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tuner {

namespace {

// The operations of one rank. Those of a round wait for all of the round before, by an empty operation
// between them.
class GoalRank {
  public:
    void send(std::size_t bytes, int to, int tag) {
        add(fmt::format("send {}b to {} tag {}", bytes, to, tag), between_);
    }
    void receive(std::size_t bytes, int from, int tag, double then_seconds) {
        const int received = add(fmt::format("recv {}b from {} tag {}", bytes, from, tag), between_);
        if (then_seconds > 0) {
            add(calculation(then_seconds), received);
        }
    }
    void copy(double seconds) {
        if (seconds > 0) {
            between_ = add(calculation(seconds), between_);  // what it sends comes behind
        }
    }
    void end_round() {
        if (in_round_.empty()) {
            return;
        }
        const int next = ++last_;
        text_ += fmt::format("l{}: calc 0\n", next);
        for (const int operation : in_round_) {
            text_ += fmt::format("l{} requires l{}\n", next, operation);
        }
        in_round_.clear();
        between_ = next;
    }
    const std::string& text() const { return text_; }

  private:
    static std::string calculation(double seconds) {
        return fmt::format("calc {}", std::llround(1e9 * seconds));  // nanoseconds
    }
    int add(const std::string& operation, int after) {
        text_ += fmt::format("l{}: {}\n", ++last_, operation);
        if (after > 0) {
            text_ += fmt::format("l{} requires l{}\n", last_, after);
        }
        in_round_.push_back(last_);
        return last_;
    }

    std::string text_;
    std::vector<int> in_round_;
    int last_ = 0;
    int between_ = 0;  // the operation for which those of this round wait; 0: none
};

void add_round(std::vector<GoalRank>& ranks, const models::Round& round, int number, const GoalCosts& costs) {
    const auto rank = [&](int r) -> GoalRank& { return ranks[static_cast<std::size_t>(r)]; };
    const auto seconds_of = [&](const models::Message& message, double per_byte) {
        return per_byte * static_cast<double>(message.bytes);
    };
    for (const models::Message& message : round.messages()) {
        if (message.source == message.destination) {
            rank(message.source)
                .copy(seconds_of(message,
                                 message.effect == models::Effect::store ? costs.copy : costs.combine));
        }
    }
    for (const models::Message& message : round.messages()) {
        if (message.source != message.destination) {
            rank(message.source).send(message.bytes, message.destination, number);
            rank(message.destination)
                .receive(message.bytes, message.source, number,
                         message.effect == models::Effect::store ? 0 : seconds_of(message, costs.combine));
        }
    }
    for (GoalRank& of : ranks) {
        of.end_round();
    }
}

}  // namespace

std::string to_goal(const models::Schedule& schedule, int ranks, const GoalCosts& costs) {
    std::vector<GoalRank> all(static_cast<std::size_t>(ranks));
    int number = 0;
    models::for_each_round(schedule,
                           [&](const models::Round& round) { add_round(all, round, number++, costs); });
    std::string text = fmt::format("num_ranks {}\n", ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        text += fmt::format("\nrank {} {{\n{}}}\n", rank, all[static_cast<std::size_t>(rank)].text());
    }
    return text;
}

}  // namespace tuner
