// SPDX-License-Identifier: MIT
#include "findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "launcher.hpp"
#include "machine.hpp"
#include "node_differences.hpp"

namespace tuner {

namespace {

constexpr double busy_share = 0.25;         // of a core, from which on it is not free
constexpr double clock_seconds = 1;         // that clocks may differ
constexpr double slower_than_usual = 1.15;  // by this factor; equal nodes differ by a few percent

using Findings = std::vector<NodeFinding>;

// Nodes with the same text are one finding
void add_finding(Findings& findings, const std::string& node, const NodeFinding& finding) {
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const NodeFinding& other) {
        return other.what == finding.what && other.remedy == finding.remedy;
    });
    if (same == findings.end()) {
        findings.push_back(finding);
        findings.back().nodes = {node};
    } else {
        same->nodes.push_back(node);
    }
}

// A check of each node by itself: what is wrong with it, if anything
template <typename Look>
Findings of_each_node(const Examination& e, const char* why, const char* remedy, Look what) {
    Findings findings;
    for (const auto& [host, facts] : e.asked.facts) {
        if (const std::string text = what(host, facts); !text.empty()) {
            add_finding(findings, host, {{}, text, why, remedy});
        }
    }
    return findings;
}

Findings from_differences(const Examination& e, const NodeProperty& property, const char* why,
                          const char* remedy) {
    Findings findings;
    for (const NodeDifference& row : differences_in(e.asked, property)) {
        add_finding(findings, row.host, {{}, row.text, why, remedy});
    }
    return findings;
}

Findings silent_nodes(const Examination& e) {
    Findings findings;
    const Layout all = {static_cast<int>(e.cluster.hosts.size()), 1};
    const auto commands = probe_commands(e.cluster, e.cluster.networks.front(), all);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const std::string& host = e.cluster.hosts[i].name;
        if (const auto problem = e.asked.problems.find(host); problem != e.asked.problems.end()) {
            findings.push_back(
                {{host},
                 "does not answer: " + problem->second,
                 "jobs with ranks there do not start",
                 "start the node, or remove it from the cluster file. This must print a version:",
                 to_shell(commands[i].second)});
        }
    }
    return findings;
}

Findings unlike_nodes(const Examination& e) {
    Findings findings;
    for (const NodeProperty& property : node_properties) {
        const Findings of_property =
            from_differences(e, property, "all nodes get the same rules, and a job waits for the slowest",
                             "describe nodes that are not alike in cluster files of their own, and install "
                             "the same version of changeover on all");
        findings.insert(findings.end(), of_property.begin(), of_property.end());
    }
    return findings;
}

Findings missing_benchmark(const Examination& e) {
    Findings findings = of_each_node(
        e, "jobs with ranks there do not start",
        "put the program at the same path on all nodes (a shared folder), or name it as \"benchmark\" in "
        "\"mpi\" of the cluster file",
        [&](const std::string&, const NodeFacts& facts) {
            return facts.health->benchmark_problem.empty()
                       ? ""
                       : "the benchmark does not run: " + facts.health->benchmark_problem;
        });
    const Findings others = from_differences(
        e,
        {"checksum of the benchmark",
         [](const NodeFacts& facts) {
             return facts.health->benchmark_problem.empty() ? facts.health->benchmark_checksum : "";
         }},
        "ranks of different programs do not understand each other",
        "put the same program at the same path on all nodes (a shared folder)");
    findings.insert(findings.end(), others.begin(), others.end());
    return findings;
}

// Without what it was built from
std::string library_text(const NodeFacts& facts) {
    const NodeHealth& health = *facts.health;
    return health.benchmark_problem.empty()
               ? fmt::format("{}, checksum {}", health.library.substr(0, health.library.find(';')),
                             health.library_checksum)
               : "";
}

Findings other_libraries(const Examination& e) {
    return from_differences(
        e, {"library", library_text},
        "ranks of different libraries do not understand each other, and rules hold for one of them",
        "install the same MPI library on all nodes, or put it into a shared folder; compare LD_LIBRARY_PATH");
}

std::string interface_problem(const NodeFacts& facts, const Network& network, const std::string& subnet) {
    std::vector<std::string> names;
    for (const NodeInterface& row : facts.interfaces) {
        if (row.name == network.interface && (subnet.empty() || row.subnet == subnet)) {
            return "";
        }
        names.push_back(row.name + " (" + row.subnet + ")");
    }
    return fmt::format("has no interface {}{} for the network {}; it has: {}", network.interface,
                       subnet.empty() ? "" : " in " + subnet, network.name, fmt::join(names, ", "));
}

// The subnet in which most nodes have the interface
std::string usual_subnet(const Examination& e, const std::string& interface) {
    std::map<std::string, int> counts;
    for (const auto& [host, facts] : e.asked.facts) {
        for (const NodeInterface& row : facts.interfaces) {
            counts[row.name == interface ? row.subnet : ""] += row.name == interface ? 1 : 0;
        }
    }
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? "" : most->first;
}

int speed_of_interface(const NodeFacts& facts, const std::string& interface) {
    const auto row = std::find_if(facts.interfaces.begin(), facts.interfaces.end(),
                                  [&](const NodeInterface& i) { return i.name == interface; });
    return row == facts.interfaces.end() ? 0 : row->megabits;
}

Findings wrong_interfaces(const Examination& e) {
    Findings findings;
    for (const Network& network : e.cluster.networks) {
        if (network.interface.empty() || e.cluster.hosts.size() == 1) {
            continue;
        }
        const std::string subnet = usual_subnet(e, network.interface);
        int fastest = 0;
        for (const auto& [host, facts] : e.asked.facts) {
            fastest = std::max(fastest, speed_of_interface(facts, network.interface));
        }
        const Findings of_network = of_each_node(
            e, "a job on this network does not start, or waits for this node",
            "correct \"interface\" in the cluster file, or name, address and speed of the interface on the "
            "node (ip addr; ethtool)",
            [&](const std::string&, const NodeFacts& facts) -> std::string {
                const int speed = speed_of_interface(facts, network.interface);
                const std::string problem = interface_problem(facts, network, subnet);
                return !problem.empty() || speed == 0 || speed == fastest
                           ? problem
                           : fmt::format("{} has {} Mbit/s, others {}", network.interface, speed, fastest);
            });
        findings.insert(findings.end(), of_network.begin(), of_network.end());
    }
    return findings;
}

int slots_of(const Cluster& cluster, const std::string& name) {
    const auto host = std::find_if(cluster.hosts.begin(), cluster.hosts.end(),
                                   [&](const Host& row) { return row.name == name; });
    return host == cluster.hosts.end() ? 0 : host->slots;
}

Findings too_few_cores(const Examination& e) {
    return of_each_node(
        e, "ranks that share a core wait for each other, and times vary",
        "use fewer \"slots\" in the cluster file (or --ranks)",
        [&](const std::string& host, const NodeFacts& facts) {
            // those that the launcher gives to one rank may be fewer
            const std::size_t known = facts.health->load.busy.size();
            const int cores = std::max(facts.cores, static_cast<int>(known));
            const int slots = slots_of(e.cluster, host);
            return slots > cores ? fmt::format("has {} cores for up to {} ranks", cores, slots) : "";
        });
}

Findings busy_cores(const Examination& e) {
    return of_each_node(
        e, "a rank on a busy core is late, and all others wait for it",
        "end the process, wait until the job of somebody else has ended, or remove the node from the cluster "
        "file",
        [](const std::string&, const NodeFacts& facts) {
            const CoreLoad& load = facts.health->load;
            std::vector<std::string> busy;
            for (std::size_t core = 0; core < load.busy.size(); ++core) {
                if (load.busy[core] > busy_share) {
                    busy.push_back(fmt::format("core {}: {:.0f}%", core, 100 * load.busy[core]));
                }
            }
            return busy.empty() ? ""
                                : fmt::format("{} of {} cores are busy ({}){}", busy.size(), load.busy.size(),
                                              fmt::join(busy, ", "),
                                              load.process.empty() ? "" : "; most by " + load.process);
        });
}

Findings slow_governors(const Examination& e) {
    return of_each_node(e, "the frequency of a core follows its load, so times depend on what was before",
                        "as root on the node: cpupower frequency-set -g performance",
                        [](const std::string&, const NodeFacts& facts) -> std::string {
                            const auto& names = facts.health->governors;
                            const bool is_fine =
                                std::all_of(names.begin(), names.end(),
                                            [](const std::string& name) { return name == "performance"; });
                            return is_fine ? "" : fmt::format("scaling governor {}", fmt::join(names, ", "));
                        });
}

Findings wrong_clocks(const Examination& e) {
    return of_each_node(e,
                        "times of files and logs of this node mislead, and services such as munge refuse it",
                        "synchronize the clock of the node (chronyc tracking; timedatectl)",
                        [&](const std::string& host, const NodeFacts&) {
                            const auto offset = e.asked.clock_offsets.find(host);
                            const double seconds = offset == e.asked.clock_offsets.end() ? 0 : offset->second;
                            return std::abs(seconds) <= clock_seconds
                                       ? ""
                                       : fmt::format("its clock is {:.0f} s {} the clock of this machine",
                                                     std::abs(seconds), seconds > 0 ? "ahead of" : "behind");
                        });
}

Findings slow_nodes(const Examination& e) {
    std::vector<double> times;
    for (const auto& [host, facts] : e.asked.facts) {
        times.push_back(facts.health->work_us);
    }
    std::sort(times.begin(), times.end());
    const double usual = times[(times.size() - 1) / 2];
    return of_each_node(e, "a collective waits for the slowest node",
                        "look for a power limit, a low frequency (cpupower frequency-info), heat or other "
                        "work; or remove the "
                        "node from the cluster file",
                        [&](const std::string&, const NodeFacts& facts) {
                            const double time = facts.health->work_us;
                            return time <= slower_than_usual * usual
                                       ? ""
                                       : fmt::format(
                                             "is slower: {:.0f} us for work that takes others {:.0f} us",
                                             time, usual);
                        });
}

Findings bad_run_folder(const Examination& e) {
    if (!e.folder_problem.empty()) {
        return {{{environment_of_this_machine().at("host")},
                 fmt::format("this command cannot write to {}: {}", e.folder, e.folder_problem),
                 "a tuning keeps its samples there",
                 "correct the permissions or the disk, or use another run directory: --run"}};
    }
    return of_each_node(
        e, "rank 0 of a job reads the tuning file of the run, and a tuning may be resumed on another node",
        "use a run directory on a file system that all nodes share and can write to: --run",
        [&](const std::string&, const NodeFacts& facts) {
            if (!facts.health->sees_marker) {
                return fmt::format("{} is not the same folder as here: it is missing there, or not shared",
                                   e.folder);
            }
            return facts.health->writing_problem.empty()
                       ? ""
                       : fmt::format("cannot write to {}: {}", e.folder, facts.health->writing_problem);
        });
}

constexpr struct {
    const char* name;
    const char* fine;
    bool stops_jobs;
    Findings (*look)(const Examination& examination);
} node_checks[] = {
    {"launcher", "it starts programs on every node", true, silent_nodes},
    {"hardware", "the nodes are alike", false, unlike_nodes},
    {"benchmark", "the same one runs on every node", true, missing_benchmark},
    {"MPI library", "the same one on every node", true, other_libraries},
    {"interfaces", "every node has those of the cluster file", true, wrong_interfaces},
    {"cores", "at least one for each rank", false, too_few_cores},
    {"load", "the cores are idle", false, busy_cores},
    {"governors", "the frequency of the cores is constant, or not under control of the system", false,
     slow_governors},
    {"clocks", "they agree", false, wrong_clocks},
    {"speed", "no node is slower than the others", false, slow_nodes},
    {"run directory", "every node can write to it", false, bad_run_folder},
};

}  // namespace

std::vector<CheckResult> check_nodes(const Examination& examination) {
    std::vector<CheckResult> results;
    for (const auto& row : node_checks) {
        results.push_back({row.name, row.fine, row.look(examination), row.stops_jobs});
        if (examination.asked.facts.empty()) {
            break;
        }
    }
    return results;
}

std::vector<Host> hosts_for_jobs(const Cluster& cluster, const std::vector<CheckResult>& results) {
    std::set<std::string> excluded;
    for (const CheckResult& result : results) {
        for (const NodeFinding& finding : result.findings) {
            if (result.stops_jobs) {
                excluded.insert(finding.nodes.begin(), finding.nodes.end());
            }
        }
    }
    std::vector<Host> hosts;
    std::copy_if(cluster.hosts.begin(), cluster.hosts.end(), std::back_inserter(hosts),
                 [&](const Host& host) { return excluded.count(host.name) == 0; });
    return hosts;
}

CheckResult check_connections(const Cluster& cluster, const std::vector<BrokenConnection>& broken) {
    const std::size_t hosts = cluster.hosts.size();
    CheckResult result = {
        "connections",
        hosts == 1 ? "a job works" : fmt::format("a job of {} nodes works on each network", hosts),
        {},
        true};
    for (const BrokenConnection& row : broken) {
        const std::string& interface = cluster.network(row.network).interface;
        result.findings.push_back(
            {row.nodes,
             fmt::format("{} on network {}: {}",
                         row.nodes.size() == 1 ? "no job with other nodes works" : "a job of them fails",
                         row.network, row.reason),
             "jobs on this network fail or hang",
             fmt::format(
                 "allow TCP between the nodes{} in their firewalls, on all ports; check cable, address "
                 "and route",
                 interface.empty() ? "" : " on the interface " + interface)});
    }
    return result;
}

std::string to_text(const CheckResult& result) {
    if (result.findings.empty()) {
        return fmt::format("fine   {:<14} {}\n", result.name, result.fine);
    }
    std::string text;
    for (const NodeFinding& finding : result.findings) {
        text +=
            fmt::format("FOUND  {:<14} {}: {}\n", result.name, fmt::join(finding.nodes, ", "), finding.what);
        text += fmt::format("{:7}{:<14} {}\n", "", "  why", finding.why);
        text += fmt::format("{:7}{:<14} {}\n", "", "  remedy", finding.remedy);
        if (!finding.command.empty()) {
            text += fmt::format("{:22}{}\n", "", finding.command);
        }
    }
    return text;
}

}  // namespace tuner
