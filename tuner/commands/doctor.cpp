// SPDX-License-Identifier: MIT
// Checks a cluster before a long run: each finding with its remedy.
#include <fmt/ranges.h>

#include <memory>

#include "commands.hpp"
#include "error.hpp"
#include "findings.hpp"
#include "output.hpp"
#include "process.hpp"
#include "run_folder.hpp"
#include "run_options.hpp"

namespace tuner::commands {

namespace {

constexpr double seconds_to_be_examined = 15;
constexpr int something_found = 3;

// If several nodes are one machine, its first name: they would disturb each other
Cluster nodes_to_ask(Cluster cluster) {
    if (cluster.is_simulated()) {
        throw usage_error("the cluster " + cluster.name + " is simulated: there are no nodes to check");
    }
    if (cluster.is_faked() || cluster.is_one_machine) {
        cluster.hosts.resize(1);
    }
    return cluster;
}

AskedNodes ask(const Cluster& cluster, const HealthQuestions& questions) {
    print_note("Asking {} node{} ...\n", cluster.hosts.size(), cluster.hosts.size() == 1 ? "" : "s");
    return ask_nodes(cluster, seconds_to_be_examined, questions);
}

CheckResult try_jobs(Cluster cluster, const std::vector<Host>& hosts) {
    cluster.hosts = hosts;
    std::vector<BrokenConnection> broken;
    for (const Network& network : cluster.networks) {
        print_note("Starting a job of {} node{} on network {} ...\n", hosts.size(),
                   hosts.size() == 1 ? "" : "s", network.name);
        const std::vector<BrokenConnection> more = broken_connections(cluster, network);
        broken.insert(broken.end(), more.begin(), more.end());
    }
    return check_connections(cluster, broken);
}

int examine(const TuneOptions& options) {
    const Cluster cluster = cluster_of(options);
    const Cluster to_ask = nodes_to_ask(cluster);
    const FolderMarker marker(existing_folder(options.folder));
    const std::string folder = marker.file().parent_path();
    const Examination examination = {to_ask, ask(to_ask, {cluster.benchmark, folder, marker.file()}), folder,
                                     marker.problem()};
    std::size_t found = 0;
    const auto show = [&](const CheckResult& result) {
        print_data("{}", to_text(result));
        found += result.findings.size();
    };
    const std::vector<CheckResult> results = check_nodes(examination);
    for (const CheckResult& result : results) {
        show(result);
    }
    std::vector<Host> hosts = hosts_for_jobs(to_ask, results);
    if (to_ask.hosts.size() < cluster.hosts.size() && !hosts.empty()) {
        hosts = cluster.hosts;  // all of them are one machine
    }
    if (hosts.size() > 1 || hosts.size() == cluster.hosts.size()) {
        show(try_jobs(cluster, hosts));
    } else {
        print_data("not tried: connections, as jobs can start on {} of {} nodes only\n", hosts.size(),
                   cluster.hosts.size());
    }
    if (stop_requested) {
        throw failure("stopped before all was checked; run the same command again");
    }
    print_data("{}\n", found == 0 ? "Nothing found: the cluster is ready."
                                  : fmt::format("{} finding{}.", found, found == 1 ? "" : "s"));
    return found == 0 ? 0 : something_found;
}

}  // namespace

void define_doctor(CLI::App& command, Invocation& invocation) {
    const auto options = std::make_shared<TuneOptions>();
    add_cluster_options(command, *options);
    command.add_option("--run", options->folder, "run directory to be used")->capture_default_str();
    command.callback([options, &invocation] { invocation.exit_code = examine(*options); });
    command.footer("Exit code 3 if something was found.");
}

}  // namespace tuner::commands
