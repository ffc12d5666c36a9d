// SPDX-License-Identifier: MIT
#include "job_mix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <sstream>

#include "error.hpp"
#include "files.hpp"
#include "process.hpp"

namespace tuner {

namespace {

constexpr double seconds_of_sacct = 120;  // a month of a large cluster
constexpr int most_count = 1 << 24;

std::string without_comment(std::string line) {
    line.erase(std::min(line.find('#'), line.size()));
    std::replace(line.begin(), line.end(), '|', ' ');
    return line;
}

// Steps have a number of tasks; what sacct says of whole jobs, and of their batch scripts, has not
std::string steps_of_slurm() {
    const std::vector<std::string> arguments = {job_mix_of_slurm,
                                                "--allusers",
                                                "--noheader",
                                                "--parsable2",
                                                "--starttime=now-30days",
                                                "--endtime=now",
                                                "--state=COMPLETED,TIMEOUT",
                                                "--format=NNodes,NTasks"};
    Process process({arguments, {}}, new_token());
    process.close_input();
    const Deadline deadline = in_seconds(seconds_of_sacct);
    std::string text;
    Process::Read read = Process::Read::line;
    for (std::string line; (read = process.read_line(line, deadline)) == Process::Read::line;) {
        const std::size_t bar = line.find('|');
        if (bar != std::string::npos && bar + 1 < line.size()) {
            text += line + "\n";
        }
    }
    const auto status = process.wait(deadline);
    if (read != Process::Read::end || !status || status->code != 0 || status->signal != 0) {
        const std::deque<std::string>& errors = process.last_errors();
        throw usage_error(fmt::format(
            "sacct did not tell the jobs of this cluster ({}); give --job-mix a file with lines NODES RANKS "
            "JOBS",
            errors.empty() ? "it printed nothing" : errors.back()));
    }
    return text;
}

}  // namespace

std::vector<JobCount> parse_job_mix(std::string_view text, const std::string& name) {
    std::map<std::pair<int, int>, double> counts;  // by nodes and ranks on a node
    std::istringstream lines{std::string(text)};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::istringstream fields(without_comment(line));
        int nodes = 0;
        int ranks = 0;
        double jobs = 1;
        std::string rest;
        if (!(fields >> rest)) {
            continue;
        }
        fields.clear();
        fields.seekg(0);
        const bool has_both = static_cast<bool>(fields >> nodes >> ranks);
        const bool has_jobs = has_both && static_cast<bool>(fields >> jobs);
        const bool is_over = has_jobs ? !(fields >> rest) : fields.eof();
        if (!has_both || !is_over || nodes < 1 || ranks < nodes || ranks > most_count || !(jobs > 0)) {
            throw usage_error(fmt::format(
                "{}, line {}: '{}' is not NODES RANKS [JOBS], such as 4 64 120 for 120 jobs of 64 ranks on 4 "
                "nodes",
                name, number, line));
        }
        if (ranks > 1) {
            counts[{nodes, (ranks + nodes - 1) / nodes}] += jobs;
        }
    }
    if (counts.empty()) {
        throw usage_error(name +
                          " has no job of two or more ranks; leave out --job-mix to count all jobs the "
                          "same");
    }
    std::vector<JobCount> mix;
    for (const auto& [size, jobs] : counts) {
        mix.push_back({size.first, size.second, jobs});
    }
    return mix;
}

std::vector<JobCount> read_job_mix(const std::string& file_or_sacct) {
    return file_or_sacct == job_mix_of_slurm ? parse_job_mix(steps_of_slurm(), "what sacct printed")
                                             : parse_job_mix(read_file(file_or_sacct), file_or_sacct);
}

}  // namespace tuner
