// SPDX-License-Identifier: MIT
// Writes a cluster file from what is there: hosts that are named, a file of hosts, an allocation of Slurm or
// PBS, or this machine. Each node is asked what it has.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <memory>

#include "cluster_file.hpp"
#include "commands.hpp"
#include "device_advice.hpp"
#include "error.hpp"
#include "files.hpp"
#include "found_mpi.hpp"
#include "output.hpp"
#include "proposed_cluster.hpp"
#include "slurm.hpp"

namespace tuner::commands {

namespace {

constexpr double seconds_to_answer = 15;

struct Options {
    std::vector<std::string> hosts;  // n[1-4]
    std::string host_file;
    std::vector<std::string> launcher_arguments;
    std::string mpi;  // its launcher; empty: the patched MPICH
    std::string output;
};

// One host on each line, maybe with slots (n1:8, n1 slots=8) or several times, as launchers write them
std::vector<std::string> hosts_in_file(const std::string& file) {
    std::ifstream in(file);
    std::vector<std::string> hosts;
    for (std::string line; std::getline(in, line);) {
        const std::string name = line.substr(0, line.find_first_of("#: \t\r"));
        if (!name.empty() && std::find(hosts.begin(), hosts.end(), name) == hosts.end()) {
            hosts.push_back(name);
        }
    }
    if (hosts.empty()) {
        throw usage_error(
            fmt::format("{} has no hosts; write one on each line, or use --hosts n[1-4]", file));
    }
    return hosts;
}

// Where the hosts come from; nodes are not asked yet
ProposedCluster found_cluster(const Options& o) {
    ProposedCluster found;
    found.launcher = {{"kind", "hydra"}};
    const char* of_pbs = std::getenv("PBS_NODEFILE");
    if (!o.hosts.empty()) {
        found.origin = fmt::format("--hosts {}", fmt::join(o.hosts, ","));
        found.hosts = o.hosts;
    } else if (!o.host_file.empty()) {
        found.origin = o.host_file;
        found.hosts = hosts_in_file(o.host_file);
    } else if (slurm_allocation()) {
        found.origin = to_string(*slurm_allocation());
        found.launcher = {{"kind", "hydra-slurm"}};
    } else if (of_pbs != nullptr) {
        found.origin = "the nodes of a job of PBS";
        found.hosts = hosts_in_file(of_pbs);
    } else {
        found.origin = "this machine";
        found.hosts = {"localhost"};
        found.launcher = {{"kind", "hydra-fork"}};
    }
    if (!o.launcher_arguments.empty()) {
        found.launcher["arguments"] = o.launcher_arguments;
    }
    if (!o.mpi.empty()) {
        use_mpi(found_mpi(o.mpi), found.launcher, found.mpi);
    }
    return found;
}

Cluster cluster_to_ask(const ProposedCluster& found) {
    Json json = {{"launcher", found.launcher}, {"layouts", Json::array({{{"nodes", 1}, {"ppn", 2}}})}};
    if (found.hosts.empty()) {
        json["hosts_from"] = "slurm";
    }
    if (!found.mpi.empty()) {
        json["mpi"] = found.mpi;
    }
    for (const std::string& host : found.hosts) {
        json["hosts"].push_back({{"name", host}, {"slots", 2}});  // a layout needs as many; none is started
    }
    return cluster_from(CheckedJson(json, "the hosts of init"));
}

void init(const Options& o) {
    ProposedCluster found = found_cluster(o);
    const Cluster cluster = cluster_to_ask(found);
    print_note("Asking {} node{} ...\n", cluster.hosts.size(), cluster.hosts.size() == 1 ? "" : "s");
    found.asked = ask_nodes(cluster, seconds_to_answer);
    for (const auto& [host, problem] : found.asked.problems) {
        print_note("{} does not answer: {}\n", host, problem);
    }
    if (!found.asked.problems.empty()) {
        throw failure(fmt::format("{} of {} nodes did not answer; correct their names, or try: {} --version",
                                  found.asked.problems.size(), cluster.hosts.size(),
                                  "ssh " + found.asked.problems.begin()->first + " " + cluster.changeover));
    }
    found.name = found.asked.facts.begin()->second.host;
    for (const std::string& difference : differences(found.asked)) {
        print_note("Note: {}\n", difference);
    }
    const bool is_patched = o.mpi.empty();
    if (const std::string advice = device_advice(built_device, networks_of(found.asked));
        is_patched && !advice.empty()) {
        print_note("Note: {}\n", advice);
    }
    write_output(o.output, cluster_file_text(found));
    if (!o.output.empty()) {
        print_note("Next: changeover doctor --cluster {0}\n      changeover tune --cluster {0}\n",
                   shell_quoted(o.output));
    }
}

}  // namespace

void define_init(CLI::App& command, Invocation&) {
    const auto o = std::make_shared<Options>();
    CLI::Option* hosts =
        command.add_option("--hosts", o->hosts, "comma-separated hosts, such as n[1-16]")->delimiter(',');
    command.add_option("--hostfile", o->host_file, "file with one host on each line, as for mpiexec")
        ->excludes(hosts)
        ->check(CLI::ExistingFile);
    command
        .add_option("--launcher-argument", o->launcher_arguments,
                    "for mpiexec, such as --launcher-argument=-launcher --launcher-argument=rsh")
        ->allow_extra_args(false);
    command
        .add_option(
            "--mpi", o->mpi,
            "launcher of the MPI library to tune, such as /usr/bin/mpiexec.mpich; changeover env lists them "
            "(default: the patched MPICH)")
        ->check(CLI::ExistingFile);
    command.add_option("-o,--output", o->output, "file to write (default: standard output)");
    command.footer("Without --hosts and --hostfile: the allocation of Slurm or PBS, else this machine.");
    command.callback([o] { init(*o); });
}

void define_facts(CLI::App& command, Invocation&) {
    const auto questions = std::make_shared<HealthQuestions>();
    CLI::Option* benchmark =
        command.add_option("--benchmark", questions->benchmark, "also examine the node, with this benchmark");
    command.add_option("--folder", questions->folder, "folder of the run directory")->needs(benchmark);
    command.add_option("--marker", questions->marker, "file that another node wrote there")->needs(benchmark);
    command.callback([questions] {
        NodeFacts facts = facts_of_this_node();
        if (!questions->benchmark.empty()) {
            facts.health = health_of_this_node(*questions);
        }
        print_data("{}", to_line(facts));
    });
}

}  // namespace tuner::commands
