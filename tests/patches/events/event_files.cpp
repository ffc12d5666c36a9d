// SPDX-License-Identifier: MIT
// Looks at the files that the event collectors of all ranks have written: calls and messages of the ranks
// must match, times be in order, and on rank 0's clock nothing may arrive before it was sent, beyond the
// error of the synchronisation. Prints one line for each kind of call, and what else tests ask for. usage:
// event_files PREFIX RANKS
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "event_file.hpp"

namespace {

using event_file::Call;
using event_file::Event;
using event_file::File;

int problems = 0;

void problem(const std::string& text) {
    if (++problems <= 20) {
        std::fprintf(stderr, "%s\n", text.c_str());
    }
}

// Rank 0's clock: the line through the two synchronisations
std::int64_t aligned(const File& file, std::int64_t time) {
    const event_file::Sync& a = file.syncs.front();
    const event_file::Sync& b = file.syncs.back();
    if (b.local_ns == a.local_ns) {
        return time + a.offset_ns;
    }
    const double part = static_cast<double>(time - a.local_ns) / static_cast<double>(b.local_ns - a.local_ns);
    return time + a.offset_ns +
           static_cast<std::int64_t>(part * static_cast<double>(b.offset_ns - a.offset_ns));
}

std::int64_t error_of(const File& file) {
    return std::max(file.syncs.front().error_ns, file.syncs.back().error_ns);
}

// The same on all ranks
using CommunicatorKey = std::tuple<std::int32_t, std::int32_t, std::uint32_t, std::vector<std::int32_t>>;
using CallKey = std::tuple<CommunicatorKey, std::uint32_t, std::uint16_t>;  // sequence, depth

struct Member {
    const File* file;
    const Call* call;
};

std::string describe(const File& file, const Call& call) {
    return "rank " + std::to_string(file.header.world_rank) + ", call " + std::to_string(call.enter.call) +
           " (" + (call.has_exit ? file.algorithm(call) : file.collective(call)) + ", " +
           std::to_string(call.enter.bytes) + " bytes, sequence " +
           std::to_string(call.enter.posted_delta_ns) + ")";
}

void check_order(const File& file, const Call& call) {
    const std::string what = describe(file, call);
    if (!call.has_exit) {
        problem(what + " has no end");
        return;
    }
    if (file.algorithm(call).rfind(file.collective(call), 0) != 0) {
        problem(what + " is an algorithm of another collective");
    }
    for (const Event& event : call.events) {
        if (event.flags & event_file::incomplete) {
            problem(what + " has an event that is not complete");
        } else if (event.time_ns < call.enter.time_ns || event.end_ns > call.exit.time_ns ||
                   event.end_ns < event.time_ns + event.posted_delta_ns) {
            problem(what + " has an event out of order");
        }
    }
}

// Messages of one call: the k-th of a lane from A to B is the k-th of that lane that B received from A
struct Matching {
    long messages = 0;
    long early = 0;               // that arrive before they were sent, beyond the error
    std::int64_t most_early = 0;  // by so much, the error included
};

void match_messages(const std::vector<Member>& members, Matching& matching) {
    std::map<std::tuple<int, int, int>, std::deque<std::pair<const File*, const Event*>>> sent;
    for (const Member& member : members) {
        const int rank = member.file->communicator(*member.call).head.rank;
        for (const Event& event : member.call->events) {
            if (event.kind == event_file::send) {
                sent[{rank, event.peer, event.lane()}].emplace_back(member.file, &event);
            }
        }
    }
    for (const Member& member : members) {
        const int rank = member.file->communicator(*member.call).head.rank;
        for (const Event& event : member.call->events) {
            if (event.kind != event_file::receive) {
                continue;
            }
            auto& queue = sent[{event.peer, rank, event.lane()}];
            if (queue.empty()) {
                problem(describe(*member.file, *member.call) + " received from " +
                        std::to_string(event.peer) + " what nobody sent");
                continue;
            }
            const auto [file, send] = queue.front();
            queue.pop_front();
            if (send->bytes != event.bytes) {
                problem(describe(*member.file, *member.call) + " received " + std::to_string(event.bytes) +
                        " of " + std::to_string(send->bytes) + " bytes");
            }
            ++matching.messages;
            const std::int64_t early = aligned(*file, send->time_ns) - aligned(*member.file, event.end_ns);
            matching.most_early = std::max(matching.most_early, early);
            if (early > error_of(*file) + error_of(*member.file)) {
                ++matching.early;
                problem(describe(*member.file, *member.call) + " received from " +
                        std::to_string(event.peer) + " what was sent " + std::to_string(early) +
                        " ns later, in round " + std::to_string(event.round) + " after round " +
                        std::to_string(send->round));
            }
        }
    }
    for (const auto& [key, queue] : sent) {
        if (!queue.empty()) {
            problem(describe(*members[0].file, *members[0].call) + ": " + std::to_string(queue.size()) +
                    " messages from " + std::to_string(std::get<0>(key)) + " to " +
                    std::to_string(std::get<1>(key)) + " were never received");
        }
    }
}

int look_at(const std::string& prefix, int ranks) {
    std::vector<File> files;
    for (int rank = 0; rank < ranks; ++rank) {
        files.push_back(event_file::read(event_file::name_of(prefix, rank)));
    }
    std::printf("job %016" PRIx64 ", started at %" PRId64 " s\n", files[0].header.job,
                files[0].header.job_started_ns / 1'000'000'000);
    std::uint64_t lost = 0;
    std::int64_t largest_error = 0;
    std::vector<std::map<std::uint32_t, Call>> calls;
    std::map<CallKey, std::vector<Member>> groups;
    for (const File& file : files) {
        const event_file::Header& header = file.header;
        std::printf("rank %d: %" PRIu64 " events, %" PRIu64 " lost, %" PRIu64 " of %" PRIu64
                    " calls, %u communicators, %u synchronisations\n",
                    header.world_rank, header.events, header.events_lost, header.calls_recorded, header.calls,
                    header.communicators, header.syncs);
        if (header.job == 0 || header.job != files[0].header.job ||
            header.job_started_ns != files[0].header.job_started_ns) {
            problem("rank " + std::to_string(header.world_rank) + " is of another job than rank 0");
        }
        lost += header.events_lost;
        largest_error = std::max(largest_error, error_of(file));
        calls.push_back(file.calls());
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (const auto& [id, call] : calls[i]) {
            const event_file::Communicator& comm = files[i].communicator(call);
            check_order(files[i], call);
            groups[{{comm.head.leader, comm.head.sequence, comm.head.context, comm.world_ranks},
                    call.enter.posted_delta_ns,
                    call.enter.depth()}]
                .push_back({&files[i], &call});
        }
    }

    // collective and algorithm, depth, nonblocking -> calls of all ranks, bytes, communicator's kind
    std::map<std::tuple<std::string, int, bool, std::uint32_t>, std::set<std::uint64_t>> sizes;
    std::map<std::tuple<std::string, int, bool, std::uint32_t>, long> counts;
    Matching matching;
    for (const auto& [key, members] : groups) {
        const Member& first = members.front();
        const event_file::Communicator& comm = first.file->communicator(*first.call);
        const bool is_whole = members.size() == comm.world_ranks.size();
        if (!is_whole && lost == 0) {
            problem(describe(*first.file, *first.call) + ": " + std::to_string(members.size()) + " of " +
                    std::to_string(comm.world_ranks.size()) + " ranks have it");
        }
        for (const Member& member : members) {
            if (member.file->collective(*member.call) != first.file->collective(*first.call) ||
                member.call->enter.peer != first.call->enter.peer) {
                problem(describe(*member.file, *member.call) + " is another call on " +
                        describe(*first.file, *first.call));
            }
        }
        if (is_whole && lost == 0) {
            match_messages(members, matching);
        }
        const std::tuple kind = {first.call->has_exit ? first.file->algorithm(*first.call) : "unfinished",
                                 static_cast<int>(first.call->enter.depth()),
                                 (first.call->enter.flags & event_file::nonblocking) != 0, comm.head.kind};
        ++counts[kind];
        sizes[kind].insert(first.call->enter.bytes);
    }
    static const char* const kinds[] = {"", ", in a node", ", between nodes"};
    for (const auto& [kind, count] : counts) {
        const auto& [name, depth, is_nonblocking, comm_kind] = kind;
        std::printf("%s depth %d%s%s: %ld calls, %zu sizes, %" PRIu64 " to %" PRIu64 " bytes\n", name.c_str(),
                    depth, is_nonblocking ? " nonblocking" : "", kinds[comm_kind], count, sizes[kind].size(),
                    *sizes[kind].begin(), *sizes[kind].rbegin());
    }
    std::printf("matched: %zu calls, %ld messages\n", groups.size(), matching.messages);
    std::printf("aligned: %ld early beyond the error, the earliest %" PRId64 " ns, largest error %" PRId64
                " ns\n",
                matching.early, matching.most_early, largest_error);
    if (problems > 0) {
        std::fprintf(stderr, "%d problems\n", problems);
    }
    return problems > 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: event_files PREFIX RANKS\n");
        return 2;
    }
    try {
        return look_at(argv[1], std::atoi(argv[2]));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "Error: %s\n", error.what());
        return 1;
    }
}
