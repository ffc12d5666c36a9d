// SPDX-License-Identifier: MIT
#include "resized_calls.hpp"

#include <algorithm>

namespace bench::resized {

namespace {

// How many blocks of the message size a buffer has
std::size_t blocks_to_send(const Pattern& pattern, const RankCall& call) {
    return pattern.contents.send_count(call) / call.count;
}
std::size_t blocks_to_receive(const Pattern& pattern, const RankCall& call) {
    return pattern.contents.receive_count(call) / call.count;
}

// Some elements of each block, in blocks of `padded` elements
struct Part {
    std::size_t first;
    std::size_t count;
    std::size_t padded;
};

std::size_t scratch_for(const Pattern& pattern, const RankCall& call, std::size_t padded) {
    return (blocks_to_send(pattern, call) + blocks_to_receive(pattern, call)) * padded;
}

// Part of a message of one block: no copies
void call_directly(const MockUpCall& m, const Part& part) {
    const auto behind_first = [&](auto* buffer) {  // which some ranks do not have
        return buffer == nullptr ? buffer : buffer + part.first * m.element_bytes;
    };
    Arguments arguments = m.arguments;
    arguments.send = behind_first(static_cast<const std::byte*>(arguments.send));
    arguments.receive = behind_first(static_cast<std::byte*>(arguments.receive));
    arguments.count = static_cast<int>(part.count);
    m.pattern.call(arguments);
}

void call_packed(const MockUpCall& m, const Part& part) {
    const std::size_t sent = blocks_to_send(m.pattern, m.call);
    const std::size_t received = blocks_to_receive(m.pattern, m.call);
    const auto offset = [&](std::size_t block) {
        return (block * m.call.count + part.first) * m.element_bytes;
    };
    const auto* send = static_cast<const std::byte*>(m.arguments.send);
    auto* receive = static_cast<std::byte*>(m.arguments.receive);
    std::byte* const result = m.scratch_at(sent * part.padded);
    for (std::size_t block = 0; block < sent; ++block) {
        m.copy(m.scratch_at(block * part.padded), send + offset(block), part.count);
    }
    if (m.pattern.contents.in_place == InPlace::one_buffer && m.is_root()) {
        m.copy(result, receive + offset(0), part.count);
    }
    const std::vector<int> counts(m.ranks(), static_cast<int>(part.padded));
    std::vector<int> displacements(m.ranks());
    for (std::size_t rank = 0; rank < m.ranks(); ++rank) {
        displacements[rank] = static_cast<int>(rank * part.padded);
    }
    Arguments arguments = m.arguments;
    arguments.send = m.scratch;
    arguments.receive = result;
    arguments.count = static_cast<int>(part.padded);
    arguments.counts = counts.data();
    arguments.displacements = displacements.data();
    m.pattern.call(arguments);
    for (std::size_t block = 0; block < received; ++block) {
        const Origin origin = m.pattern.contents.result(m.call, block * m.call.count);
        if (origin.first <= origin.last) {  // else the collective leaves it undefined
            m.copy(receive + offset(block), m.scratch_at((sent + block) * part.padded), part.count);
        }
    }
}

}  // namespace

std::size_t scratch_of_double_size(const Pattern& pattern, const RankCall& call) {
    return call.count == 0 ? 0 : scratch_for(pattern, call, 2 * call.count);
}

void call_with_double_size(const MockUpCall& m) {
    call_packed(m, {0, m.call.count, 2 * m.call.count});
}

std::size_t scratch_of_halves(const Pattern& pattern, const RankCall& call) {
    return call.count == 0 ? 0 : scratch_for(pattern, call, call.count - call.count / 2);
}

void call_in_halves(const MockUpCall& m) {
    const std::size_t most_blocks =
        std::max(blocks_to_send(m.pattern, m.call), blocks_to_receive(m.pattern, m.call));
    const auto call = most_blocks <= 1 && m.ranks() > 1 ? call_directly : call_packed;
    const std::size_t half = m.call.count / 2;
    call(m, {0, half, half});
    call(m, {half, m.call.count - half, m.call.count - half});
}

}  // namespace bench::resized
