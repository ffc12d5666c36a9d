// SPDX-License-Identifier: MIT
// Writes a platform of SimGrid, and the cluster file with which it is tuned.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "calibrate.hpp"
#include "command.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "files.hpp"
#include "output.hpp"
#include "topology.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

struct PlatformOptions {
    Topology topology;
    std::string bandwidth = "100gbit";
    std::string latency = "1us";
    std::string within_bandwidth = "10GB";
    std::string within_latency = "300ns";
    std::string overhead = "200ns";
    std::string eager_limit = "64Ki";
    std::string memory_bandwidth = "10GB";
    int ppn = 1;
    Noise noise;
    std::string from_run;  // empty: by the numbers above
    std::string network;
    std::string output;
    std::string cluster;
};

SimulatedMachine machine_of(const PlatformOptions& o) {
    SimulatedMachine machine;
    const std::size_t limit = parse_bytes(o.eager_limit);
    const double overhead = parse_seconds(o.overhead);
    // latency of the links is theirs
    machine.parameters.between.segments = {{limit, 2 * overhead, 0},
                                           {models::LinkCosts::no_end, 2 * overhead, 0}};
    const double per_byte = 1 / parse_bandwidth(o.within_bandwidth);
    machine.parameters.within.segments = {
        {limit, parse_seconds(o.within_latency), per_byte},
        {models::LinkCosts::no_end, parse_seconds(o.within_latency), per_byte}};
    machine.parameters.combine_seconds_per_byte = 1 / parse_bandwidth(o.memory_bandwidth);
    machine.parameters.copy_seconds_per_byte = 1 / parse_bandwidth(o.memory_bandwidth);
    machine.send_overhead_seconds = overhead;
    machine.receive_overhead_seconds = overhead;
    machine.noise = o.noise;
    return machine;
}

Json cluster_of(const PlatformOptions& o) {
    return {
        {"name", std::filesystem::path(o.output).stem().string()},
        {"hosts", {{{"name", host_range(o.topology)}, {"slots", o.ppn}}}},
        {"launcher",
         {{"kind", "simulated"},
          {"arguments", {"--platform", std::filesystem::absolute(o.output).lexically_normal().string()}}}}};
}

void write_platform(PlatformOptions o) {
    SimulatedMachine machine;
    if (o.from_run.empty()) {
        if (o.topology.nodes == 0) {
            throw usage_error("--nodes is missing; or calibrate a platform by a run: --from-run DIR");
        }
        o.topology.bytes_per_second = parse_bandwidth(o.bandwidth);
        o.topology.latency_seconds = parse_seconds(o.latency);
        machine = machine_of(o);
    } else {
        Progress progress;
        CalibratedPlatform calibrated =
            calibrated_from(SavedRun(o.from_run), o.network, o.topology.nodes, progress);
        if (calibrated.simulated_times > 0) {
            progress.note(fmt::format("Fitted to {} measured times; median error {:.0f}%.",
                                      calibrated.simulated_times, 100 * calibrated.median_error));
        }
        o.topology = calibrated.topology;
        machine = std::move(calibrated.machine);
    }
    const std::string text = platform_xml(o.topology, machine);
    if (o.output.empty()) {
        write_data(text);
        return;
    }
    write_output(o.output, text);
    print_note("{} has {} nodes, {}. All that is measured there is simulated.\n", o.output, o.topology.nodes,
               o.topology.kind);
    if (!o.cluster.empty()) {
        write_output(o.cluster, cluster_of(o).dump(2) + "\n");
        print_note("Tune it with: changeover tune --cluster {} --run simulated\n", shell_quoted(o.cluster));
    }
}

// In place of a run
void add_numbers(CLI::App& command, PlatformOptions& o, CLI::Option& from_run) {
    command
        .add_option("--topology", o.topology.kind,
                    "star, fat-tree, fat-tree:2to1 (half as many links up as down), torus or dragonfly")
        ->capture_default_str();
    command.add_option("--bandwidth", o.bandwidth, "of a link, such as 100gbit or 12.5GB")
        ->capture_default_str();
    command.add_option("--latency", o.latency, "of a link; of a star, between two nodes")
        ->capture_default_str();
    command.add_option("--nic-per-node", o.topology.interfaces, "network interfaces of a node")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command.add_option("--overhead", o.overhead, "of the processor, for each message sent, and received")
        ->capture_default_str();
    command
        .add_option("--eager-limit", o.eager_limit, "message size from which a sender waits for the receiver")
        ->capture_default_str();
    command.add_option("--within-bandwidth", o.within_bandwidth, "of messages inside of a node")
        ->capture_default_str();
    command.add_option("--within-latency", o.within_latency, "of messages inside of a node")
        ->capture_default_str();
    command.add_option("--memory-bandwidth", o.memory_bandwidth, "of copies and reductions")
        ->capture_default_str();
    command.add_option("--noise", o.noise.sigma, "standard deviation of the logarithm of a time: 0.02 is 2%")
        ->check(CLI::Range(0.0, 2.0))
        ->capture_default_str();
    command.add_option("--outliers", o.noise.outliers, "share of the repetitions that take 3 times as long")
        ->check(CLI::Range(0.0, 0.5));
    command.add_option("--time-outs", o.noise.time_outs, "share of the repetitions that lose 200 ms")
        ->check(CLI::Range(0.0, 0.5));
    command.add_option("--drift", o.noise.drift_per_hour, "of all times in an hour of measuring: 0.01 is 1%")
        ->check(CLI::Range(-0.9, 10.0));
    for (const char* number : {"--topology", "--bandwidth", "--latency", "--nic-per-node", "--overhead",
                               "--eager-limit", "--within-bandwidth", "--within-latency",
                               "--memory-bandwidth", "--noise", "--outliers", "--time-outs", "--drift"}) {
        from_run.excludes(command.get_option(number));
    }
}

}  // namespace

void define_platform(CLI::App& command, Invocation&) {
    const auto o = std::make_shared<PlatformOptions>();
    o->topology.nodes = 0;
    command
        .add_option("--nodes", o->topology.nodes,
                    "number of nodes (default with --from-run: those of the run)")
        ->check(CLI::Range(2, 1 << 20));
    CLI::Option* from_run = command.add_option(
        "--from-run", o->from_run,
        "take links, overheads and noise from what this run measured, in place of the options below");
    command.add_option("--network", o->network, "network of the run, if there are several")->needs(from_run);
    command.add_option("--ppn", o->ppn, "ranks that a node has room for, in the cluster file")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    add_numbers(command, *o, *from_run);
    command.add_option("-o,--output", o->output, "platform file to write (default: standard output)");
    command.add_option("--cluster", o->cluster, "cluster file to write, for tune")->needs("--output");
    command.footer(
        "Everything that a simulation gives is marked simulated. To tune such a machine:\n"
        "  changeover platform --nodes 512 --ppn 4 --topology fat-tree:2to1 -o tree.xml --cluster tree.json\n"
        "  changeover tune --cluster tree.json --run tree\n"
        "A larger machine of the kind that was measured: changeover platform --from-run DIR --nodes 512 -o "
        "large.xml");
    command.callback([o] { write_platform(*o); });
}

}  // namespace tuner::commands
