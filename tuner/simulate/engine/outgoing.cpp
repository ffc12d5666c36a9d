// SPDX-License-Identifier: MIT
#include "outgoing.hpp"

namespace tuner {

bool Outgoing::enter(const Message& message) {
    std::deque<MessageId>& stream = streams_[stream_of(message)];
    stream.push_back(message.id);
    if (stream.size() > 1) {
        return false;
    }
    Interface& interface = interfaces_[static_cast<std::size_t>(message.node)];
    if (interface.moving < most_moving_from_a_node) {
        ++interface.moving;
        return true;
    }
    interface.waiting.push_back(message.id);
    return false;
}

std::optional<MessageId> Outgoing::leave(const Message& message) {
    Interface& interface = interfaces_[static_cast<std::size_t>(message.node)];
    const auto stream = streams_.find(stream_of(message));
    stream->second.pop_front();
    if (stream->second.empty()) {
        streams_.erase(stream);
    } else {
        interface.waiting.push_back(stream->second.front());
    }
    if (interface.waiting.empty()) {
        --interface.moving;
        return std::nullopt;
    }
    const MessageId next = interface.waiting.front();
    interface.waiting.pop_front();
    return next;
}

}  // namespace tuner
