// SPDX-License-Identifier: MIT
// A run directory, opened: the only way to read one, so that nobody forgets to drop what is stale. `SavedRun`
// reads; `OpenRun` also writes, and measures in today's allocation. Configuration and proofs, which later
// steps make, are read by config_of (config.hpp) and proofs_of (proofs.hpp).
#pragma once

#include <string>

#include "journal.hpp"
#include "network_parameters.hpp"
#include "plan.hpp"

namespace tuner {

// The files of a run directory
class RunFiles {
  public:
    explicit RunFiles(std::string folder) : folder_(std::move(folder)) {}

    const std::string& folder() const { return folder_; }
    std::string manifest() const { return folder_ + "/manifest.json"; }
    std::string samples() const { return folder_ + "/samples.jsonl"; }
    std::string config() const { return folder_ + "/config.json"; }
    std::string tuning() const { return folder_ + "/tuning.json"; }
    std::string verification() const { return folder_ + "/verification.json"; }
    // rules that are being verified: read by the jobs that verify them, never by users; removed afterwards
    std::string candidates() const { return folder_ + "/candidates.json"; }
    // of the program that a run is for: how its ranks arrive at calls
    std::string arrivals() const { return folder_ + "/arrivals.jsonl"; }
    std::string audit() const { return folder_ + "/audit.json"; }
    std::string report() const { return folder_ + "/report.html"; }
    // of an earlier run that the search takes hints from: its manifest and samples
    RunFiles prior() const { return RunFiles(folder_ + "/prior"); }

  private:
    std::string folder_;
};

class SavedRun {
  public:
    // Reads without locking. Throws an Error that names the damaged file.
    explicit SavedRun(const std::string& folder);

    const RunFiles& files() const { return files_; }
    const std::string& folder() const { return files_.folder(); }
    const RunData& data() const { return data_; }  // without what was found stale

    Cluster cluster() const;  // as it was when the run started, with the layouts that were chosen since
    Plan plan() const;
    NetworkParameters network_parameters() const;  // empty: none were measured
    Json header() const;                           // of the first job that started; {}: there is none

  private:
    RunFiles files_;
    RunData data_;
};

// A run that this process writes to
struct OpenRun {
    RunFiles files;
    RunData data;  // without what was found stale
    Cluster cluster;
    Plan plan;
    Journal journal;
    std::string note;  // what was damaged, and which allocation of Slurm it uses; empty: nothing to tell
    std::vector<CaseRecord> stale = {};  // what was measured before something changed
};

// Locks it, removes the candidates of a killed process, and moves its cluster to the allocation of Slurm at
// hand. Throws an Error for a combination of runs, in which nothing can be measured, and for an allocation
// that is too small.
OpenRun resume_run(const std::string& folder);

// A combination of several runs (`changeover combine`) names them in its manifest.
// So many cases are to follow, in several writes.
void mark_as_combination(Manifest& manifest, const std::vector<std::string>& runs, std::size_t cases);
bool is_combination(const Manifest& manifest);
bool is_incomplete_combination(const RunData& data);  // writing it was interrupted; a SavedRun refuses it

}  // namespace tuner
