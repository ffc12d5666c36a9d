// SPDX-License-Identifier: MIT
// Reads the files of a trace. What is damaged is never fatal as long as one file can be used: it is left
// out, and said in words.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "format.hpp"

namespace tuner::trace {

struct CommunicatorRecord {
    FileCommunicator head;
    std::span<const std::int32_t> members;  // world ranks
};

// One process. Events are where the file was read to: nothing is copied.
struct RankTrace {
    std::string file;
    FileHeader header;
    std::vector<std::string> names;
    std::vector<CommunicatorRecord> communicators;
    std::vector<FileSync> syncs;
    std::span<const FileEvent> events;
    std::unique_ptr<std::byte[]> memory;

    int rank() const { return header.world_rank; }
    int node() const { return header.node; }
};

struct Trace {
    std::string prefix;
    int world_size = 0;
    std::vector<RankTrace> ranks;  // ascending; those whose file could be used
    std::vector<std::string> problems;

    std::size_t events() const;
    std::string host_of(int node) const;             // empty: no rank of it is there
    std::string host_of_rank(int world_rank) const;  // empty: its file is not there
};

// PREFIX.<rank>.events, all of them; the name of one of these files does, too. Throws an Error if there is
// none, none can be used, or they are from different jobs.
Trace read_trace(const std::string& prefix);

// One file; throws an Error that says what is wrong with it. What is missing at its end is put into words.
RankTrace read_rank(const std::filesystem::path& file, std::vector<std::string>& problems);

}  // namespace tuner::trace
