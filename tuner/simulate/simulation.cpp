// SPDX-License-Identifier: MIT
#include "simulation.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "error.hpp"
#include "files.hpp"
#include "mpi_library.hpp"

namespace tuner {

namespace {

constexpr double longest_seconds = 3600;  // for an answer

std::string simulator() {
    return beside_this_program("changeover-sim");
}

Command command_of(const std::string& platform_file, const std::vector<std::string>& arguments) {
    if (!std::filesystem::exists(simulator())) {
        throw usage_error("there is no " + simulator() +
                          ": install SimGrid (Debian: libsimgrid-dev) and build again");
    }
    Command command{{simulator(), "--platform", platform_file}, {}};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    return command;
}

}  // namespace

Simulation::Simulation(const std::string& platform_file, const std::vector<std::string>& arguments)
    : process_(command_of(platform_file, arguments), new_token()) {}

void Simulation::send(const Json& line) {
    process_.write(line.dump() + "\n", in_seconds(longest_seconds));
}

Json Simulation::next() {
    std::string line;
    if (process_.read_line(line, in_seconds(longest_seconds)) != Process::Read::line) {
        const auto& errors = process_.last_errors();
        throw failure("the simulation ended without an answer" +
                      (errors.empty() ? "" : ": " + errors.back()));
    }
    Json json = parse_json(line);
    if (json.at("type") == "error") {
        throw usage_error(json.at("message").get<std::string>());
    }
    return json;
}

std::string layout_argument(const Layout& layout) {
    return fmt::format("{}x{}{}{}", layout.nodes, layout.ppn,
                       layout.missing == 0 ? "" : fmt::format("-{}", layout.missing),
                       layout.mapping == Mapping::block ? "" : ":round-robin");
}

TemporaryPlatform::TemporaryPlatform(const std::string& text) {
    constexpr const char* suffix = ".xml";
    path_ = (std::filesystem::temp_directory_path() / "changeover-XXXXXX").string() + suffix;
    const int file = mkstemps(path_.data(), 4);
    const bool is_written =
        file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file < 0 || ::close(file) != 0 || !is_written) {
        throw failure("cannot write " + path_ + "; check the space there, or set TMPDIR");
    }
}

TemporaryPlatform::~TemporaryPlatform() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

}  // namespace tuner
