// SPDX-License-Identifier: MIT
// What was found: the machine, and what a job on each network and layout says about itself.
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "error.hpp"
#include "found_mpi.hpp"
#include "job.hpp"
#include "machine.hpp"
#include "mpi_library.hpp"
#include "network_check.hpp"
#include "output.hpp"
#include "run_options.hpp"

namespace tuner::commands {

namespace {

// False: the job does not start
bool print_place(const Cluster& cluster, const Network& network, const Layout& layout) {
    constexpr double start_seconds = 60;
    print_data("{} {}\n", network.name, to_string(layout));
    try {
        Job job(cluster, network, layout, new_token(), start_seconds);
        print_data("  {:<14} {}\n", "network", network_text(job.header()));
        for (const char* key :
             {"library", "device", "can_switch", "cpu", "cores", "clock", "sync_error_us", "start"}) {
            if (job.header().contains(key)) {
                print_data("  {:<14} {}\n", key, job.header().at(key).dump());
            }
        }
        job.end();
        return true;
    } catch (const Error& error) {
        print_data("  Error: {}\n", error.what());
        return false;
    }
}

int print_environment(const TuneOptions& options) {
    const Cluster cluster = cluster_of(options);
    print_data("machine   {}\n", environment_of_this_machine().dump());
    print_data("cluster   {}{}\n", cluster.name, cluster.note().empty() ? "" : "; " + cluster.note());
    print_data("launcher  {}\n", cluster.mpiexec);
    const char* path = std::getenv("PATH");
    for (const FoundMpi& mpi : found_mpis(path == nullptr ? "" : path)) {
        print_data("mpi       {}, {}\n            tuned by: {}\n", mpi.version, mpi.launcher, mpi.how);
    }
    for (const MpiLibrary& library : mpi_libraries()) {
        const std::string file = beside_this_program(library.benchmark);
        print_data("benchmark {} {}\n", library.name,
                   std::filesystem::exists(file) ? file : "is not built here");
    }
    int status = 0;
    for (const Network& network : cluster.networks) {
        for (const Layout& layout : cluster.layouts) {
            status = print_place(cluster, network, layout) ? status : 1;
        }
    }
    return status;
}

}  // namespace

void define_env(CLI::App& command, Invocation& invocation) {
    const auto options = std::make_shared<TuneOptions>();
    add_cluster_options(command, *options);
    command.callback([options, &invocation] { invocation.exit_code = print_environment(*options); });
}

}  // namespace tuner::commands
