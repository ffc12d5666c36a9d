// SPDX-License-Identifier: MIT
// A tuning file is checked by the library itself: one process reads the file and prints what is wrong with
// it.
#include <filesystem>

#include "error.hpp"
#include "files.hpp"
#include "lint.hpp"
#include "mpi_library.hpp"
#include "process.hpp"

namespace tuner {

namespace {

constexpr double seconds_to_read = 30;
constexpr const char* fingerprint = "/fingerprint";

// "MPICH: MPIR_CVAR_COLL_TUNING_FILE=tuning.json, /mpir/3/bytes: problem; remedy; the built-in selection is
// used"
Finding finding_from(const std::string& line, const std::string& start) {
    std::string text = line.substr(start.size());
    const std::string end = "; the built-in selection is used";
    if (text.ends_with(end)) {
        text.erase(text.size() - end.size());
    }
    Finding finding{Severity::error, "the file", text, ""};
    if (const auto at = text.find(": "); at != std::string::npos && text.starts_with('/')) {
        finding.place = text.substr(0, at);
        finding.problem = text.substr(at + 2);
    }
    if (const auto at = finding.problem.find("; "); at != std::string::npos) {
        finding.remedy = finding.problem.substr(at + 2);
        finding.problem.erase(at);
    }
    if (finding.place == fingerprint) {
        finding.severity = Severity::warning;
    }
    return finding;
}

}  // namespace

std::vector<Finding> lint_tuning_file(const std::string& file) {
    const std::string path = std::filesystem::absolute(file).string();
    const Command command{{beside_this_program("changeover-which"), "bcast", "--bytes", "1"},
                          {{"MPIR_CVAR_COLL_TUNING_FILE", path},
                           {"MPIR_CVAR_COLL_TUNING_NETWORK", ""},
                           {"MPIR_CVAR_COLL_TUNING_ERROR", "warn"}}};
    Process process(command, new_token());
    process.close_input();
    const std::optional<ExitStatus> status = process.wait(in_seconds(seconds_to_read));
    if (!status || status->code != 0 || status->signal != 0) {
        throw failure("the library could not check the file: " + to_shell(command) + " " +
                      (status ? "ended with " + to_string(*status) : "did not end") +
                      "; check that the patched MPICH of this build works");
    }
    const std::string start = "MPICH: MPIR_CVAR_COLL_TUNING_FILE=" + path + ", ";
    std::vector<Finding> findings;
    for (const std::string& line : process.last_errors()) {
        if (line.starts_with(start)) {
            findings.push_back(finding_from(line, start));
        }
    }
    return findings;
}

}  // namespace tuner
