// SPDX-License-Identifier: MIT
#include "waiting_bytes.hpp"

#include <algorithm>

namespace models {

WaitingBytes::WaitingBytes(const RankPlacement& layout, const Representatives& representatives)
    : layout_(layout),
      representatives_(representatives),
      sent_(1),
      last_sent_(static_cast<std::size_t>(layout.ranks()), nothing),
      received_(last_sent_.size()),
      node_bytes_(static_cast<std::size_t>(layout.nodes)) {}

void WaitingBytes::add(const Round& round, int times) {
    for (int i = 0; i < times; ++i) {
        add(round);
        if (everybody_waited()) {
            sent_.resize(1);
            break;  // the other times begin with nothing and end with nothing
        }
    }
}

double WaitingBytes::sum() const {
    double sum = 0;
    for (std::size_t round = 0; round < waiting_.size(); ++round) {
        double most = busiest_[round];
        for (const auto& [node, waiting] : waiting_[round]) {
            if (waiting.messages > 1) {
                most = std::max(most, waiting.bytes);
            }
        }
        sum += most - busiest_[round];
    }
    return sum;
}

void WaitingBytes::add(const Round& round) {
    count_node_bytes(round);
    busiest_.push_back(*std::max_element(node_bytes_.begin(), node_bytes_.end()));
    waiting_.emplace_back();
    for (const Message& message : round.messages()) {
        if (is_between(message) && representatives_.is_one(message.source)) {
            send(message);
        }
    }
    receive(round);
}

void WaitingBytes::count_node_bytes(const Round& round) {
    std::fill(node_bytes_.begin(), node_bytes_.end(), 0.0);
    for (const Message& message : round.messages()) {
        if (is_between(message)) {
            node_bytes_of(message.source) += static_cast<double>(message.bytes);
        }
    }
}

void WaitingBytes::send(const Message& message) {
    const auto now = static_cast<int>(busiest_.size()) - 1;
    std::size_t& last = last_sent_[static_cast<std::size_t>(message.source)];
    const int first_round = last == nothing ? now : sent_[last].first_round;
    // a stream that is in use sends this after what it has already
    if (first_round != now && !is_in_use(message, last)) {
        delay_earlier(message, last);
    }
    sent_.push_back(
        {last, now, first_round, message.source, message.destination, node_bytes_of(message.source)});
    last = sent_.size() - 1;
}

bool WaitingBytes::is_in_use(const Message& stream, std::size_t last) const {
    while (last != nothing &&
           (sent_[last].source != stream.source || sent_[last].destination != stream.destination)) {
        last = sent_[last].one_before;
    }
    return last != nothing;
}

// What was sent in earlier rounds arrives later because of this message.
void WaitingBytes::delay_earlier(const Message& message, std::size_t last) {
    auto counted_round = static_cast<int>(busiest_.size()) - 1;
    for (; last != nothing; last = sent_[last].one_before) {
        const Sent& earlier = sent_[last];
        if (earlier.round != counted_round) {
            counted_round = earlier.round;
            Waiting& waiting = waiting_[static_cast<std::size_t>(earlier.round)]
                                   .try_emplace(node_of(message.source), Waiting{earlier.node_bytes})
                                   .first->second;
            waiting.bytes += static_cast<double>(message.bytes);
            ++waiting.messages;
        }
    }
}

// A rank that receives from another node has waited for it. A rank that receives within its node continues
// from the sender's state.
void WaitingBytes::receive(const Round& round) {
    std::copy(last_sent_.begin(), last_sent_.end(), received_.begin());
    for (const Message& message : round.messages()) {
        if (!is_between(message) && message.source != message.destination) {
            received_[static_cast<std::size_t>(message.destination)] =
                last_sent_[static_cast<std::size_t>(message.source)];
        }
    }
    for (const Message& message : round.messages()) {
        if (is_between(message)) {
            received_[static_cast<std::size_t>(message.destination)] = nothing;
        }
    }
    last_sent_.swap(received_);
}

bool WaitingBytes::everybody_waited() const {
    return std::all_of(last_sent_.begin(), last_sent_.end(),
                       [](std::size_t last) { return last == nothing; });
}

}  // namespace models
