// SPDX-License-Identifier: MIT
// Reads a file of the event collectors of the patched MPICH for tests: sections, calls with their messages.
// Of the tests' own, so that writer and the tuner's reader are checked against a second reading of the
// format.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace event_file {

enum Kind : std::uint8_t { enter = 1, leave, send, receive, copy, reduce };
enum Flag : std::uint8_t { nonblocking = 1, incomplete = 2, synchronous = 4 };

struct Header {
    char magic[8];
    std::uint32_t version, byte_order, header_bytes, event_bytes;
    std::int32_t world_rank, world_size, node;
    std::uint32_t sample_every;
    std::uint64_t min_bytes, max_bytes, events, events_lost, calls, calls_recorded;
    std::uint32_t names, communicators, communicators_lost, syncs;
    std::int64_t started_ns, ended_ns;
    char host[64], library[64], device[32], network[32], collectives[128];
    std::uint64_t job;
    std::int64_t job_started_ns;
    char reserved[56];
};
static_assert(sizeof(Header) == 512);

struct CommunicatorHead {
    std::int32_t leader, sequence;
    std::uint32_t context;
    std::int32_t size, rank, nodes;
    std::uint32_t kind, reserved;
};
static_assert(sizeof(CommunicatorHead) == 32);

struct Sync {
    std::int64_t local_ns, offset_ns, error_ns, round_trip_ns;
};

struct Event {
    std::int64_t time_ns;
    std::int64_t end_ns;  // ENTER: parent, collective, depth
    std::uint64_t bytes;
    std::uint32_t call;
    std::uint32_t posted_delta_ns;  // ENTER: sequence
    std::int32_t peer;
    std::uint16_t round;  // ENTER: communicator; EXIT: name
    std::uint8_t kind, flags;

    int lane() const { return flags >> 3; }  // messages
    std::int32_t parent() const { return static_cast<std::int32_t>(end_ns & 0xffffffff); }
    std::uint16_t collective() const { return static_cast<std::uint16_t>(end_ns >> 32 & 0xffff); }
    std::uint16_t depth() const { return static_cast<std::uint16_t>(end_ns >> 48 & 0xffff); }
};
static_assert(sizeof(Event) == 40);

struct Communicator {
    CommunicatorHead head;
    std::vector<std::int32_t> world_ranks;
};

// What the file says of one call
struct Call {
    Event enter;
    std::vector<Event> events;  // messages, copies
    bool has_exit = false;
    Event exit;
};

struct File {
    Header header;
    std::vector<std::string> names;
    std::vector<Communicator> communicators;
    std::vector<Sync> syncs;
    std::vector<Event> events;

    const std::string& collective(const Call& call) const { return names.at(call.enter.collective()); }
    const std::string& algorithm(const Call& call) const { return names.at(call.exit.round); }
    const Communicator& communicator(const Call& call) const { return communicators.at(call.enter.round); }
    int world_rank(const Call& call, int peer) const {
        return communicator(call).world_ranks.at(static_cast<std::size_t>(peer));
    }
    // By id; those whose entry is in the file
    std::map<std::uint32_t, Call> calls() const {
        std::map<std::uint32_t, Call> calls;
        for (const Event& event : events) {
            if (event.kind == enter) {
                calls[event.call].enter = event;
            } else if (const auto call = calls.find(event.call); call == calls.end()) {
                continue;
            } else if (event.kind == leave) {
                call->second.exit = event;
                call->second.has_exit = true;
            } else {
                call->second.events.push_back(event);
            }
        }
        return calls;
    }
};

inline std::string name_of(const std::string& prefix, int rank) {
    return prefix + "." + std::to_string(rank) + ".events";
}

inline File read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), {});
    std::size_t at = 0;
    const auto take = [&](void* to, std::size_t count) {
        if (at + count > bytes.size()) {
            throw std::runtime_error(path + " is missing or too short");
        }
        std::memcpy(to, bytes.data() + at, count);
        at += count;
    };
    File file;
    take(&file.header, sizeof(Header));
    if (std::memcmp(file.header.magic, "COLLEVTS", 8) != 0 || file.header.version != 2 ||
        file.header.byte_order != 0x01020304 || file.header.header_bytes != sizeof(Header) ||
        file.header.event_bytes != sizeof(Event)) {
        throw std::runtime_error(path + " has another format");
    }
    for (std::uint32_t i = 0; i < file.header.names; ++i) {
        char text[64];
        take(text, sizeof text);
        file.names.emplace_back(text, strnlen(text, sizeof text));
    }
    for (std::uint32_t i = 0; i < file.header.communicators; ++i) {
        Communicator& communicator = file.communicators.emplace_back();
        take(&communicator.head, sizeof(CommunicatorHead));
        communicator.world_ranks.resize(static_cast<std::size_t>(communicator.head.size + 1) / 2 * 2);
        take(communicator.world_ranks.data(), communicator.world_ranks.size() * sizeof(std::int32_t));
        communicator.world_ranks.resize(static_cast<std::size_t>(communicator.head.size));
    }
    file.syncs.resize(file.header.syncs);
    take(file.syncs.data(), file.syncs.size() * sizeof(Sync));
    file.events.resize(file.header.events);
    take(file.events.data(), file.events.size() * sizeof(Event));
    if (at != bytes.size()) {
        throw std::runtime_error(path + " is longer than it says");
    }
    return file;
}

}  // namespace event_file
