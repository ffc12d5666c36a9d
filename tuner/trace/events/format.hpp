// SPDX-License-Identifier: MIT
// The files that the event collectors of the patched MPICH write, one for each process: header, names,
// communicators, synchronisations, events, in the byte order of the machine. Events are last, so that a file
// that was cut keeps everything before the cut.
#pragma once

#include <bit>
#include <cstdint>

namespace tuner::trace {

inline constexpr char file_magic[8] = {'C', 'O', 'L', 'L', 'E', 'V', 'T', 'S'};
inline constexpr std::uint32_t file_version = 2;
inline constexpr std::uint32_t oldest_file_version = 1;  // without job
inline constexpr std::uint32_t native_byte_order = 0x01020304;
inline constexpr std::uint32_t other_byte_order = 0x04030201;

struct FileHeader {
    char magic[8];
    std::uint32_t version;
    std::uint32_t byte_order;
    std::uint32_t header_bytes;
    std::uint32_t event_bytes;
    std::int32_t world_rank;
    std::int32_t world_size;
    std::int32_t node;
    std::uint32_t sample_every;  // every n-th call of a communicator is recorded
    std::uint64_t min_bytes;     // sampled sizes
    std::uint64_t max_bytes;
    std::uint64_t events;       // in this file
    std::uint64_t events_lost;  // overwritten in the ring
    std::uint64_t calls;        // outermost ones
    std::uint64_t calls_recorded;
    std::uint32_t names;  // entries of the sections
    std::uint32_t communicators;
    std::uint32_t communicators_lost;
    std::uint32_t syncs;
    std::int64_t started_ns;  // this process' clock at MPI_Init, and when the file was written
    std::int64_t ended_ns;
    char host[64];  // texts are padded with NUL
    char library[64];
    char device[32];
    char network[32];
    char collectives[128];        // the filter; empty: all
    std::uint64_t job;            // random, the same in all files of a job; 0: version 1
    std::int64_t job_started_ns;  // rank 0's time of day, since 1970
    char reserved[56];
};
static_assert(sizeof(FileHeader) == 512);

struct FileName {
    char text[64];  // bcast/binomial; bcast/ where the algorithm is not known
};
static_assert(sizeof(FileName) == 64);

// Behind it are `size` world ranks of its members (int32_t), padded to 8 bytes.
struct FileCommunicator {
    std::int32_t leader;  // world rank of its rank 0
    std::int32_t sequence;
    std::uint32_t context;  // leader, sequence and context are the same on all members
    std::int32_t size;
    std::int32_t rank;
    std::int32_t nodes;  // 0: not known
    std::uint32_t kind;  // 0 the user's or world, 1 of a node, 2 of the nodes' roots
    std::uint32_t reserved;
};
static_assert(sizeof(FileCommunicator) == 32);

// Rank 0's clock = local + offset, taken at `local_ns`
struct FileSync {
    std::int64_t local_ns;
    std::int64_t offset_ns;
    std::int64_t error_ns;
    std::int64_t round_trip_ns;
};
static_assert(sizeof(FileSync) == 32);

enum class EventKind : std::uint8_t { enter = 1, exit, send, receive, copy, reduce };

inline constexpr std::uint8_t flag_nonblocking = 1;
inline constexpr std::uint8_t flag_not_completed = 2;  // when the file was written

// What the fields mean depends on the kind
struct FileEvent {
    struct Enter {
        std::int32_t parent;  // id of the call around it, or -1
        std::uint16_t collective;
        std::uint16_t depth;  // 0 for an outermost call
    };

    std::int64_t time_ns;  // of enter and exit; others: when it was posted or began
    std::int64_t end_ns;   // of messages, copies, reductions; enter: `Enter`
    std::uint64_t bytes;   // enter: the benchmark's message size of the call
    std::uint32_t call;    // id of the innermost call in this process
    std::uint32_t detail;  // messages: length of the posting call in ns, 0 of a receive that waits; enter:
                           // number of the call
    std::int32_t peer;     // messages: rank in the call's communicator; enter: root or -1
    std::uint16_t index;   // messages: round; enter: communicator; exit: name of the algorithm
    std::uint8_t kind;     // an EventKind
    std::uint8_t flags;

    Enter enter() const { return std::bit_cast<Enter>(end_ns); }
    // Of messages: by their tag; a schedule may post those of several tags in any order
    int lane() const { return flags >> 3; }
};
static_assert(sizeof(FileEvent) == 40);

}  // namespace tuner::trace
