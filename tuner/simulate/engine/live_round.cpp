// SPDX-License-Identifier: MIT
#include "live_round.hpp"

namespace tuner {

namespace {

std::vector<LiveMessage> messages_of(const models::Round& round, const std::vector<double>& opposite_bytes,
                                     const models::Representatives* of) {
    std::vector<LiveMessage> messages;
    messages.reserve(round.messages().size());
    for (std::size_t i = 0; i < round.messages().size(); ++i) {
        const models::Message& message = round.messages()[i];
        if (of == nullptr || of->is_one(message.source)) {
            messages.push_back({message.source, message.destination, message.bytes,
                                opposite_bytes.empty() ? 0 : opposite_bytes[i],
                                message.effect != models::Effect::store,
                                of == nullptr ? message.destination : of->of(message.destination)});
        }
    }
    return messages;
}

}  // namespace

LiveRound::Lists::Lists(const std::vector<LiveMessage>& messages, int ranks, int LiveMessage::*rank,
                        bool with_copies)
    : begins(static_cast<std::size_t>(ranks) + 1) {
    const auto belongs = [&](const LiveMessage& message) { return with_copies || !message.is_copy(); };
    for (const LiveMessage& message : messages) {
        begins[static_cast<std::size_t>(message.*rank) + 1] += belongs(message);
    }
    for (std::size_t r = 1; r < begins.size(); ++r) {
        begins[r] += begins[r - 1];
    }
    positions.resize(begins.back());
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (belongs(messages[i])) {
            positions[next[static_cast<std::size_t>(messages[i].*rank)]++] = static_cast<std::uint32_t>(i);
        }
    }
}

LiveRound::LiveRound(const models::Round& round, int ranks, const std::vector<double>& opposite_bytes,
                     const models::Representatives* of)
    : messages_(messages_of(round, opposite_bytes, of)),
      sent_(messages_, ranks, &LiveMessage::source, true),
      received_(messages_, ranks, &LiveMessage::receiver, false) {
    for (int rank = 0; rank < ranks; ++rank) {
        ranks_left += has_part_of(rank);
    }
}

LiveRounds::LiveRounds(const models::Schedule& schedule, int ranks, bool with_opposite,
                       const models::Representatives* of)
    : schedule_(schedule),
      ranks_(ranks),
      exchanged_(ranks),
      with_opposite_(with_opposite),
      of_(of),
      made_(of == nullptr ? models::Round(models::Round::Detail::sizes) : models::Round(of)) {}

bool LiveRounds::next(std::deque<LiveRound>& into) {
    static const std::vector<double> nothing;
    for (; phase_ < schedule_.size(); ++phase_, round_ = 0) {
        while (round_ < schedule_[phase_].rounds) {
            made_.clear();
            schedule_[phase_].make(round_++, made_);
            if (!made_.messages().empty()) {
                into.emplace_back(made_, ranks_, with_opposite_ ? exchanged_.of(made_) : nothing, of_);
                into.back().phase = phase_;
                return true;
            }
        }
    }
    return false;
}

}  // namespace tuner
