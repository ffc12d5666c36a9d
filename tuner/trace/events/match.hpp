// SPDX-License-Identifier: MIT
// Puts together what belongs together: the calls of all ranks that are one call, and the two ends of each
// message, with all times on one clock. What has no counterpart is counted by reason.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "clock.hpp"
#include "reader.hpp"

namespace tuner::trace {

inline constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);

struct Communicator {
    std::vector<int> members;  // world ranks
    std::vector<int> nodes;    // of the members; -1: their file is missing
    std::uint32_t kind = 0;
};

// A rank in a call
struct Participant {
    std::uint32_t call = nowhere;
    int place = 0;            // its rank in the call's communicator
    std::uint32_t rank = 0;   // position in Trace::ranks
    std::uint32_t local = 0;  // which of its rank's calls it is
    std::int64_t enter_ns = 0;
    std::int64_t exit_ns = 0;
};

// One call of a collective, on all of its ranks
struct Call {
    std::uint32_t communicator = 0;
    std::uint32_t sequence = 0;
    std::string_view collective;
    std::string_view algorithm;  // empty: not known
    std::uint64_t bytes = 0;     // the largest of its ranks
    int root = -1;
    bool is_nonblocking = false;
    std::uint32_t outermost = nowhere;  // the call that it is part of; itself
    bool is_complete = false;           // all members are there, from entry to exit
    std::uint32_t first_participant = 0;
    std::uint32_t participants = 0;
};

// Both ends. Ranks are positions in Trace::ranks.
struct Message {
    std::uint32_t outermost = nowhere;  // call
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint32_t stage = 0;  // see stages.hpp
    std::uint64_t bytes = 0;
    std::int64_t send_posted_ns = 0;
    std::int64_t send_ended_ns = 0;
    std::int64_t receive_posted_ns = 0;
    std::int64_t receive_ended_ns = 0;
    bool is_between_nodes = false;

    // both sides are there: only the network, or what moves the bytes, is left to wait for
    std::int64_t started_ns() const {
        return std::min(std::max(send_posted_ns, receive_posted_ns), receive_ended_ns);
    }
    // a sender that is not held up until its receiver is there (eager)
    bool is_sent_freely() const { return send_ended_ns < receive_posted_ns; }
    double transfer_seconds() const { return 1e-9 * static_cast<double>(receive_ended_ns - started_ns()); }
};

// A copy or a reduction
struct LocalWork {
    std::uint32_t outermost = nowhere;
    std::uint32_t rank = 0;
    bool is_reduction = false;
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
};

struct Alignment {
    std::int64_t largest_error_ns = 0;   // of a rank against rank 0
    std::vector<int> unknown;            // world ranks without synchronisation
    std::size_t messages_too_early = 0;  // arrived before they were sent, by more than both ranks' errors
    std::int64_t largest_too_early_ns = 0;
};

struct Matched {
    const Trace* trace = nullptr;
    std::vector<Communicator> communicators;
    std::vector<Call> calls;
    std::vector<Participant> participants;     // by call, then by place
    std::vector<Message> messages;             // by outermost call
    std::vector<LocalWork> works;              // by outermost call
    std::vector<std::uint32_t> first_message;  // of each call, and one behind the last
    std::vector<std::uint32_t> first_work;
    Alignment alignment;
    std::map<std::string, std::size_t> unmatched_calls;     // by reason; calls of a rank
    std::map<std::string, std::size_t> unmatched_messages;  // by reason; sends and receives
    std::map<std::string, std::size_t> remarks;             // what does not fit, and is used nevertheless

    std::span<const Participant> participants_of(std::uint32_t call) const {
        return std::span(participants).subspan(calls[call].first_participant, calls[call].participants);
    }
    std::span<const Message> messages_of(std::uint32_t call) const {
        return std::span(messages).subspan(first_message[call],
                                           first_message[call + 1] - first_message[call]);
    }
    std::span<const LocalWork> works_of(std::uint32_t call) const {
        return std::span(works).subspan(first_work[call], first_work[call + 1] - first_work[call]);
    }
    bool is_outermost(std::uint32_t call) const { return calls[call].outermost == call; }
    int node_of(std::uint32_t rank) const { return trace->ranks[rank].node(); }
    int world_rank_of(std::uint32_t rank) const { return trace->ranks[rank].rank(); }
};

// The trace must outlive the result.
Matched match(const Trace& trace);

}  // namespace tuner::trace
