// SPDX-License-Identifier: MIT
#include "call_data.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "pattern_parts.hpp"

namespace bench {

RankCall rank_call(const GroupSpec& group, const std::string& algorithm, int rank, int ranks,
                   std::span<const double> parameters) {
    const auto own = std::find_if(group.pairs.begin(), group.pairs.end(),
                                  [&](const Pair& pair) { return pair.root == rank || pair.peer == rank; });
    const Pair pair = own != group.pairs.end() ? *own
                      : group.pairs.empty()    ? Pair{group.root, -1}
                                               : group.pairs.front();
    return {.rank = rank,
            .ranks = ranks,
            .root = pair.root,
            .count = group.bytes / group.elements->size,
            .peer = pair.peer,
            .variant = group.pattern->variant_of(algorithm),
            .parameters = parameters};
}

namespace {

// In elements, besides the buffers of the collective
std::size_t scratch_count(const Pattern& pattern, const std::string& algorithm, const RankCall& call) {
    const MockUp* mock_up = find_mock_up(pattern, algorithm);
    return mock_up == nullptr ? 0 : mock_up->scratch(pattern, call);
}

}  // namespace

std::shared_ptr<const CallBuffers> buffers_for(const GroupSpec& group, int rank, int ranks) {
    std::size_t send = 0;
    std::size_t receive = 0;
    std::size_t scratch = 0;
    for (const std::string& algorithm : group.algorithms) {
        RankCall call = rank_call(group, algorithm, rank, ranks, group.parameters);
        for (const int root : {call.root, rank}) {  // any rank may become the root
            call.root = root;
            send = std::max(send, group.pattern->contents.send_count(call));
            receive = std::max(receive, group.pattern->contents.receive_count(call));
            scratch = std::max(scratch, scratch_count(*group.pattern, algorithm, call));
        }
    }
    const std::size_t size = group.elements->size;
    return std::make_shared<const CallBuffers>(
        CallBuffers{Buffer(size * send), Buffer(size * receive), Buffer(size * scratch)});
}

CallData::CallData(const GroupSpec& group, const std::string& algorithm, int rank, int ranks,
                   std::shared_ptr<const CallBuffers> buffers)
    : pattern_(*group.pattern),
      mock_up_(find_mock_up(pattern_, algorithm)),
      elements_(*group.elements),
      parameters_(group.parameters),
      call_(rank_call(group, algorithm, rank, ranks, parameters_)),
      in_place_(group.in_place),
      values_(pattern_.values.size()),
      buffers_(std::move(buffers)),
      counts_(static_cast<std::size_t>(ranks), static_cast<int>(call_.count)),
      displacements_(counts_.size()) {
    for (std::size_t r = 0; r < counts_.size(); ++r) {
        displacements_[r] = static_cast<int>(r * call_.count);
    }
}

void CallData::set_root(int root) {
    if (!pattern_.has_pairs()) {
        call_.root = root;
    }
}

void CallData::fill(std::size_t first_index) {
    const auto shifted = [first_index](Origin origin) {
        origin.index += first_index;
        return origin;
    };
    constexpr int no_result = 0xff;  // of a number, NaN
    std::memset(buffers_->receive.data(), no_result, buffers_->receive.size());
    elements_.fill(buffers_->send.data(), pattern_.contents.send_count(call_),
                   [&](std::size_t i) { return shifted(parts::own_element(call_, i)); });
    if (is_in_place()) {
        elements_.fill(buffers_->receive.data(), pattern_.contents.receive_count(call_),
                       [&](std::size_t i) { return shifted(pattern_.contents.in_place_input(call_, i)); });
    }
}

double CallData::call(MPI_Comm comm, const Clock& clock) {
    double seconds = -1;
    const bool passes_in_place = is_in_place() && pattern_.contents.in_place != InPlace::one_buffer;
    const Arguments arguments = {.comm = comm,
                                 .send = passes_in_place ? MPI_IN_PLACE : buffers_->send.data(),
                                 .receive = buffers_->receive.data(),
                                 .count = static_cast<int>(call_.count),
                                 .datatype = elements_.datatype,
                                 .operation = elements_.operation,
                                 .root = call_.root,
                                 .counts = counts_.data(),
                                 .displacements = displacements_.data(),
                                 .rank = call_.rank,
                                 .peer = call_.peer,
                                 .variant = call_.variant,
                                 .parameters = parameters_,
                                 .clock = &clock,
                                 .seconds = &seconds,
                                 .values = values_,
                                 .start = pattern_.start};
    if (mock_up_ == nullptr) {
        pattern_.call(arguments);
    } else {
        mock_up_->make(
            {pattern_, call_, arguments, static_cast<std::byte*>(buffers_->scratch.data()), elements_.size});
    }
    return seconds;
}

std::size_t CallData::wrong_elements() const {
    return elements_.wrong(buffers_->receive.data(), pattern_.contents.receive_count(call_),
                           [&](std::size_t i) { return pattern_.contents.result(call_, i); });
}

void CallData::digest(std::uint64_t& places, std::uint64_t& bits) const {
    const auto* const result = static_cast<const unsigned char*>(buffers_->receive.data());
    for (std::size_t i = 0; i < pattern_.contents.receive_count(call_); ++i) {
        const Origin origin = pattern_.contents.result(call_, i);
        if (origin.first <= origin.last) {
            const std::uint64_t place[] = {static_cast<std::uint64_t>(origin.first),
                                           static_cast<std::uint64_t>(origin.last), origin.index};
            places = add_to_digest(places, place, sizeof place);
            bits = add_to_digest(bits, result + i * elements_.size, elements_.size);
        }
    }
}

bool CallData::is_in_place() const {
    switch (pattern_.contents.in_place) {
        case InPlace::one_buffer:
            return call_.rank == call_.root;
        case InPlace::at_root:
            return in_place_ && call_.rank == call_.root;
        case InPlace::everywhere:
            return in_place_;
        default:
            return false;
    }
}

std::uint64_t add_to_digest(std::uint64_t digest, const void* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        digest = (digest ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3;
    }
    return digest;
}

std::size_t memory_of(const GroupSpec& group, int ranks) {
    std::size_t most = 0;
    const Pair pair = group.pairs.empty() ? Pair{group.root, group.root} : group.pairs.front();
    for (const int rank : {pair.root, pair.peer}) {
        std::size_t send = 0;
        std::size_t receive = 0;
        std::size_t scratch = 0;
        for (const std::string& algorithm : group.algorithms) {
            const RankCall call = rank_call(group, algorithm, rank, ranks, group.parameters);
            send = std::max(send, group.pattern->contents.send_count(call));
            receive = std::max(receive, group.pattern->contents.receive_count(call));
            scratch = std::max(scratch, scratch_count(*group.pattern, algorithm, call));
        }
        most = std::max(most, send + receive + scratch);
    }
    return most * group.elements->size;
}

}  // namespace bench
