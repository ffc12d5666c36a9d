// SPDX-License-Identifier: MIT
#include "mock_ups.hpp"

#include <algorithm>
#include <cstring>

#include "persistent_calls.hpp"
#include "resized_calls.hpp"

namespace bench {

namespace {

// The smallest block so that one for each rank holds the message
std::size_t padded_block(std::size_t count, int ranks) {
    return (count + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks);
}

std::size_t none(const Pattern&, const RankCall&) {
    return 0;
}
std::size_t one_block(const Pattern&, const RankCall& call) {
    return call.count;
}
std::size_t all_blocks(const Pattern&, const RankCall& call) {
    return call.count * static_cast<std::size_t>(call.ranks);
}
// A message in blocks, twice, and a block
std::size_t padded_messages(const Pattern&, const RankCall& call) {
    return padded_block(call.count, call.ranks) * (2 * static_cast<std::size_t>(call.ranks) + 1);
}

void allreduce_by_reduce_bcast(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Reduce(a.send, a.receive, a.count, a.datatype, a.operation, 0, a.comm);
    MPI_Bcast(a.receive, a.count, a.datatype, 0, a.comm);
}

// Each rank has its block of the combined vector in `own` then, in blocks of the returned size
struct Scattered {
    int block;
    std::byte* own;
    std::byte* rest;  // of the scratch memory: room for a message in blocks
};
Scattered reduce_scattered(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    const std::size_t block = padded_block(m.call.count, m.call.ranks);
    const void* send = a.send;
    if (block * m.ranks() != m.call.count) {
        m.copy(m.scratch, a.send, m.call.count);
        send = m.scratch;
    }
    const Scattered result = {static_cast<int>(block), m.scratch_at(block * m.ranks()),
                              m.scratch_at(block * (m.ranks() + 1))};
    MPI_Reduce_scatter_block(send, result.own, result.block, a.datatype, a.operation, a.comm);
    return result;
}

void allreduce_by_reduce_scatter_allgather(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    const Scattered s = reduce_scattered(m);
    const bool is_padded = static_cast<std::size_t>(s.block) * m.ranks() != m.call.count;
    void* const result = is_padded ? s.rest : a.receive;
    MPI_Allgather(s.own, s.block, a.datatype, result, s.block, a.datatype, a.comm);
    if (is_padded) {
        m.copy(a.receive, result, m.call.count);
    }
}

void reduce_by_reduce_scatter_gather(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    const Scattered s = reduce_scattered(m);
    const bool is_padded = static_cast<std::size_t>(s.block) * m.ranks() != m.call.count;
    void* const result = is_padded ? s.rest : a.receive;
    MPI_Gather(s.own, s.block, a.datatype, result, s.block, a.datatype, a.root, a.comm);
    if (is_padded && m.is_root()) {
        m.copy(a.receive, result, m.call.count);
    }
}

void reduce_by_allreduce(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Allreduce(a.send, m.is_root() ? a.receive : m.scratch, a.count, a.datatype, a.operation, a.comm);
}

void bcast_by_scatter_allgather(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    const std::size_t block = padded_block(m.call.count, m.call.ranks);
    const int count = static_cast<int>(block);
    const bool is_padded = block * m.ranks() != m.call.count;
    void* const message = is_padded ? m.scratch : a.receive;
    std::byte* const own = m.scratch_at(block * m.ranks());
    if (is_padded && m.is_root()) {
        m.copy(message, a.receive, m.call.count);
    }
    MPI_Scatter(message, count, a.datatype, own, count, a.datatype, a.root, a.comm);
    MPI_Allgather(own, count, a.datatype, message, count, a.datatype, a.comm);
    if (is_padded && !m.is_root()) {
        m.copy(a.receive, message, m.call.count);
    }
}

void allgather_by_gather_bcast(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Gather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, 0, a.comm);
    MPI_Bcast(a.receive, a.count * m.call.ranks, a.datatype, 0, a.comm);
}

void allgather_by_gatherv_bcast(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Gatherv(a.send, a.count, a.datatype, a.receive, a.counts, a.displacements, a.datatype, 0, a.comm);
    MPI_Bcast(a.receive, a.count * m.call.ranks, a.datatype, 0, a.comm);
}

void allgather_by_allgatherv(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Allgatherv(a.send, a.count, a.datatype, a.receive, a.counts, a.displacements, a.datatype, a.comm);
}

void allgather_by_alltoall(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    for (std::size_t rank = 0; rank < m.ranks(); ++rank) {
        m.copy(m.scratch_at(rank * m.call.count), a.send, m.call.count);
    }
    MPI_Alltoall(m.scratch, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm);
}

void alltoall_by_alltoallv(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Alltoallv(a.send, a.counts, a.displacements, a.datatype, a.receive, a.counts, a.displacements,
                  a.datatype, a.comm);
}

void gather_by_allgather(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Allgather(a.send, a.count, a.datatype, m.is_root() ? a.receive : m.scratch, a.count, a.datatype,
                  a.comm);
}

void scatter_by_bcast(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    void* const message = m.is_root() ? const_cast<void*>(a.send) : m.scratch;  // the root's is only read
    MPI_Bcast(message, a.count * m.call.ranks, a.datatype, a.root, a.comm);
    m.copy(a.receive, static_cast<std::byte*>(message) + m.rank() * m.call.count * m.element_bytes,
           m.call.count);
}

void reduce_scatter_by_allreduce(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Allreduce(a.send, m.scratch, a.count * m.call.ranks, a.datatype, a.operation, a.comm);
    m.copy(a.receive, m.scratch_at(m.rank() * m.call.count), m.call.count);
}

void reduce_scatter_by_reduce_scatter(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Reduce_scatter(a.send, a.receive, a.counts, a.datatype, a.operation, a.comm);
}

void reduce_scatter_by_reduce_scattering(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Reduce(a.send, m.scratch, a.count * m.call.ranks, a.datatype, a.operation, 0, a.comm);
    MPI_Scatter(m.scratch, a.count, a.datatype, a.receive, a.count, a.datatype, 0, a.comm);
}

void reduce_scatter_by_reduce_scatterv(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Reduce(a.send, m.scratch, a.count * m.call.ranks, a.datatype, a.operation, 0, a.comm);
    MPI_Scatterv(m.scratch, a.counts, a.displacements, a.datatype, a.receive, a.count, a.datatype, 0, a.comm);
}

void scan_by_exscan(const MockUpCall& m) {
    const Arguments& a = m.arguments;
    MPI_Exscan(a.send, m.scratch, a.count, a.datatype, a.operation, a.comm);
    m.copy(a.receive, a.send, m.call.count);
    if (m.call.rank > 0) {
        MPI_Reduce_local(m.scratch, a.receive, a.count, a.datatype, a.operation);
    }
}

void barrier_by_allreduce(const MockUpCall& m) {
    const int one = 1;
    int ranks = 0;
    MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, m.arguments.comm);
}

void call_in_place(const MockUpCall& m) {
    Arguments arguments = m.arguments;
    const bool has_own_block =
        m.pattern.contents.send_count(m.call) < m.pattern.contents.receive_count(m.call);
    const std::size_t at = has_own_block ? m.rank() * m.call.count : 0;
    m.copy(static_cast<std::byte*>(arguments.receive) + at * m.element_bytes, arguments.send, m.call.count);
    arguments.send = MPI_IN_PLACE;
    m.pattern.call(arguments);
}

void call_nonblocking(const MockUpCall& m) {
    MPI_Request request = MPI_REQUEST_NULL;
    m.pattern.start(m.arguments, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void call_blocking(const MockUpCall& m) {
    find_pattern(m.pattern.name.substr(1))->call(m.arguments);
}

constexpr MockUp table[] = {
    {"allgather", "mockup:allgatherv", allgather_by_allgatherv, none},
    {"allgather", "mockup:alltoall", allgather_by_alltoall, all_blocks},
    {"allgather", "mockup:gather+bcast", allgather_by_gather_bcast, none},
    {"allgather", "mockup:in_place", call_in_place, none},
    {"allgatherv", "mockup:gatherv+bcast", allgather_by_gatherv_bcast, none},
    {"allreduce", "mockup:in_place", call_in_place, none},
    {"allreduce", "mockup:reduce+bcast", allreduce_by_reduce_bcast, none},
    {"allreduce", "mockup:reduce_scatter_block+allgather", allreduce_by_reduce_scatter_allgather,
     padded_messages},
    {"alltoall", "mockup:alltoallv", alltoall_by_alltoallv, none},
    {"barrier", "mockup:allreduce", barrier_by_allreduce, none},
    {"bcast", "mockup:scatter+allgather", bcast_by_scatter_allgather, padded_messages},
    {"gather", "mockup:allgather", gather_by_allgather, all_blocks},
    {"reduce", "mockup:allreduce", reduce_by_allreduce, one_block},
    {"reduce", "mockup:reduce_scatter_block+gather", reduce_by_reduce_scatter_gather, padded_messages},
    {"reduce_scatter", "mockup:allreduce", reduce_scatter_by_allreduce, all_blocks},
    {"reduce_scatter", "mockup:reduce+scatterv", reduce_scatter_by_reduce_scatterv, all_blocks},
    {"reduce_scatter_block", "mockup:allreduce", reduce_scatter_by_allreduce, all_blocks},
    {"reduce_scatter_block", "mockup:reduce+scatter", reduce_scatter_by_reduce_scattering, all_blocks},
    {"reduce_scatter_block", "mockup:reduce_scatter", reduce_scatter_by_reduce_scatter, none},
    {"scan", "mockup:exscan+reduce_local", scan_by_exscan, one_block},
    {"scan", "mockup:in_place", call_in_place, none},
    {"scatter", "mockup:bcast", scatter_by_bcast, all_blocks},
    {"", "mockup:double_size", resized::call_with_double_size, resized::scratch_of_double_size, 1},
    {"", "mockup:two_halves", resized::call_in_halves, resized::scratch_of_halves, 2},
    {"", "mockup:nonblocking", call_nonblocking, none},
    {"", "mockup:blocking", call_blocking, none},
    {"", "mockup:persistent", call_persistent, none, 0, why_no_persistent_calls},
};

// Only those that are the right side of a guideline for it
bool is_for(const MockUp& mock_up, const Pattern& pattern) {
    const std::vector<models::Guideline> guidelines = models::guidelines_of(pattern.name);
    return (mock_up.collective.empty() || mock_up.collective == pattern.name) &&
           std::any_of(guidelines.begin(), guidelines.end(),
                       [&](const models::Guideline& row) { return row.mock_up == mock_up.name; });
}

}  // namespace

void MockUpCall::copy(void* to, const void* from, std::size_t count) const {
    if (count > 0) {
        std::memcpy(to, from, count * element_bytes);
    }
}

const MockUp* find_mock_up(const Pattern& pattern, std::string_view algorithm) {
    const auto* found = std::find_if(std::begin(table), std::end(table), [&](const MockUp& row) {
        return row.name == algorithm && is_for(row, pattern);
    });
    return found == std::end(table) ? nullptr : found;
}

std::string mock_up_names(const Pattern& pattern) {
    std::string names;
    for (const MockUp& row : table) {
        if (is_for(row, pattern)) {
            names += (names.empty() ? "" : ", ") + std::string(row.name);
        }
    }
    return names;
}

}  // namespace bench
