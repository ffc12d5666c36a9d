// SPDX-License-Identifier: MIT
// The run directory: `manifest.json` (once), `samples.jsonl` (only ever longer) and `lock`. Killed at any
// moment, it holds every group of cases that was finished, and nothing of one that was not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "case_record.hpp"

namespace tuner {

// What a run is, written when it starts. `created` is set by Journal::create.
struct Manifest {
    std::string created;  // UTC, ISO 8601
    std::vector<std::string> command_line;
    std::uint64_t seed = 0;
    Json cluster;      // to_json(Cluster)
    Json plan;         // the planner's
    Json environment;  // versions, machine
    Json fingerprint;  // what must be the same for the results to hold
};

struct RunData {
    Manifest manifest;
    std::vector<CaseRecord> cases;
    std::vector<Json> events;      // {"type": "event", "event": NAME, "time": seconds since 1970, ...}
    std::size_t torn_bytes = 0;    // at the end of samples.jsonl: a group that was being written
    std::uint64_t last_group = 0;  // 0: there is none
};

// Reads a run without locking it. Throws an Error when it is damaged, with the line.
RunData load_run(const std::filesystem::path& folder);

// What was measured before a cell was found stale (an event of `check --retune`) does not count any more.
void forget_stale(RunData& run);

// A job that was started and not ended: its processes may still be there.
struct OpenJob {
    std::string token;
    std::string network;
    Layout layout;
};
std::vector<OpenJob> open_jobs(const RunData& run);

// The right to write to a run. One process has it at a time; a second one gets an Error with the first's id.
class Journal {
  public:
    // In a folder that is not there, or holds nothing but what a killed `create` left.
    static Journal create(const std::filesystem::path& folder, Manifest manifest);
    // Loads a run to go on with it; cuts off a torn end.
    static Journal resume(const std::filesystem::path& folder, RunData& run);

    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&&) = delete;
    ~Journal();

    // One group, as a whole: on the disk when this returns, or (full disk: an Error) not there at all.
    void append(std::span<CaseRecord> group);  // sets the group number of each
    void append_event(const std::string& name, const Json& fields);
    void job_started(const OpenJob& job);  // before its first process is there
    // `counters`: the kernel's, of the time that it ran; null: not known
    void job_ended(const std::string& token, const std::string& how, const Json& counters = {});

    const std::filesystem::path& folder() const { return folder_; }

  private:
    Journal(std::filesystem::path folder, int lock);
    void open_samples();
    void append_text(const std::string& lines);

    std::filesystem::path folder_;
    int lock_ = -1;
    int samples_ = -1;
    std::uint64_t last_group_ = 0;
};

}  // namespace tuner
