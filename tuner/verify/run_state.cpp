// SPDX-License-Identifier: MIT
#include "run_state.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "proofs.hpp"
#include "stale.hpp"

namespace tuner {

namespace {

// The configuration that a tuning file was written from, by its checksum; empty: there is no such file, or it
// does not say. A damaged file is no reason to stop: it is written again.
std::string checksum_in_tuning_file(const std::string& file) {
    try {
        return CheckedJson::parse_file(file).at("info").at("checksum").text();
    } catch (const Error&) {
        return {};
    }
}

bool has_tuning_file(const RunFiles& files, const Config& config) {
    return !reads_tuning_files(config.library) || checksum_in_tuning_file(files.tuning()) == config.checksum;
}

}  // namespace

RunState run_state(const RunFiles& files, const RunData& data) {
    const std::optional<Config> config = config_of(files);
    if (!config) {
        return RunState::undecided;
    }
    if (!has_verified_rules(*config)) {
        return RunState::unverified;
    }
    if (!stale_cells(data).empty()) {
        return RunState::stale;  // also between verification.json and config.json of its retuning
    }
    if (!has_its_proofs(files, *config)) {
        return RunState::unverified;
    }
    return has_tuning_file(files, *config) ? RunState::complete : RunState::unwritten;
}

std::string state_note(RunState state, const RunFiles& files) {
    const std::string resume = "changeover tune --run " + shell_quoted(files.folder());
    switch (state) {
        case RunState::undecided:
            return fmt::format("the run in {} has no rules yet; resume it with: {}", files.folder(), resume);
        case RunState::unverified:
            return fmt::format(
                "the rules in {} are not verified; verify them with: changeover verify --run {}",
                files.config(), shell_quoted(files.folder()));
        case RunState::stale:
            return fmt::format("stale rules in {} are not yet tuned again; resume with: {}", files.config(),
                               resume);
        case RunState::unwritten:
            return fmt::format("{} does not have the rules of config.json; write it with: {}", files.tuning(),
                               resume);
        case RunState::complete:
            break;
    }
    return {};
}

}  // namespace tuner
