// SPDX-License-Identifier: MIT
#include "cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

#include "error.hpp"
#include "extent.hpp"
#include "launcher.hpp"
#include "launcher_template.hpp"
#include "mpi_library.hpp"
#include "slurm.hpp"

namespace tuner {

namespace {

// Their names in a network
std::vector<std::string> hosts_of(const Cluster& cluster, const Network& network, const Layout& layout) {
    std::vector<std::string> names = hosts_for(cluster.hosts, layout);
    for (std::string& name : names) {
        name += network.host_suffix;
    }
    return names;
}

}  // namespace

std::vector<std::string> hosts_for(const std::vector<Host>& hosts, const Layout& layout) {
    std::vector<std::string> names;
    const Host* last = nullptr;  // which may have fewer slots than the others
    for (const Host& host : hosts) {
        if (static_cast<int>(names.size()) < layout.nodes - 1 && host.slots >= layout.ppn) {
            names.push_back(host.name);
        } else if (last == nullptr && host.slots >= layout.ranks_on(layout.nodes - 1)) {
            last = &host;
        }
    }
    if (last != nullptr && static_cast<int>(names.size()) == layout.nodes - 1) {
        names.push_back(last->name);
    }
    return names;
}

bool have_room(const std::vector<Host>& hosts, const Layout& layout) {
    return static_cast<int>(hosts_for(hosts, layout).size()) == layout.nodes;
}

const Network& Cluster::network(const std::string& network_name) const {
    std::vector<std::string> names;
    for (const Network& row : networks) {
        if (row.name == network_name) {
            return row;
        }
        names.push_back(row.name);
    }
    throw usage_error("the cluster " + name + " has no network '" + network_name + "'; " +
                      suggestion(network_name, names));
}

namespace {

const AtOnce* find_part(const Cluster& cluster, const Layout& layout) {
    const auto found = std::find_if(cluster.at_once.begin(), cluster.at_once.end(),
                                    [&](const AtOnce& part) { return part.layout == layout; });
    return found == cluster.at_once.end() ? nullptr : &*found;
}

}  // namespace

bool Cluster::is_simulated() const {
    return launcher->is_simulated;
}

bool Cluster::is_faked() const {
    return launcher->is_local && !launcher->is_simulated;
}

bool Cluster::is_local() const {
    return launcher->is_local;
}

Layout Cluster::job_of(const Layout& layout) const {
    const AtOnce* part = find_part(*this, layout);
    return part ? part->job : layout;
}

std::string Cluster::communicators_of(const Layout& layout) const {
    const AtOnce* part = find_part(*this, layout);
    return part ? part->communicators : "";
}

std::string Cluster::note() const {
    if (is_simulated()) {
        return fmt::format(
            "SIMULATED: the {} nodes do not exist, and no message was sent. Times are what SimGrid computes "
            "for the "
            "platform file; verify the rules on the real machine before jobs use them.",
            hosts.size());
    }
    if (is_faked() && hosts.size() == 1) {
        return fmt::format(
            "One node, this machine, with up to {} ranks. For a cluster, write a cluster file.",
            hosts.front().slots);
    }
    if (is_faked()) {
        return fmt::format(
            "The {} nodes are faked: all ranks run on this machine, and the network between them is its "
            "loopback. Results hold for this machine only; for a cluster, write a cluster file.",
            hosts.size());
    }
    return is_one_machine ? fmt::format(
                                "The {} nodes are one machine, and no network is between them. Results hold "
                                "for this machine only.",
                                hosts.size())
                          : "";
}

namespace {

// Launcher and benchmark of the patched MPICH
void set_programs(Cluster& cluster, const char* launcher) {
    cluster.launcher = find_launcher(launcher);
    cluster.mpiexec = default_program(*cluster.launcher);
    cluster.library = cluster.launcher->library;
    cluster.benchmark = beside_this_program(find_library(cluster.library).benchmark);
    cluster.changeover = beside_this_program("changeover");
}

}  // namespace

Cluster this_machine(const MachineUse& use) {
    const int cores = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
    // faked nodes are a demonstration: some ranks for each, which wait without spinning with ch3:sock
    const bool has_room = use.fake_nodes == 0 || std::string(MPICH_DEVICE) != "ch3:sock";
    const int ranks = use.ranks > 0 ? use.ranks : has_room ? cores : std::max(cores, 4 * use.fake_nodes);
    Cluster cluster;
    cluster.name = "this machine";
    for (int i = 1; i <= std::max(1, use.fake_nodes); ++i) {
        cluster.hosts.push_back({"node" + std::to_string(i), ranks});
    }
    set_programs(cluster, "hydra-fork");
    cluster.networks = {{"loopback", {}, {}, "", ""}};
    choose_layouts(cluster);
    return cluster;
}

Cluster cluster_on(const Allocation& allocation) {
    const char* name = std::getenv("SLURM_CLUSTER_NAME");
    Cluster cluster;
    cluster.name = name && *name ? name : "slurm";
    cluster.hosts = allocation.hosts;
    cluster.is_allocated = true;
    cluster.is_one_machine = allocation.is_one_machine;
    set_programs(cluster, "hydra-slurm");
    cluster.networks = {{"default", {}, {}, "", ""}};
    choose_layouts(cluster);
    return cluster;
}

Cluster moved_to(Cluster cluster, const Allocation& allocation) {
    cluster.hosts = allocation.hosts;
    for (const Layout& measured : cluster.layouts) {
        const Layout layout = cluster.job_of(measured);
        if (!have_room(cluster.hosts, layout)) {
            throw usage_error(fmt::format(
                "{} is too small for the layout {} of this run; ask for --nodes={} --ntasks-per-node={}",
                to_string(allocation), to_string(layout), layout.nodes, layout.ppn));
        }
    }
    return cluster;
}

Command launch_command(const Cluster& cluster, const Network& network, const Layout& measured,
                       const std::vector<std::string>& program) {
    const Layout layout = cluster.job_of(measured);
    if (const std::string problem = launching_problem(cluster, layout); !problem.empty()) {
        throw usage_error(problem);
    }
    if (!have_room(cluster.hosts, layout)) {
        throw usage_error(fmt::format(
            "the hosts of the cluster {} are not enough for the layout {}; add hosts or slots to the cluster "
            "file, or remove the layout",
            cluster.name, to_string(layout)));
    }
    return command_on(cluster, {hosts_of(cluster, network, layout), layout, network}, program);
}

std::vector<std::pair<std::string, Command>> probe_commands(const Cluster& cluster, const Network& network,
                                                            const Layout& layout,
                                                            const std::vector<std::string>& arguments) {
    const Layout one_rank;
    Arguments program = {cluster.changeover};
    program.insert(program.end(), arguments.begin(), arguments.end());
    std::vector<std::pair<std::string, Command>> commands;
    for (const std::string& host : hosts_of(cluster, network, cluster.job_of(layout))) {
        commands.emplace_back(host, command_on(cluster, {{host}, one_rank, network}, program));
    }
    return commands;
}

std::vector<std::string> benchmark_program(const Cluster& cluster, const Network& network) {
    Arguments program = {cluster.benchmark, "--serve"};
    if (!network.interface.empty()) {
        program.insert(program.end(), {"--interface", network.interface});
    } else if (cluster.is_faked()) {
        program.insert(program.end(), {"--interface", loopback});
    } else if (!network.host_suffix.empty()) {
        program.push_back("--host-suffix=" + network.host_suffix);  // it may start like an option
    }
    return program;
}

Command reap_command(const Cluster& cluster, const Network& network, const Layout& layout,
                     const std::string& token) {
    const std::vector<std::string> hosts = hosts_of(cluster, network, cluster.job_of(layout));
    const Layout one_on_each = {static_cast<int>(hosts.size()), 1, Mapping::block};
    return command_on(cluster, {hosts, one_on_each, network}, {cluster.changeover, "reap", token});
}

}  // namespace tuner
