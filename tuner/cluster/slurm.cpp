// SPDX-License-Identifier: MIT
#include "slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "error.hpp"
#include "host_name.hpp"
#include "process.hpp"

namespace tuner {

namespace {

constexpr double seconds_to_answer = 30;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// The lines that a command prints; nothing if it fails
std::vector<std::string> lines_of(const std::vector<std::string>& arguments) {
    std::vector<std::string> lines;
    Process process({arguments, {}}, new_token());
    process.close_input();
    const Deadline deadline = in_seconds(seconds_to_answer);
    const auto status = process.wait(deadline);  // before reading, which a request to stop would end
    for (std::string line; process.read_line(line, deadline) == Process::Read::line;) {
        lines.push_back(line);
    }
    return status && status->code == 0 && status->signal == 0 ? lines : std::vector<std::string>();
}

// 2(x3),1 is 2, 2, 2, 1
std::vector<int> numbers_of_nodes(const std::string& text, const char* name) {
    std::vector<int> numbers;
    for (std::size_t at = 0; at < text.size();) {
        const std::string part = text.substr(at, text.find(',', at) - at);
        int number = 0;
        int times = 1;
        int used = 0;
        const bool is_repeated =
            std::sscanf(part.c_str(), "%6d(x%6d)%n", &number, &times, &used) == 2 && used > 0;
        if (!is_repeated) {
            times = 1;
            std::sscanf(part.c_str(), "%6d%n", &number, &used);
        }
        if (used != static_cast<int>(part.size()) || number < 1 || times < 1) {
            throw failure(fmt::format(
                "{} is '{}', which is not a list such as 2(x3),1; name the hosts in a cluster file", name,
                text));
        }
        numbers.insert(numbers.end(), static_cast<std::size_t>(times), number);
        at += part.size() + 1;
    }
    return numbers;
}

// Ranks on each node that were asked for; without such a wish Slurm sets as many as there are processors.
// Within a step (srun) the first variable tells of the step, the second one still of the job.
std::vector<int> slots_of_nodes(std::size_t nodes, const std::string& job) {
    std::string found;
    for (const char* name : {"SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"}) {
        const std::string text = variable(name);
        const std::vector<int> numbers = numbers_of_nodes(text, name);
        if (numbers.size() == nodes) {
            return numbers;
        }
        found += fmt::format("{}{}='{}'", found.empty() ? "" : ", ", name, text);
    }
    throw failure(
        fmt::format("the number of ranks on the {} nodes of Slurm job {} is not clear: {}; name the hosts "
                    "in a cluster file",
                    nodes, job, found));
}

// Slurm knows which of its nodes are the same machine. Where it may not be asked, they are taken as
// different, and the benchmark's header would tell.
bool are_one_machine(const std::string& list, std::size_t nodes) {
    std::set<std::string> machines;
    std::size_t answers = 0;
    for (const std::string& line : lines_of({"scontrol", "--oneliner", "show", "node", list})) {
        constexpr std::string_view key = " NodeHostName=";
        const std::size_t at = line.find(key);
        if (at != std::string::npos) {
            const std::size_t start = at + key.size();
            machines.insert(line.substr(start, line.find(' ', start) - start));
            ++answers;
        }
    }
    return nodes > 1 && answers == nodes && machines.size() == 1;
}

}  // namespace

std::optional<Allocation> slurm_allocation() {
    Allocation allocation;
    allocation.job = variable("SLURM_JOB_ID");
    const std::string list = variable("SLURM_JOB_NODELIST");
    if (allocation.job.empty() || list.empty()) {
        return std::nullopt;
    }
    const std::vector<std::string> names = lines_of({"scontrol", "show", "hostnames", list});
    if (names.empty()) {
        throw failure(fmt::format(
            "'scontrol show hostnames {}' gives no name for the nodes of Slurm job {}; run it by hand, or "
            "name the hosts in a cluster file",
            list, allocation.job));
    }
    const std::vector<int> slots = slots_of_nodes(names.size(), allocation.job);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!is_host_name(names[i])) {
            throw failure(
                fmt::format("'scontrol show hostnames {}' printed '{}', which is not a host name; run it by "
                            "hand, or name "
                            "the hosts in a cluster file",
                            list, names[i]));
        }
        allocation.hosts.push_back({names[i], slots[i]});
    }
    allocation.is_one_machine = are_one_machine(list, names.size());
    return allocation;
}

bool is_allocation_over() {
    const std::string job = variable("SLURM_JOB_ID");
    return !job.empty() &&
           lines_of({"squeue", "--noheader", "--states=RUNNING", "--format=%i", "--jobs=" + job}).empty();
}

std::string to_string(const Allocation& allocation) {
    const auto [fewest, most] =
        std::minmax_element(allocation.hosts.begin(), allocation.hosts.end(),
                            [](const Host& a, const Host& b) { return a.slots < b.slots; });
    const std::string slots = fewest->slots == most->slots
                                  ? std::to_string(most->slots)
                                  : fmt::format("{} to {}", fewest->slots, most->slots);
    return fmt::format("Slurm job {}: {} node{} ({}{}), up to {} rank{} on each", allocation.job,
                       allocation.hosts.size(), allocation.hosts.size() == 1 ? "" : "s",
                       allocation.hosts.front().name,
                       allocation.hosts.size() == 1 ? "" : " ... " + allocation.hosts.back().name, slots,
                       most->slots == 1 ? "" : "s");
}

}  // namespace tuner
