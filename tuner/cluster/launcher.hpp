// SPDX-License-Identifier: MIT
// How jobs are started: one row for each launcher that is known, with what it can do and the arguments that
// it wants. One of them is a template, for launchers that have no row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cluster.hpp"

namespace tuner {

using Arguments = std::vector<std::string>;

inline const std::string loopback = "lo";

// What a launcher needs to know
struct Placing {
    std::vector<std::string> hosts;  // of the layout's nodes: names in the network
    Layout layout;
    const Network& network;

    std::string ranks() const { return std::to_string(layout.ranks()); }
};

std::string joined_hosts(const Placing& placing);                 // with the ranks on each: a:2,b:2,c:1
std::vector<std::string> hosts_of_ranks(const Placing& placing);  // in the order of ranks: a, a, b, b, c

struct LauncherKind {
    struct Variable {
        const char* name;
        const char* value;
    };

    const char* name;
    const char* library;                     // that it can start; null: any
    const char* program;                     // by default; null: must be named
    bool is_local;                           // fakes nodes on this machine
    bool is_simulated;                       // and there are neither nodes nor ranks
    bool renames_hosts;                      // takes other names of a host
    bool sets_interface;                     // the benchmark can choose it there, or the launcher does
    bool exports_by_name;                    // variables are passed on only if they are named
    bool fills_rounds;                       // round-robin: each node has a rank of each round but the last
    std::span<const Variable> environment;   // that it needs itself
    Arguments (*arguments)(const Placing&);  // null: a template
};

// Why the launcher of a cluster cannot start jobs of a layout, and what to do; empty: it can
std::string launching_problem(const Cluster& cluster, const Layout& layout);

const LauncherKind* find_launcher(const std::string& name);  // which must be one of these
// Of the patched MPICH: the one that was installed with this program, else the one that it was built with
std::string default_program(const LauncherKind& kind);
std::vector<std::string> launcher_names();

// The whole command: launcher, its arguments, the program
Command command_on(const Cluster& cluster, const Placing& placing, const Arguments& program);

}  // namespace tuner
