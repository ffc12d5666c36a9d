// SPDX-License-Identifier: MIT
// Verified rules become the rules of a run. What jobs of users read is only ever replaced by something
// verified; what is being verified is in a file of its own.
#pragma once

#include <optional>
#include <string>

#include "verify.hpp"

namespace tuner {

// Writes verification.json, then config.json with its checksum, then tuning.json with the checksum of the
// rules. The only place that does. Killed in between, the run is not complete (run_state), and the next start
// continues without measuring anything again.
void commit_verified(const RunFiles& files, Config config, const Verification& verification);

// The last step alone, for libraries that read such a file. The configuration must be verified.
void write_tuning_file(const RunFiles& files, const Config& config);

// For tune and decide: rules to be verified
void write_decided(const RunFiles& files, const Config& config);

// Rules that are being verified, as the library reads them; readable by this user only, and removed in the
// end. Its jobs read it in place of tuning.json.
class CandidatesFile {
  public:
    CandidatesFile(const RunFiles& files, Config config);
    ~CandidatesFile();
    CandidatesFile(const CandidatesFile&) = delete;
    CandidatesFile& operator=(const CandidatesFile&) = delete;

    const std::string& path() const { return path_; }  // absolute; empty: the library reads no such file

    // Only the rules of this network and layout, and ranges only as far as they are for it, for jobs that
    // start from now on. An algorithm such as smp calls collectives on parts of its communicator: a rule of
    // theirs that is dropped later must not have helped. Within one node, rules of all networks hold.
    void keep_only(const std::string& network, const Layout& layout);

  private:
    void write(const Config& config) const;

    Config config_;
    std::string path_;
    std::optional<std::pair<std::string, Layout>> place_;  // that it has the rules of; nothing: of all
};

}  // namespace tuner
