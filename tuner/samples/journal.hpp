// SPDX-License-Identifier: MIT
// The run directory: `manifest.json` (once), `samples.jsonl` (only ever longer) and `lock`. Killed at any
// moment, it holds every group of cases that was finished, and nothing of one that was not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "run_data.hpp"
#include "run_lock.hpp"

namespace tuner {

// The right to write to a run. One process has it at a time; a second one gets an Error with the first's id.
class Journal {
  public:
    // In a folder that is not there, or holds nothing but what a killed `create` left.
    static Journal create(const std::filesystem::path& folder, Manifest manifest);
    // Loads a run to go on with it; cuts off a torn end. One that is damaged is kept in `samples.damaged`.
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
    explicit Journal(std::filesystem::path folder);  // locks it
    void open_samples();
    void cut_off(const RunData& run);
    void keep_damaged(const RunData& run);
    void append_text(const std::string& lines);

    std::filesystem::path folder_;
    RunLock lock_;
    int samples_ = -1;
    std::uint64_t last_group_ = 0;
};

}  // namespace tuner
