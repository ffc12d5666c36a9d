// SPDX-License-Identifier: MIT
// changeover-sim: launcher and benchmark of simulated machines. `--serve` answers as changeover-bench does;
// with a collective it prints simulated times; `--calibrate` fits the platform to measured times; `--launch`
// starts a program that is told, by its environment, where its ranks would be.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "calibration.hpp"
#include "collectives.hpp"
#include "error.hpp"
#include "files.hpp"
#include "goal.hpp"
#include "output.hpp"
#include "simulated_benchmark.hpp"
#include "sizes.hpp"
#include "units.hpp"

namespace {

using namespace tuner;

constexpr const char* launch_option = "--launch";
constexpr const char* platform_variable = "CHANGEOVER_SIM_PLATFORM";
constexpr const char* hosts_variable = "CHANGEOVER_SIM_HOSTS";
constexpr const char* mapping_variable = "CHANGEOVER_SIM_MAPPING";

struct SimOptions {
    std::string platform;
    std::string hosts;
    std::string mapping = "block";
    std::string layout;
    std::string collective;
    std::string sizes = "1Ki,64Ki,1Mi";
    std::vector<std::string> algorithms = {"all"};
    std::string goal;
    bool together = false;
    bool serve = false;
    bool calibrate = false;
    bool version = false;
};

// n0:2,n1:2,n2:1
struct Hosts {
    std::vector<std::string> names;
    Layout layout;
};
Hosts hosts_from(const std::string& text, Mapping mapping) {
    Hosts hosts;
    std::vector<int> ranks;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string part = text.substr(at, comma - at);
        const std::size_t colon = part.rfind(':');
        hosts.names.push_back(part.substr(0, colon));
        const int count = colon == std::string::npos ? 1 : std::atoi(part.c_str() + colon + 1);
        ranks.push_back(count);
        at = comma + 1;
    }
    const bool is_layout =
        !ranks.empty() && ranks.back() >= 1 && ranks.back() <= ranks.front() &&
        std::all_of(ranks.begin(), ranks.end() - 1, [&](int n) { return n == ranks.front(); });
    if (!is_layout) {
        throw usage_error("'" + text + "' is not a list of hosts with as many ranks each; write n0:2,n1:2");
    }
    hosts.layout = {static_cast<int>(ranks.size()), ranks.front(), mapping, ranks.front() - ranks.back()};
    return hosts;
}

Hosts hosts_of(const SimOptions& o, const SimulatedPlatform& platform) {
    if (!o.hosts.empty()) {
        return hosts_from(o.hosts, o.mapping == "block" ? Mapping::block : Mapping::round_robin);
    }
    Hosts hosts;
    hosts.names = platform.host_names();
    hosts.layout = o.layout.empty() ? Layout{static_cast<int>(hosts.names.size())} : parse_layout(o.layout);
    if (hosts.layout.nodes > static_cast<int>(hosts.names.size())) {
        throw usage_error(fmt::format("the layout {} needs {} nodes, but {} has {}", to_string(hosts.layout),
                                      hosts.layout.nodes, o.platform, hosts.names.size()));
    }
    hosts.names.resize(static_cast<std::size_t>(hosts.layout.nodes));
    return hosts;
}

void say(Json line, const Json& id) {
    if (!id.is_null()) {
        line["id"] = id;
    }
    write_data(line.dump() + "\n");
}

void serve(SimulatedBenchmark& benchmark) {
    say(benchmark.header(), {});
    for (std::string text; std::getline(std::cin, text);) {
        Json id;
        try {
            const Json request = parse_json(text);
            id = request.value("id", Json());
            for (const Json& line : benchmark.answer(request)) {
                say(line, id);
            }
            say({{"type", "done"}}, id);
        } catch (const std::exception& error) {
            say({{"type", "error"}, {"message", error.what()}}, id);
        }
    }
    say({{"type", "end"}}, {});
}

MeasuredTime measured_time_from(const Json& line) {
    MeasuredTime time;
    time.layout = parse_layout(line.at("layout").get<std::string>());
    time.call.collective = line.at("collective").get<std::string>();
    time.call.algorithm = line.at("algorithm").get<std::string>();
    time.call.bytes = whole_number(line.at("bytes"));
    time.call.element_bytes = whole_number(line.at("element_bytes"));
    time.seconds = line.at("seconds").get<double>();
    return time;
}

// Measured times, one in each line; then what of the platform has to be changed for them
void calibrate(const SimulatedPlatform& platform) {
    std::vector<MeasuredTime> times;
    for (std::string text; std::getline(std::cin, text);) {
        times.push_back(measured_time_from(parse_json(text)));
    }
    const std::size_t all = times.size();
    Calibration calibration(platform, std::move(times));
    const SimulatedMachine machine =
        calibration.fitted(platform.machine(), [](int step, int of, double distance) {
            say({{"type", "progress"}, {"step", step}, {"of", of}, {"distance", distance}}, {});
        });
    say({{"type", "machine"},
         {"properties", to_properties(machine)},
         {"times", all},
         {"simulated", calibration.times()},
         {"median_error", calibration.median_error(machine)}},
        {});
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print_times(SimulatedBenchmark& benchmark, const SimOptions& o, const Hosts& hosts) {
    std::vector<std::string> algorithms = o.algorithms;
    if (algorithms == std::vector<std::string>{"all"}) {
        algorithms = SimulatedBenchmark::algorithms_of(o.collective);
        algorithms.insert(algorithms.begin(), "default");
    }
    print_data("# simulated: {} on {}, {} ranks, {}\n", o.collective, o.platform, hosts.layout.ranks(),
               to_string(hosts.layout));
    print_data("{:>10}  {:<40} {:>12} {:>12} {:>10} {:>9}\n", "size", "algorithm", "time", "messages",
               "computed", "memory");
    for (const std::size_t bytes : models::parse_sizes(o.sizes)) {
        for (const std::string& algorithm : algorithms) {
            const auto start = std::chrono::steady_clock::now();
            const SimulatedBenchmark::Time& time =
                benchmark.time_of({o.collective, algorithm, bytes}, o.together ? Pace::together : Pace::free);
            const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
            const std::string name =
                algorithm == "default" ? fmt::format("default ({})", time.used) : algorithm;
            if (!time.refused.empty()) {
                print_data("{:>10}  {:<40} {:>12}\n", bytes, name, "refused");
                continue;
            }
            print_data("{:>10}  {:<40} {:>12} {:>12} {:>8.1f} s {:>6.0f} MB\n", bytes, name,
                       seconds_text(time.played.seconds), time.played.messages, wall.count(),
                       peak_megabytes());
        }
    }
}

// The schedule of one call
void write_goal(const SimulatedPlatform& platform, const SimOptions& o, const Hosts& hosts) {
    const std::vector<std::size_t> sizes = models::parse_sizes(o.sizes);
    if (sizes.size() != 1 || o.algorithms.size() != 1) {
        throw usage_error(
            "--goal has one call: name one size and one algorithm, such as --sizes 64Ki --algorithms ring");
    }
    const models::RankPlacement layout = placement_of(hosts.layout);
    const models::Call call{&layout, sizes.front()};
    const std::string_view collective = models::modelled_as(o.collective);
    const models::Algorithm* const algorithm = models::find_algorithm(collective, o.algorithms.front());
    if (algorithm == nullptr) {
        throw usage_error(
            fmt::format("there is no schedule of {} {}; {}", o.collective, o.algorithms.front(),
                        suggestion(o.algorithms.front(), SimulatedBenchmark::algorithms_of(o.collective))));
    }
    if (!models::is_allowed(*algorithm, call)) {
        throw usage_error("a precondition of the algorithm does not hold on " + to_string(hosts.layout));
    }
    const models::Parameters& parameters = platform.machine().parameters;
    write_output(o.goal, to_goal(algorithm->schedule(call), layout.ranks(),
                                 {parameters.copy_seconds_per_byte, parameters.combine_seconds_per_byte}));
}

void define(CLI::App& app, SimOptions& o) {
    app.add_option("collective", o.collective, "such as bcast: print the times of its algorithms");
    app.add_option("--platform", o.platform, "platform file of SimGrid; see changeover platform")
        ->envname(platform_variable);
    app.add_option("--hosts", o.hosts, "hosts of the platform and ranks on each: n0:2,n1:2")
        ->envname(hosts_variable);
    app.add_option("--mapping", o.mapping, "of ranks to nodes")
        ->envname(mapping_variable)
        ->check(CLI::IsMember({"block", "round-robin"}));
    app.add_option("--layout", o.layout, "on the first hosts of the platform, in place of --hosts: 512x4");
    app.add_option("--sizes", o.sizes, "message sizes: 1Ki,64Ki or 1Ki:1Mi:x4")->capture_default_str();
    app.add_option("--algorithms", o.algorithms, "comma-separated")->delimiter(',')->capture_default_str();
    app.add_option("--goal", o.goal,
                   "write the messages of one call into this file, in GOAL, as LogGOPSim and ATLAHS read it");
    app.add_flag("--together", o.together,
                 "all ranks start each round at the same time, as in the cost model");
    app.add_flag("--serve", o.serve, "answer requests, as changeover-bench --serve does");
    app.add_flag("--calibrate", o.calibrate,
                 "read measured times, one JSON object in each line, and print the properties of a platform "
                 "with which simulated times are like them; changeover platform --from-run does");
    app.add_flag("--version", o.version, "print the version of SimGrid");
    app.footer(
        "--launch PROGRAM ARGUMENTS... starts a program on the simulated hosts: changeover-sim itself, with "
        "--serve,\nas the launcher 'simulated' of a cluster file does.");
}

// Everything behind --launch is the program; where it runs is passed on by variables
int launch(const SimOptions& o, char** program) {
    if (*program == nullptr) {
        throw usage_error("--launch needs a program");
    }
    setenv(platform_variable, o.platform.c_str(), 1);
    setenv(hosts_variable, o.hosts.c_str(), 1);
    setenv(mapping_variable, o.mapping.c_str(), 1);
    execvp(*program, program);
    throw failure(fmt::format("cannot start {}: {}", *program, std::strerror(errno)));
}

int run(int argc, char** argv) {
    char** const found = std::find_if(
        argv, argv + argc, [](const char* text) { return std::string_view(text) == launch_option; });
    CLI::App app{
        "Simulates collectives of MPICH on machines that are not here, by SimGrid: every message of every "
        "rank.\n\n"
        "  changeover platform --nodes 64 --topology fat-tree -o tree.xml\n"
        "  changeover-sim --platform tree.xml --layout 64x2 bcast --sizes 1Ki,1Mi"};
    SimOptions o;
    define(app, o);
    try {
        app.parse(static_cast<int>(found - argv), argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (o.version) {
        print_data("changeover-sim: SimGrid {}\n", simgrid_version());
        return 0;
    }
    if (o.platform.empty()) {
        throw usage_error("--platform is missing; write a platform file with: changeover platform");
    }
    if (found != argv + argc) {
        return launch(o, found + 1);
    }
    const SimulatedPlatform platform(o.platform);
    if (o.calibrate) {
        calibrate(platform);
        return 0;
    }
    const Hosts hosts = hosts_of(o, platform);
    SimulatedBenchmark benchmark(platform, hosts.names, hosts.layout);
    if (o.serve) {
        serve(benchmark);
    } else if (!o.goal.empty() && !o.collective.empty()) {
        write_goal(platform, o, hosts);
    } else if (!o.collective.empty()) {
        print_times(benchmark, o, hosts);
    } else {
        throw usage_error("name a collective, or use --serve; see --help");
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    reserve_standard_streams();
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        const auto* known = dynamic_cast<const Error*>(&error);
        print_note("Error: {}\n", error.what());
        return known ? known->exit_code() : 1;
    }
}
