// SPDX-License-Identifier: MIT
#include "node_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "installed_libraries.hpp"
#include "interface.hpp"
#include "machine.hpp"
#include "process.hpp"
#include "quoting.hpp"

namespace tuner {

namespace {

constexpr const char* loopback_subnet = "127.";
constexpr double seconds_of_turn = 0.02;

int speed_of(const std::string& interface) {
    std::ifstream file("/sys/class/net/" + interface + "/speed");
    int megabits = 0;
    return file >> megabits && megabits > 0 ? megabits : 0;
}

long memory_megabytes() {
    std::ifstream file("/proc/meminfo");
    std::string name;
    long kilobytes = 0;
    return file >> name >> kilobytes ? kilobytes / 1024 : 0;
}

// What a probe answers, or why it does not
struct Probe {
    std::string host;
    std::unique_ptr<Process> process;
};

// Open MPI writes between two such lines
bool is_rule(const std::string& line) {
    return line.size() > 20 && line.find_first_not_of('-') == std::string::npos;
}

// What hydra says of itself only if there is nothing else; of Open MPI's text its first sentence
std::string last_error(const Process& process) {
    const auto& lines = process.last_errors();
    const auto rule = std::find_if(lines.begin(), lines.end(), is_rule);
    if (rule != lines.end() && std::next(rule) != lines.end()) {
        return *std::next(rule);
    }
    const auto telling = std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) {
        return !line.empty() && !line.starts_with("[mpiexec@") && !line.starts_with("[proxy:");
    });
    return telling != lines.rend() ? *telling : lines.empty() ? "it printed nothing" : lines.back();
}

// By which a clock that showed `time` between two moments is wrong at least
double clock_offset(double time, double from, double to) {
    return time < from ? time - from : time > to ? time - to : 0;
}

// True: it has, or never will; false: not within its turn
bool has_answered(const Probe& probe, double asked_at, bool wants_health, AskedNodes& asked) {
    std::string line;
    const Process::Read read = probe.process->read_line(line, in_seconds(seconds_of_turn));
    if (read == Process::Read::time_out) {
        return false;
    }
    if (read != Process::Read::line) {
        asked.problems[probe.host] = last_error(*probe.process);
        return true;
    }
    try {
        const NodeFacts facts = facts_from_line(line);
        if (wants_health) {
            const double clock = facts.health.value().clock;
            asked.clock_offsets[probe.host] = clock_offset(clock, asked_at, now_in_seconds());
        }
        asked.facts[probe.host] = facts;
    } catch (const std::exception&) {
        asked.problems[probe.host] = "it printed: " + line.substr(0, 100);
    }
    return true;
}

}  // namespace

NodeFacts facts_of_this_node() {
    const Json machine = environment_of_this_machine();
    NodeFacts facts;
    facts.host = machine.at("host");
    facts.cores = machine.at("cores");
    facts.processor = machine.at("processor");
    facts.kernel = machine.at("kernel");
    facts.changeover = program_version;
    facts.memory_megabytes = memory_megabytes();
    for (const bench::Interface& row : bench::interfaces()) {
        const bool is_usual = row.address.find(':') == std::string::npos;  // IPv4
        if (is_usual && !row.address.starts_with(loopback_subnet)) {
            facts.interfaces.push_back({row.name, row.address, row.subnet, speed_of(row.name)});
        }
    }
    facts.libraries = installed_libraries();
    return facts;
}

std::string to_line(const NodeFacts& facts) {
    Json interfaces = Json::array();
    for (const NodeInterface& row : facts.interfaces) {
        interfaces.push_back({{"name", row.name},
                              {"address", row.address},
                              {"subnet", row.subnet},
                              {"megabits", row.megabits}});
    }
    Json json = {{"host", facts.host},
                 {"cores", facts.cores},
                 {"memory_megabytes", facts.memory_megabytes},
                 {"processor", facts.processor},
                 {"kernel", facts.kernel},
                 {"changeover", facts.changeover},
                 {"interfaces", interfaces},
                 {"libraries", facts.libraries}};
    if (facts.health) {
        json["health"] = to_json(*facts.health);
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

NodeFacts facts_from_line(const std::string& line) {
    const Json json = parse_json(line);
    // a node's words get into comments of a file
    const auto text = [](const Json& value) { return printable(value.get<std::string>()); };
    NodeFacts facts;
    facts.host = text(json.at("host"));
    facts.cores = json.at("cores");
    facts.memory_megabytes = json.at("memory_megabytes");
    facts.processor = text(json.at("processor"));
    facts.kernel = text(json.at("kernel"));
    facts.changeover = text(json.at("changeover"));
    for (const Json& row : json.at("interfaces")) {
        facts.interfaces.push_back(
            {text(row.at("name")), text(row.at("address")), text(row.at("subnet")), row.at("megabits")});
    }
    for (const Json& row : json.at("libraries")) {
        facts.libraries.push_back(text(row));
    }
    if (json.contains("health")) {
        facts.health = health_from(json.at("health"));
    }
    return facts;
}

AskedNodes ask_nodes(const Cluster& cluster, double seconds,
                     const std::optional<HealthQuestions>& questions) {
    const Layout all = {static_cast<int>(cluster.hosts.size()), 1};
    std::vector<std::string> arguments = {"facts"};
    if (questions) {
        const std::vector<std::string> more = questions->as_arguments();
        arguments.insert(arguments.end(), more.begin(), more.end());
    }
    const double start = now_in_seconds();
    const Deadline deadline = in_seconds(seconds);
    std::vector<Probe> probes;
    for (const auto& [name, command] : probe_commands(cluster, cluster.networks.front(), all, arguments)) {
        probes.push_back(
            {cluster.hosts[probes.size()].name, std::make_unique<Process>(command, new_token())});
        probes.back().process->close_input();
    }
    AskedNodes asked;
    // In turns: a node that does not answer delays no other one, whose clock is compared when it answers
    while (!probes.empty() && Clock::now() < deadline) {
        std::erase_if(probes, [&](const Probe& probe) {
            return has_answered(probe, start, questions.has_value(), asked);
        });
    }
    for (const Probe& probe : probes) {
        asked.problems[probe.host] =
            fmt::format("no answer within {:.0f} s; {}", seconds, last_error(*probe.process));
    }
    return asked;
}

}  // namespace tuner
