// SPDX-License-Identifier: MIT
#include "run_owner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "cluster_file.hpp"
#include "error.hpp"
#include "saved_run.hpp"

namespace tuner {

namespace {

std::string user_name(uid_t user) {
    const passwd* entry = getpwuid(user);
    return entry ? fmt::format("{} (user id {})", entry->pw_name, user) : fmt::format("user id {}", user);
}

// The first owner that is neither the user nor root; nothing: there is none
std::optional<uid_t> other_owner(const RunFiles& files, uid_t user) {
    for (const std::string& path : {files.folder(), files.manifest(), files.samples()}) {
        struct stat about = {};
        if (stat(path.c_str(), &about) == 0 && about.st_uid != user && about.st_uid != 0) {
            return about.st_uid;
        }
    }
    return std::nullopt;
}

// Without characters that a terminal obeys
std::string without_controls(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
    return text;
}

// Launcher and benchmark, by the first network and layout
std::string programs_of(const RunFiles& files) {
    try {
        const Cluster cluster = cluster_from(CheckedJson::parse_file(files.manifest()).at("cluster"));
        const Network& network = cluster.networks.at(0);
        const std::vector<std::string> benchmark = benchmark_program(cluster, network);
        const Command command = launch_command(cluster, network, cluster.layouts.at(0), benchmark);
        return without_controls(command.arguments.at(0) + ", " + benchmark.at(0));
    } catch (const std::exception&) {
        return "they cannot be read";
    }
}

}  // namespace

void refuse_run_of_others(const std::string& folder, uid_t user) {
    const RunFiles files(folder);
    if (const std::optional<uid_t> owner = other_owner(files, user)) {
        throw usage_error(fmt::format(
            "the run in {0} belongs to {1}, and this command would start the programs that {2} names ({3}); "
            "read that file, then either work on a copy (cp -r {0} COPY) or add --trust-run",
            folder, user_name(*owner), files.manifest(), programs_of(files)));
    }
}

}  // namespace tuner
