// SPDX-License-Identifier: MIT
#include "launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "launcher_template.hpp"
#include "mpi_library.hpp"
#include "process.hpp"

namespace tuner {

namespace {

void add(Arguments& to, const Arguments& more) {
    to.insert(to.end(), more.begin(), more.end());
}

// Hydra fills host by host with as many ranks as the number behind its name says, and starts again at the
// first: with 1 that is round-robin, and only the last round can leave nodes out. (Seen with hydra 4.0.2.)
// An interface is for the benchmark to choose: hydra's -iface asks for one of that name on the machine that
// launches, too, and ch3:sock does not obey it.
Arguments hydra_arguments(const Placing& p) {
    const bool is_block = p.layout.mapping == Mapping::block;
    const Placing one_of_each = {p.hosts, {p.layout.nodes, 1, Mapping::block}, p.network};
    return {"-hosts", joined_hosts(is_block ? p : one_of_each), "-n", p.ranks()};
}

// A proxy on this machine for every host, whatever its name; names that nobody can resolve need an interface
Arguments hydra_fork_arguments(const Placing& p) {
    Arguments arguments = {"-launcher", "fork", "-iface",
                           p.network.interface.empty() ? loopback : p.network.interface};
    add(arguments, hydra_arguments(p));
    return arguments;
}

// Hydra runs srun, which starts a proxy on every host
Arguments hydra_slurm_arguments(const Placing& p) {
    Arguments arguments = {"-launcher", "slurm"};
    add(arguments, hydra_arguments(p));
    return arguments;
}

Arguments openmpi_arguments(const Placing& p) {
    Arguments arguments = {"--host",  joined_hosts(p), "-np",
                           p.ranks(), "--map-by",      p.layout.mapping == Mapping::block ? "slot" : "node"};
    if (!p.network.interface.empty()) {
        add(arguments, {"--mca", "btl_tcp_if_include", p.network.interface});
    }
    return arguments;
}

// Slurm balances what is uneven (6 ranks on 2 nodes of 4 are 3 and 3) unless the host of each rank is named
Arguments slurm_tasks(const Placing& p) {
    if (!p.layout.is_even()) {
        return {fmt::format("--nodelist={}", fmt::join(hosts_of_ranks(p), ",")), "--distribution=arbitrary"};
    }
    return {fmt::format("--ntasks-per-node={}", p.layout.ppn),
            fmt::format("--nodelist={}", fmt::join(p.hosts, ",")),
            std::string("--distribution=") + (p.layout.mapping == Mapping::block ? "block" : "cyclic")};
}

Arguments slurm_arguments(const Placing& p) {
    Arguments arguments = {fmt::format("--nodes={}", p.layout.nodes), "--ntasks=" + p.ranks()};
    add(arguments, slurm_tasks(p));
    add(arguments, {"--export=ALL",
                    "--input=0",  // requests are for rank 0 only
                    "--kill-on-bad-exit=1"});
    return arguments;
}

// The platform is an argument of the launcher, or of the network
Arguments simulated_arguments(const Placing& p) {
    return {"--hosts", joined_hosts(p), "--mapping", to_string(p.layout.mapping), "--launch"};
}

// A step of Slurm waits until no other one has its processors: what ends a job that hangs would wait for that
// job, and everything for the step in which changeover itself runs. (srun of Slurm 20.11 and newer.)
constexpr LauncherKind::Variable shares_nodes[] = {{"SLURM_OVERLAP", "1"}};
// One proxy is one task to Slurm, which would bind it and all of its ranks to the processors of one task.
constexpr LauncherKind::Variable of_proxies[] = {{"SLURM_OVERLAP", "1"}, {"SLURM_CPU_BIND", "none"}};

constexpr const char* simulated_launcher = "changeover-sim";  // beside this program
constexpr const char* mpich_launcher = MPICH_PREFIX "/bin/mpiexec";

constexpr LauncherKind kinds[] = {
    // name, library, program, is_local, is_simulated, renames_hosts, sets_interface, exports_by_name,
    // fills_rounds,
    // environment, arguments
    {"hydra", "mpich", mpich_launcher, false, false, true, true, false, true, {}, hydra_arguments},
    {"hydra-fork", "mpich", mpich_launcher, true, false, true, true, false, true, {}, hydra_fork_arguments},
    {"hydra-slurm", "mpich", mpich_launcher, false, false, false, true, false, true, of_proxies,
     hydra_slurm_arguments},
    {"openmpi", "openmpi", "mpirun", false, false, true, true, true, false, {}, openmpi_arguments},
    {"slurm", nullptr, "srun", false, false, false, false, false, false, shares_nodes, slurm_arguments},
    {"simulated",
     "simulated",
     simulated_launcher,
     true,
     true,
     false,
     false,
     false,
     false,
     {},
     simulated_arguments},
    {"template", nullptr, nullptr, false, false, true, true, false, false, {}, nullptr},
};

}  // namespace

std::string joined_hosts(const Placing& placing) {
    std::vector<std::string> with_ranks;
    for (std::size_t node = 0; node < placing.hosts.size(); ++node) {
        with_ranks.push_back(
            fmt::format("{}:{}", placing.hosts[node], placing.layout.ranks_on(static_cast<int>(node))));
    }
    return fmt::format("{}", fmt::join(with_ranks, ","));
}

std::vector<std::string> hosts_of_ranks(const Placing& placing) {
    std::vector<std::string> hosts;
    for (const int node : placement_of(placing.layout).node_of_rank) {
        hosts.push_back(placing.hosts.at(static_cast<std::size_t>(node)));
    }
    return hosts;
}

std::string launching_problem(const Cluster& cluster, const Layout& layout) {
    const LauncherKind& launcher = *cluster.launcher;
    if (!launcher.arguments) {
        return template_problem(cluster.launcher_template, layout);
    }
    if (launcher.fills_rounds && layout.mapping == Mapping::round_robin && layout.missing > 1) {
        return fmt::format(
            "{} cannot start the layout {}: with round-robin, its last node can have one rank fewer than the "
            "others, not {}; write \"ranks\": {}, or \"mapping\": \"block\"",
            launcher.name, to_string(layout), layout.missing, layout.nodes * layout.ppn - 1);
    }
    return "";
}

const LauncherKind* find_launcher(const std::string& name) {
    return std::find_if(std::begin(kinds), std::end(kinds),
                        [&](const auto& kind) { return name == kind.name; });
}

std::string default_program(const LauncherKind& kind) {
    if (kind.program == std::string_view(mpich_launcher)) {
        const std::filesystem::path installed = beside_this_program("../mpich/bin/mpiexec");
        if (std::filesystem::exists(installed)) {
            return installed.lexically_normal().string();
        }
    }
    return kind.is_simulated ? beside_this_program(kind.program) : kind.program;
}

std::vector<std::string> launcher_names() {
    std::vector<std::string> names;
    for (const LauncherKind& kind : kinds) {
        names.emplace_back(kind.name);
    }
    return names;
}

Command command_on(const Cluster& cluster, const Placing& placing, const Arguments& program) {
    const LauncherKind& launcher = *cluster.launcher;
    Command command = {{cluster.mpiexec}, placing.network.environment};
    for (const LauncherKind::Variable& needed : launcher.environment) {
        const bool is_set = std::any_of(command.environment.begin(), command.environment.end(),
                                        [&](const auto& variable) { return variable.first == needed.name; });
        if (!is_set) {  // by the network
            command.environment.emplace_back(needed.name, needed.value);
        }
    }
    if (!launcher.arguments) {
        add(command.arguments, filled_template(cluster.launcher_template, placing, program));
        return command;
    }
    add(command.arguments, cluster.launcher_arguments);
    add(command.arguments, placing.network.launcher_arguments);
    add(command.arguments, launcher.arguments(placing));
    if (launcher.exports_by_name) {
        for (const auto& [name, value] : command.environment) {
            add(command.arguments, {"-x", name});
        }
        add(command.arguments, {"-x", token_variable});
    }
    add(command.arguments, program);
    return command;
}

}  // namespace tuner
