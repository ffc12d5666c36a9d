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
    // {"type": "event", "event": NAME, "time": seconds since 1970, ...}; of those that were read,
    // "last_group" is the number of the last group before it, or 0
    std::vector<Json> events;
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

// What was measured before a cell was found stale, or a network changed (events of `check --retune`), does
// not count any more; of a changed network, nor do the jobs that measured it. Returns these cases.
std::vector<CaseRecord> forget_stale(RunData& run);

// A network is not the one that was measured any more: `moved` says in words what of it, and all its cases up
// to the group `last_group` are from before. Counts together with the events `stale` of the same check.
inline constexpr const char* network_changed_event = "network_changed";

// The tuner chose one more layout; has its keys, and the expected loss at that time
inline constexpr const char* layout_chosen_event = "layout_chosen";

// The tuner was told to go on with a run for longer: `seconds` is the time limit since then, `added` what it
// has more than before. Another event says that this time was used.
inline constexpr const char* budget_extended_event = "budget_extended";
inline constexpr const char* extension_used_event = "extension_used";

// Of a run whose plan has a time limit: as it was extended; and the part of it that is not used yet
struct Budget {
    double seconds = 0;  // 0: no limit
    double unused_extension = 0;
};
Budget budget_of(const RunData& run, double seconds_of_plan);

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
