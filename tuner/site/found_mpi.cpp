// SPDX-License-Identifier: MIT
#include "found_mpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "error.hpp"
#include "process.hpp"

namespace tuner {

namespace {

namespace fs = std::filesystem;

constexpr double seconds_to_answer = 5;
constexpr std::size_t most_lines = 20;
constexpr const char* names_of_launchers[] = {"mpiexec",       "mpirun",       "mpiexec.hydra",
                                              "mpiexec.mpich", "mpirun.mpich", "mpiexec.openmpi",
                                              "mpirun.openmpi"};

// How the version begins in what a launcher prints; the first row that matches
const struct {
    std::regex line;
    const char* family;
} version_lines[] = {
    {std::regex(R"(Intel\(R\) MPI Library.* Version ([0-9][0-9.]*))"), "Intel MPI"},
    {std::regex(R"(\((?:Open MPI|OpenRTE)\) ([0-9][0-9.]*[a-z0-9]*))"), "Open MPI"},
    {std::regex(R"(^ *Version: +([0-9][0-9.]*[a-z0-9]*))"), "MPICH"},  // of Hydra, which is MPICH's
};

// What can be done with which versions; the first row that matches. `library` as in cluster files
constexpr struct {
    const char* begin;
    const char* library;
    const char* how;
} ways[] = {
    {"MPICH 4", "mpich-stock", "the tuning file with libchangeover-preload, or a selection file"},
    {"MPICH 5", "mpich-stock", "the tuning file with libchangeover-preload, or a selection file"},
    {"Open MPI 4", "openmpi", "a rules file"},
    {"Open MPI", "openmpi", "a rules file, where coll/han does not take the call (--mca coll ^han)"},
};
constexpr const char* no_way = "no: MPICH since 4.0 and Open MPI since 4.1 can be tuned";

std::vector<std::string> lines_of(const std::string& launcher) {
    std::vector<std::string> lines;
    try {
        Process process({{launcher, "--version"}, {}}, new_token());
        process.close_input();
        const Deadline deadline = in_seconds(seconds_to_answer);
        std::string line;
        while (lines.size() < most_lines && process.read_line(line, deadline) == Process::Read::line) {
            lines.push_back(line);
        }
    } catch (const Error&) {  // it cannot be started
    }
    return lines;
}

}  // namespace

std::string version_of_launcher(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        for (const auto& row : version_lines) {
            std::smatch found;
            if (std::regex_search(line, found, row.line)) {
                return row.family + (" " + found[1].str());
            }
        }
    }
    return "";
}

FoundMpi found_mpi(const std::string& launcher) {
    FoundMpi found{launcher, version_of_launcher(lines_of(launcher)), "", no_way};
    // of the patched MPICH
    const bool is_patched =
        fs::exists(fs::path(launcher).parent_path().parent_path() / "include/mpix_coll.h");
    for (const auto& way : ways) {
        if (found.library.empty() && found.version.starts_with(way.begin)) {
            found.library = is_patched ? "mpich" : way.library;
            found.how = is_patched ? "the tuning file, which it reads itself" : way.how;
        }
    }
    return found;
}

std::vector<FoundMpi> found_mpis(const std::string& path) {
    std::vector<FoundMpi> found;
    std::set<fs::path> seen;
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        for (const char* name : names_of_launchers) {
            std::error_code error;
            const fs::path launcher = fs::canonical(fs::path(folder) / name, error);
            if (!error && fs::is_regular_file(launcher, error) && seen.insert(launcher).second) {
                found.push_back(found_mpi(launcher.string()));
            }
        }
    }
    std::erase_if(found, [](const FoundMpi& mpi) { return mpi.version.empty(); });
    return found;
}

void use_mpi(const FoundMpi& found, Json& launcher, Json& mpi) {
    if (found.library.empty()) {
        throw usage_error(fmt::format("{}{} cannot be tuned; changeover env lists what can", found.launcher,
                                      found.version.empty() ? "" : " (" + found.version + ")"));
    }
    if (found.library == "openmpi") {
        launcher["kind"] = "openmpi";
    }
    launcher["program"] = found.launcher;
    mpi["library"] = found.library;
}

}  // namespace tuner
