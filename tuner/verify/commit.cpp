// SPDX-License-Identifier: MIT
#include "commit.hpp"

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "emit.hpp"
#include "files.hpp"
#include "proofs.hpp"
#include "rules_at.hpp"

namespace tuner {

namespace {

void write_config(const RunFiles& files, const Config& config) {
    write_file_atomically(files.config(), to_json(config).dump(1) + "\n");
}

}  // namespace

void commit_verified(const RunFiles& files, Config config, const Verification& verification) {
    const std::string proofs =
        to_json(verification.proofs, verification.notes, verification.variances).dump(1) + "\n";
    config.rules = verification.rules;
    config.notes = verification.notes;
    config.verified = true;
    config.verification_checksum = checksum_of_text(proofs);
    write_file_atomically(files.verification(), proofs);
    write_config(files, config);
    write_tuning_file(files, config);
}

void write_tuning_file(const RunFiles& files, const Config& config) {
    if (!config.verified) {
        throw std::logic_error("rules that are not verified are not written to " + files.tuning());
    }
    if (reads_tuning_files(config.library)) {
        write_file_atomically(files.tuning(), emit_mpich(config, {}));
    }
}

void write_decided(const RunFiles& files, const Config& config) {
    write_config(files, config);
}

CandidatesFile::CandidatesFile(const RunFiles& files, Config config) : config_(std::move(config)) {
    if (reads_tuning_files(config_.library)) {
        path_ = std::filesystem::absolute(files.candidates()).string();
        write(config_);
    }
}

void CandidatesFile::keep_only(const std::string& network, const Layout& layout) {
    const std::pair place(network, layout);
    if (path_.empty() || place_ == place) {
        return;
    }
    Config own = config_;
    own.rules = narrowed_to(config_.rules, layout);
    std::erase_if(own.rules, [&](const Rule& rule) { return rule.network != network; });
    write(own);
    place_ = place;
}

void CandidatesFile::write(const Config& config) const {
    write_file_atomically(path_, emit_mpich(config, {}));
    std::error_code ignored;  // some file systems have no permissions
    std::filesystem::permissions(
        path_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
}

CandidatesFile::~CandidatesFile() {
    std::error_code ignored;  // a leftover is removed when the run is resumed
    std::filesystem::remove(path_, ignored);
}

}  // namespace tuner
