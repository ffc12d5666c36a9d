// SPDX-License-Identifier: MIT
#include "node_health.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <set>

#include "checksum.hpp"
#include "error.hpp"
#include "files.hpp"
#include "process.hpp"
#include "quoting.hpp"
#include "run_folder.hpp"

namespace tuner {

namespace {

constexpr double seconds_of_load = 1;
constexpr double seconds_for_version = 5;
constexpr double seconds_of_work = 0.3;

std::string checksum_of(const std::string& file) {
    try {
        return file.empty() ? "" : fmt::format("{:08x}", crc32c(read_regular_file(file)));
    } catch (const Error&) {
        return "";
    }
}

// Program, library, file of the library
void ask_benchmark(const std::string& benchmark, NodeHealth& health) {
    try {
        Process process({{benchmark, "--version"}, {}}, new_token());
        process.close_input();
        const Deadline deadline = in_seconds(seconds_for_version);
        std::string program;
        std::string library_file;
        const bool is_complete = process.read_line(program, deadline) == Process::Read::line &&
                                 process.read_line(health.library, deadline) == Process::Read::line &&
                                 process.read_line(library_file, deadline) == Process::Read::line;
        const auto status = process.wait(deadline);
        if (!is_complete || !status || status->code != 0 || status->signal != 0) {
            const std::string reason =
                !process.last_errors().empty() ? process.last_errors().back()
                : status                       ? "ended with " + to_string(*status)
                         : fmt::format("does not print its version within {:.0f} s", seconds_for_version);
            health.benchmark_problem = benchmark + ": " + reason;
        }
        health.library_checksum = checksum_of(library_file);
    } catch (const Error& error) {
        health.benchmark_problem = error.what();
    }
    health.benchmark_checksum = checksum_of(benchmark);
}

std::vector<std::string> frequency_governors() {
    std::set<std::string> names;
    const std::filesystem::path folder = "/sys/devices/system/cpu";
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        std::ifstream file(entry.path() / "cpufreq/scaling_governor");
        if (std::string name; file >> name) {
            names.insert(name);
        }
    }
    return {names.begin(), names.end()};
}

// Microseconds of a hundred thousand dependent operations: the best of many, so that neither the frequency
// that must first rise nor another process counts
double time_of_work() {
    using Time = std::chrono::steady_clock;
    constexpr int operations = 100'000;
    volatile std::uint64_t result = 1;
    double best = 0;
    for (const auto end = Time::now() + std::chrono::duration<double>(seconds_of_work); Time::now() < end;) {
        const auto start = Time::now();
        std::uint64_t x = result;
        for (int i = 0; i < operations; ++i) {
            x = x * 6364136223846793005u + 1442695040888963407u;
        }
        result = x;
        const double us = std::chrono::duration<double, std::micro>(Time::now() - start).count();
        best = best == 0 ? us : std::min(best, us);
    }
    return best;
}

}  // namespace

double now_in_seconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::vector<std::string> HealthQuestions::as_arguments() const {
    return {"--benchmark=" + benchmark, "--folder=" + folder, "--marker=" + marker};
}

NodeHealth health_of_this_node(const HealthQuestions& questions) {
    NodeHealth health;
    health.load = load_of_this_node(seconds_of_load);  // before this program has made any
    ask_benchmark(questions.benchmark, health);
    health.governors = frequency_governors();
    health.work_us = time_of_work();
    health.writing_problem = writing_problem(questions.folder);
    std::error_code ignored;
    health.sees_marker = std::filesystem::exists(questions.marker, ignored);
    health.clock = now_in_seconds();
    return health;
}

Json to_json(const NodeHealth& health) {
    return {{"benchmark_problem", health.benchmark_problem},
            {"benchmark_checksum", health.benchmark_checksum},
            {"library", health.library},
            {"library_checksum", health.library_checksum},
            {"busy_cores", health.load.busy},
            {"busiest_process", health.load.process},
            {"governors", health.governors},
            {"clock", health.clock},
            {"work_us", health.work_us},
            {"writing_problem", health.writing_problem},
            {"sees_marker", health.sees_marker}};
}

NodeHealth health_from(const Json& json) {
    // a node's words get to the terminal
    const auto text = [&](const char* key) { return printable(json.at(key).get<std::string>()); };
    NodeHealth health;
    health.benchmark_problem = text("benchmark_problem");
    health.benchmark_checksum = text("benchmark_checksum");
    health.library = text("library");
    health.library_checksum = text("library_checksum");
    health.load.busy = json.at("busy_cores").get<std::vector<double>>();
    health.load.process = text("busiest_process");
    health.governors = json.at("governors").get<std::vector<std::string>>();
    health.clock = json.at("clock");
    health.work_us = json.at("work_us");
    health.writing_problem = text("writing_problem");
    health.sees_marker = json.at("sees_marker");
    return health;
}

}  // namespace tuner
