// SPDX-License-Identifier: MIT
// What a run directory holds, read without a lock: `manifest.json` and the groups of cases and events of
// `samples.jsonl`. Everything is checked here, with the file and the line: what comes later relies on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
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
    std::vector<Json> events;    // {"type": "event", "event": NAME, "time": seconds since 1970, ...}
    std::size_t torn_bytes = 0;  // at the end of samples.jsonl: a group that was being written
    std::string damage;  // of the torn bytes: the first line that is not as it was written; empty: none
    std::uint64_t last_group = 0;  // 0: there is none
};

// Reads a run. Throws an Error when it is damaged, with the line.
RunData load_run(const std::filesystem::path& folder);

Manifest load_manifest(const std::filesystem::path& folder);

// The parts of load_run. `name`: of the file, for errors.
Manifest parse_manifest(std::string_view text, const std::string& name);
// Adds to the run what the lines of samples.jsonl say, up to the end of the last whole group. What is behind
// it cannot have been acknowledged to anybody, whatever it is: it is counted in `torn_bytes`. A damaged line
// with a whole group or an event behind it is an Error.
void parse_samples(std::string_view text, const std::string& name, RunData& run);

// What was measured before a cell was found stale (an event of `check --retune`) does not count any more.
void forget_stale(RunData& run);

// The tuner chose one more layout; has its keys, and the expected loss at that time
inline constexpr const char* layout_chosen_event = "layout_chosen";

// A job that was started and not ended: its processes may still be there.
struct OpenJob {
    std::string token;
    std::string network;
    Layout layout;
};
std::vector<OpenJob> open_jobs(const RunData& run);

// The names of its files
inline constexpr const char* manifest_name = "manifest.json";
inline constexpr const char* samples_name = "samples.jsonl";
inline constexpr int run_format_version = 1;

// Throws an Error for a folder whose name is not UTF-8: JSON files and reports could not contain it.
void require_utf8(const std::filesystem::path& folder);

}  // namespace tuner
