// SPDX-License-Identifier: MIT
#include "exchanged_bytes.hpp"

#include <algorithm>
#include <utility>

namespace models {

ExchangedBytes::ExchangedBytes(int ranks)
    : sent_{std::vector<std::size_t>(static_cast<std::size_t>(ranks)), {}},
      received_(sent_),
      bytes_from_(static_cast<std::size_t>(ranks)) {}

void ExchangedBytes::Lists::clear(std::size_t messages) {
    std::fill(last_of_rank.begin(), last_of_rank.end(), 0);
    one_before.assign(messages + 1, 0);
}

void ExchangedBytes::Lists::add(std::size_t position, int rank) {
    std::size_t& last = last_of_rank[static_cast<std::size_t>(rank)];
    one_before[position] = std::exchange(last, position);
}

// Without local copies, of which a rank can have one for every other rank in a round
void ExchangedBytes::make_lists(const Round& round) {
    const std::vector<Message>& messages = round.messages();
    sent_.clear(messages.size());
    received_.clear(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (messages[i].source != messages[i].destination) {
            sent_.add(i + 1, messages[i].source);
            received_.add(i + 1, messages[i].destination);
        }
    }
}

const std::vector<double>& ExchangedBytes::of(const Round& round) {
    const std::vector<Message>& messages = round.messages();
    make_lists(round);
    exchanged_.assign(messages.size(), 0.0);
    for (std::size_t rank = 0; rank < bytes_from_.size(); ++rank) {
        const auto bytes_from = [&](int source) -> std::size_t& {
            return bytes_from_[static_cast<std::size_t>(source)];
        };
        const std::size_t last_received = received_.last_of_rank[rank];
        for (std::size_t i = last_received; i != 0; i = received_.one_before[i]) {
            bytes_from(messages[i - 1].source) += messages[i - 1].bytes;
        }
        for (std::size_t i = sent_.last_of_rank[rank]; i != 0; i = sent_.one_before[i]) {
            const Message& message = messages[i - 1];
            exchanged_[i - 1] = static_cast<double>(std::min(message.bytes, bytes_from(message.destination)));
        }
        for (std::size_t i = last_received; i != 0; i = received_.one_before[i]) {
            bytes_from(messages[i - 1].source) = 0;
        }
    }
    return exchanged_;
}

}  // namespace models
