// SPDX-License-Identifier: MIT
#include "simulated_prediction.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "error.hpp"
#include "files.hpp"
#include "mpi_library.hpp"
#include "planned_collective.hpp"
#include "process.hpp"

namespace tuner {

namespace {

constexpr double longest_seconds = 3600;  // for an answer

// Nobody else can read or replace it; removed with this object
class TemporaryPlatform {
  public:
    explicit TemporaryPlatform(const std::string& text) {
        constexpr const char* suffix = ".xml";
        path_ = (std::filesystem::temp_directory_path() / "changeover-XXXXXX").string() + suffix;
        const int file = mkstemps(path_.data(), 4);
        const bool is_written =
            file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
        if (file < 0 || ::close(file) != 0 || !is_written) {
            throw failure("cannot write " + path_ + "; check the space there, or set TMPDIR");
        }
    }
    ~TemporaryPlatform() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryPlatform(const TemporaryPlatform&) = delete;
    TemporaryPlatform& operator=(const TemporaryPlatform&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

Json next_answer(Process& process) {
    std::string line;
    if (process.read_line(line, in_seconds(longest_seconds)) != Process::Read::line) {
        const auto& errors = process.last_errors();
        throw failure("the simulation ended without an answer" +
                      (errors.empty() ? "" : ": " + errors.back()));
    }
    const Json json = parse_json(line);
    if (json.at("type") == "error") {
        throw usage_error(json.at("message").get<std::string>());
    }
    return json;
}

std::vector<SimulatedTime> times_of(Process& process, const SimulatedCall& call) {
    const PlannedCollective collective =
        planned(known_collective(call.collective), std::max<std::size_t>(1, call.bytes));
    Json request = {{"id", 1},
                    {"collective", collective.name},
                    {"bytes", {call.bytes}},
                    {"algorithms", {"all"}},
                    {"min_repetitions", 1},
                    {"max_repetitions", 1}};
    if (!collective.datatype.empty()) {
        request["datatype"] = collective.datatype;
    }
    process.write(request.dump() + "\n", in_seconds(longest_seconds));
    std::vector<SimulatedTime> times;
    std::string by_default;
    for (Json line = next_answer(process); line.at("type") == "case"; line = next_answer(process)) {
        if (line.at("algorithm") == "default") {
            by_default = line.at("used").get<std::string>();
        } else if (line.at("status") == "measured") {
            const auto name = line.at("algorithm").get<std::string>();
            times.push_back({name, 1e-6 * line.at("median_us").get<double>(), name == by_default});
        }
    }
    std::sort(times.begin(), times.end(),
              [](const SimulatedTime& x, const SimulatedTime& y) { return x.seconds < y.seconds; });
    return times;
}

}  // namespace

std::vector<std::vector<SimulatedTime>> simulated_times(const std::string& platform_file,
                                                        const Layout& layout,
                                                        const std::vector<SimulatedCall>& calls) {
    const std::string program = beside_this_program("changeover-sim");
    if (!std::filesystem::exists(program)) {
        throw usage_error("there is no " + program +
                          ": install SimGrid (Debian: libsimgrid-dev) and build again");
    }
    const std::string of_layout = fmt::format("{}x{}{}{}", layout.nodes, layout.ppn,
                                              layout.missing == 0 ? "" : fmt::format("-{}", layout.missing),
                                              layout.mapping == Mapping::block ? "" : ":round-robin");
    Process process({{program, "--platform", platform_file, "--layout", of_layout, "--serve"}, {}},
                    new_token());
    next_answer(process);  // the header
    std::vector<std::vector<SimulatedTime>> all;
    for (const SimulatedCall& call : calls) {
        all.push_back(times_of(process, call));
    }
    process.close_input();
    return all;
}

std::vector<std::vector<SimulatedTime>> simulated_times(const CalibratedPlatform& platform,
                                                        const std::string& collective, const Layout& layout,
                                                        const std::vector<std::size_t>& sizes) {
    CalibratedPlatform large = platform;
    large.topology.nodes = std::max({2, layout.nodes, platform.topology.nodes});
    large.machine.noise = {};
    const TemporaryPlatform file(platform_xml(large.topology, large.machine));
    std::vector<SimulatedCall> calls;
    for (const std::size_t bytes : sizes) {
        calls.push_back({collective, bytes});
    }
    return simulated_times(file.path(), layout, calls);
}

}  // namespace tuner
