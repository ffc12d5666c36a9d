// SPDX-License-Identifier: MIT
// Where to measure: hosts, the launcher that starts jobs on them, networks, layouts, the MPI library. Read
// from a cluster file (cluster_file.hpp), or an allocation of Slurm, or this machine.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "layout.hpp"

namespace tuner {

struct Host {
    std::string name;
    int slots = 1;
    bool operator==(const Host&) const = default;
};

struct Network {
    std::string name;
    Environment environment;
    std::vector<std::string> launcher_arguments;
    std::string host_suffix;  // a host's name in this network is its name with this behind
    std::string interface;
    bool operator==(const Network&) const = default;
};

struct LauncherKind;  // a row of the table in launcher.cpp
struct Allocation;    // slurm.hpp

// Arguments with placeholders, of a launcher without a row (launcher_template.hpp)
struct LauncherTemplate {
    std::vector<std::string> arguments;
    std::vector<std::string> round_robin_arguments;  // empty: it cannot
    std::vector<std::string> environment_arguments;  // for each variable; empty: all are passed on
    bool operator==(const LauncherTemplate&) const = default;
};

// So many jobs of the users of a cluster have this size
struct JobCount {
    int nodes = 1;
    int ppn = 1;
    double jobs = 1;
    bool operator==(const JobCount&) const = default;
};

// A layout that is measured as several communicators of a larger job, at the same time (at_once.hpp)
struct AtOnce {
    Layout layout;
    Layout job;
    std::string communicators;  // such as rows:2
    bool operator==(const AtOnce&) const = default;
};

struct Cluster {
    std::string name;
    std::vector<Host> hosts;
    const LauncherKind* launcher = nullptr;
    std::vector<std::string> launcher_arguments;
    LauncherTemplate launcher_template;  // empty for launchers with a row
    std::string mpiexec;                 // the launcher's program
    std::string library;                 // a name of mpi_library.hpp
    std::string benchmark;               // the path of changeover-bench, the same on every node
    std::string changeover;              // the path of this program, the same on every node
    std::vector<Network> networks;
    std::vector<Layout> layouts;
    bool chooses_layouts =
        false;  // `layouts` are those to start with; the tuner chooses more (next_layout.hpp)
    std::vector<AtOnce> at_once;  // those of `layouts` that are not jobs of their own
    std::vector<JobCount> jobs;   // by which it chooses; empty: all sizes of jobs count the same
    bool is_allocated = false;    // its hosts are those of the allocation of Slurm at hand
    bool is_one_machine = false;  // its hosts are names of one machine

    const Network& network(const std::string& network_name) const;  // which must be there
    bool is_simulated() const;                                      // there are neither nodes nor ranks
    bool is_faked() const;                                          // its nodes are all this machine
    bool is_local() const;  // all of its processes run on this machine: it is one of the two
    // The layout of the jobs in which one is measured: itself, or a larger one
    Layout job_of(const Layout& layout) const;
    std::string communicators_of(const Layout& layout) const;  // that call at once in them; empty: all ranks
    std::string note() const;  // what people must know about such nodes; else empty
    bool operator==(const Cluster&) const = default;
};

// The hosts of a layout's nodes: the first ones that have enough slots. Fewer than nodes: there are no more.
std::vector<std::string> hosts_for(const std::vector<Host>& hosts, const Layout& layout);
bool have_room(const std::vector<Host>& hosts, const Layout& layout);

// How this machine is used where there is no cluster file
struct MachineUse {
    int ranks = 0;       // at most; 0: as many as cores
    int fake_nodes = 0;  // that the launcher fakes on it, for a demonstration; 0: it is one node
    bool operator==(const MachineUse&) const = default;
};
Cluster this_machine(const MachineUse& use = {});

// The nodes of an allocation; its layouts are chosen
Cluster cluster_on(const Allocation& allocation);
// A cluster that was described in another allocation. Throws an Error when this one is too small for it.
Cluster moved_to(Cluster cluster, const Allocation& allocation);

// The command that runs a program in the job of a layout. Throws an Error if the launcher cannot start it.
Command launch_command(const Cluster& cluster, const Network& network, const Layout& layout,
                       const std::vector<std::string>& program);

// One command for each node of a layout, by its host's name in that network: is it still there? Or what it
// has, with other arguments of this program
std::vector<std::pair<std::string, Command>> probe_commands(const Cluster& cluster, const Network& network,
                                                            const Layout& layout,
                                                            const std::vector<std::string>& arguments = {
                                                                "--version"});

// The benchmark with its options for a network, to be launched
std::vector<std::string> benchmark_program(const Cluster& cluster, const Network& network);

// The command that runs `changeover reap TOKEN` once on each node of a layout
Command reap_command(const Cluster& cluster, const Network& network, const Layout& layout,
                     const std::string& token);

}  // namespace tuner
