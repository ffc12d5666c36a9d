// SPDX-License-Identifier: MIT
#include "reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>

#include "error.hpp"

namespace tuner::trace {

namespace {

constexpr std::string_view file_ending = ".events";
constexpr std::int32_t most_ranks = 1 << 24;  // of a job; more is damage

// The next parts of a file; every size is checked against what is left before it is used.
class Cursor {
  public:
    Cursor(const std::byte* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

    std::size_t left() const { return bytes_ - at_; }
    std::size_t at() const { return at_; }

    // As many of `wanted` entries as are there
    template <class Entry>
    std::span<const Entry> take(std::uint64_t wanted) {
        const std::size_t count =
            static_cast<std::size_t>(std::min<std::uint64_t>(wanted, left() / sizeof(Entry)));
        const auto* first = reinterpret_cast<const Entry*>(data_ + at_);
        at_ += count * sizeof(Entry);
        return {first, count};
    }
    void skip_all() { at_ = bytes_; }

  private:
    const std::byte* data_;
    std::size_t bytes_;
    std::size_t at_ = 0;
};

template <std::size_t size>
std::string text_of(const char (&text)[size]) {
    return {text, strnlen(text, size)};
}

void check_header(const FileHeader& header, const std::string& file) {
    const auto refuse = [&](const std::string& cause_and_remedy) {
        throw failure(fmt::format("{}: {}", file, cause_and_remedy));
    };
    if (std::memcmp(header.magic, file_magic, sizeof file_magic) != 0) {
        refuse(
            "is not a trace of collectives (byte 0: not COLLEVTS); use the value of "
            "MPIR_CVAR_COLL_EVENTS_FILE");
    }
    if (header.byte_order == other_byte_order) {
        refuse("was written on a machine with the other byte order (byte 12); analyse it on such a machine");
    }
    if (header.byte_order != native_byte_order) {
        refuse(fmt::format("is damaged: byte order {:#x} (byte 12); record it again", header.byte_order));
    }
    if (header.version < oldest_file_version || header.version > file_version) {
        refuse(fmt::format(
            "has version {} of the format (byte 8), and this program reads versions {} to {}; use the "
            "changeover that came with the library",
            header.version, oldest_file_version, file_version));
    }
    if (header.header_bytes != sizeof(FileHeader) || header.event_bytes != sizeof(FileEvent)) {
        refuse(fmt::format(
            "is damaged: a header of {} and events of {} bytes (byte 16), not {} and {}; record it again",
            header.header_bytes, header.event_bytes, sizeof(FileHeader), sizeof(FileEvent)));
    }
    if (header.world_size < 1 || header.world_size > most_ranks || header.world_rank < 0 ||
        header.world_rank >= header.world_size) {
        refuse(fmt::format("is damaged: rank {} of {} (byte 24); record it again", header.world_rank,
                           header.world_size));
    }
}

// False if the file ends inside of them
bool read_communicators(Cursor& cursor, RankTrace& rank) {
    for (std::uint32_t i = 0; i < rank.header.communicators; ++i) {
        const auto head = cursor.take<FileCommunicator>(1);
        if (head.empty()) {
            return false;
        }
        const std::int32_t size = head[0].size;
        if (size < 1 || size > rank.header.world_size || head[0].rank < 0 || head[0].rank >= size) {
            throw failure(
                fmt::format("{}: is damaged: communicator {} has {} ranks (byte {}); record it again",
                            rank.file, i, size, cursor.at() - sizeof(FileCommunicator)));
        }
        const std::size_t padded = (static_cast<std::size_t>(size) + 1) / 2 * 2;
        const auto members = cursor.take<std::int32_t>(padded);
        if (members.size() < padded) {
            cursor.skip_all();
            return false;
        }
        const auto used = members.first(static_cast<std::size_t>(size));
        if (std::any_of(used.begin(), used.end(), [&](std::int32_t member) {
                return member < 0 || member >= rank.header.world_size;
            })) {
            throw failure(
                fmt::format("{}: is damaged: communicator {} has a member that is not in the job (byte {}); "
                            "record it again",
                            rank.file, i, cursor.at()));
        }
        rank.communicators.push_back({head[0], used});
    }
    return true;
}

void note_what_is_missing(const RankTrace& rank, std::size_t file_bytes, std::vector<std::string>& problems) {
    const FileHeader& header = rank.header;
    if (rank.events.size() < header.events) {
        problems.push_back(
            fmt::format("{} was cut at byte {}: {} of {} events are used; check whether the disk is full or "
                        "the job was killed while it wrote",
                        rank.file, file_bytes, rank.events.size(), header.events));
    }
    if (header.events_lost > 0) {
        problems.push_back(
            fmt::format("rank {} ({}): {} of the oldest events were overwritten; raise "
                        "MPIR_CVAR_COLL_EVENTS_MAX or record fewer calls "
                        "(MPIR_CVAR_COLL_EVENTS_EVERY)",
                        rank.rank(), text_of(header.host), header.events_lost));
    }
    if (header.communicators_lost > 0) {
        problems.push_back(
            fmt::format("rank {} ({}): {} communicators did not fit; their calls are not in the trace",
                        rank.rank(), text_of(header.host), header.communicators_lost));
    }
}

// The files of a trace by the rank in their names
std::map<long, std::filesystem::path> files_of(const std::string& prefix) {
    const std::filesystem::path path(prefix);
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const std::string start = path.filename().string() + ".";
    std::map<long, std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(start) || !name.ends_with(file_ending) ||
            name.size() <= start.size() + file_ending.size()) {
            continue;
        }
        const char* first = name.data() + start.size();
        const char* last = name.data() + name.size() - file_ending.size();
        long rank = 0;
        if (const auto parsed = std::from_chars(first, last, rank);
            parsed.ec == std::errc() && parsed.ptr == last) {
            files.emplace(rank, entry.path());
        }
    }
    return files;
}

void note_missing_ranks(Trace& trace, const std::map<long, std::filesystem::path>& files) {
    constexpr std::size_t most_named = 8;
    const auto there =
        static_cast<std::size_t>(std::distance(files.begin(), files.lower_bound(trace.world_size)));
    const std::size_t missing = static_cast<std::size_t>(trace.world_size) - there;
    std::vector<int> named;
    for (int rank = 0; named.size() < std::min(missing, most_named); ++rank) {
        if (!files.contains(rank)) {
            named.push_back(rank);
        }
    }
    if (missing > 0) {
        trace.problems.push_back(fmt::format(
            "{} of {} ranks have no file ({}{}); check whether they called MPI_Finalize and whether the "
            "files are on a "
            "shared file system",
            missing, trace.world_size, fmt::join(named, ", "), missing > most_named ? ", ..." : ""));
    }
}

bool is_same_job(const FileHeader& one, const FileHeader& other) {
    return one.job == other.job && one.world_size == other.world_size;
}

// " (job started 2026-01-15 10:00:00 UTC)"; nothing for a file that does not say
std::string start_of(const FileHeader& header) {
    const std::time_t seconds = static_cast<std::time_t>(header.job_started_ns / 1'000'000'000);
    std::tm utc = {};
    char text[64] = "";
    if (header.job == 0 || seconds <= 0 || gmtime_r(&seconds, &utc) == nullptr ||
        std::strftime(text, sizeof text, " (job started %Y-%m-%d %H:%M:%S UTC)", &utc) == 0) {
        return {};
    }
    return text;
}

// Calls of different jobs would be matched, and every result would be wrong
void refuse_different_jobs(const Trace& trace) {
    const RankTrace& first = trace.ranks.front();
    for (const RankTrace& rank : trace.ranks) {
        if (!is_same_job(first.header, rank.header)) {
            throw failure(fmt::format(
                "{}{} and {}{} are from different jobs; remove the files of one job, or record again with "
                "another MPIR_CVAR_COLL_EVENTS_FILE",
                first.file, start_of(first.header), rank.file, start_of(rank.header)));
        }
    }
}

void note_unknown_job(Trace& trace) {
    if (trace.ranks.front().header.job == 0 && trace.ranks.size() > 1) {
        trace.problems.emplace_back(
            "the files do not say which job they are from (format version 1): a file that an earlier job "
            "left "
            "would not be found; record with the current library (scripts/mpich-prefix)");
    }
}

// PREFIX of PREFIX.12.events, which people get by pressing the tabulator key
std::string prefix_of(const std::string& given) {
    if (!given.ends_with(file_ending)) {
        return given;
    }
    const std::string without = given.substr(0, given.size() - file_ending.size());
    const std::size_t dot = without.rfind('.');
    return dot == std::string::npos ? given : without.substr(0, dot);
}

}  // namespace

std::size_t Trace::events() const {
    std::size_t sum = 0;
    for (const RankTrace& rank : ranks) {
        sum += rank.events.size();
    }
    return sum;
}

std::string Trace::host_of(int node) const {
    const auto rank = std::find_if(ranks.begin(), ranks.end(),
                                   [&](const RankTrace& candidate) { return candidate.node() == node; });
    return rank == ranks.end() ? std::string() : text_of(rank->header.host);
}

std::string Trace::host_of_rank(int world_rank) const {
    const auto rank =
        std::lower_bound(ranks.begin(), ranks.end(), world_rank,
                         [](const RankTrace& candidate, int wanted) { return candidate.rank() < wanted; });
    return rank == ranks.end() || rank->rank() != world_rank ? std::string() : text_of(rank->header.host);
}

RankTrace read_rank(const std::filesystem::path& file, std::vector<std::string>& problems) {
    std::ifstream stream(file, std::ios::binary | std::ios::ate);
    const std::streamoff end = stream ? static_cast<std::streamoff>(stream.tellg()) : -1;
    if (end < 0) {
        throw failure(fmt::format("{}: cannot be read; check that it is a file and that you have permission",
                                  file.string()));
    }
    const auto bytes = static_cast<std::size_t>(end);
    RankTrace rank;
    rank.file = file.string();
    if (bytes < sizeof(FileHeader)) {
        throw failure(fmt::format("{}: ends after {} bytes, inside the header of {}; record it again",
                                  rank.file, bytes, sizeof(FileHeader)));
    }
    rank.memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    stream.seekg(0);
    if (!stream.read(reinterpret_cast<char*>(rank.memory.get()), end)) {
        throw failure(fmt::format("{}: reading failed at byte {}; try again", rank.file, stream.gcount()));
    }
    Cursor cursor(rank.memory.get(), bytes);
    rank.header = cursor.take<FileHeader>(1)[0];
    check_header(rank.header, rank.file);
    if (rank.header.version == 1) {
        rank.header.job = 0;
        rank.header.job_started_ns = 0;
    }
    for (const FileName& name : cursor.take<FileName>(rank.header.names)) {
        rank.names.push_back(text_of(name.text));
    }
    const bool has_all = rank.names.size() == rank.header.names && read_communicators(cursor, rank);
    if (has_all) {
        const auto syncs = cursor.take<FileSync>(rank.header.syncs);
        rank.syncs.assign(syncs.begin(), syncs.end());
        if (syncs.size() == rank.header.syncs) {
            rank.events = cursor.take<FileEvent>(rank.header.events);
        }
    }
    note_what_is_missing(rank, bytes, problems);
    return rank;
}

Trace read_trace(const std::string& given) {
    Trace trace;
    trace.prefix = prefix_of(given);
    const auto files = files_of(trace.prefix);
    if (files.empty()) {
        throw usage_error(
            fmt::format("there is no trace {0}.<rank>.events; to record one, start the job with "
                        "MPIR_CVAR_COLL_EVENTS_FILE={0}",
                        trace.prefix));
    }
    for (const auto& [number, file] : files) {
        try {
            RankTrace rank = read_rank(file, trace.problems);
            if (rank.rank() != number) {
                throw failure(fmt::format("{}: belongs to rank {} by its header; rename it back", rank.file,
                                          rank.rank()));
            }
            trace.ranks.push_back(std::move(rank));
        } catch (const Error& error) {
            trace.problems.emplace_back(error.what());
        }
    }
    if (trace.ranks.empty()) {
        throw failure(trace.problems.front());
    }
    trace.world_size = trace.ranks.front().header.world_size;
    refuse_different_jobs(trace);
    note_unknown_job(trace);
    note_missing_ranks(trace, files);
    return trace;
}

}  // namespace tuner::trace
