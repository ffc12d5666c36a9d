// SPDX-License-Identifier: MIT
#include "simulated_prediction.hpp"

#include <algorithm>

#include "planned_collective.hpp"
#include "simulation.hpp"

namespace tuner {

namespace {

std::vector<SimulatedTime> times_of(Simulation& simulation, const SimulatedCall& call) {
    const PlannedCollective collective =
        planned(known_collective(call.collective), std::max<std::size_t>(1, call.bytes));
    Json request = {{"id", 1},
                    {"collective", collective.name},
                    {"bytes", {call.bytes}},
                    {"algorithms", {"all"}},
                    {"min_repetitions", 1},
                    {"max_repetitions", 1}};
    if (!collective.datatype.empty()) {
        request["datatype"] = collective.datatype;
    }
    simulation.send(request);
    std::vector<SimulatedTime> times;
    std::string by_default;
    for (Json line = simulation.next(); line.at("type") == "case"; line = simulation.next()) {
        if (line.at("algorithm") == "default") {
            by_default = line.at("used").get<std::string>();
        } else if (line.at("status") == "measured") {
            const auto name = line.at("algorithm").get<std::string>();
            times.push_back({name, 1e-6 * line.at("median_us").get<double>(), name == by_default});
        }
    }
    std::sort(times.begin(), times.end(),
              [](const SimulatedTime& x, const SimulatedTime& y) { return x.seconds < y.seconds; });
    return times;
}

}  // namespace

std::vector<std::vector<SimulatedTime>> simulated_times(const std::string& platform_file,
                                                        const Layout& layout,
                                                        const std::vector<SimulatedCall>& calls) {
    Simulation simulation(platform_file, {"--layout", layout_argument(layout), "--serve"});
    simulation.next();  // the header
    std::vector<std::vector<SimulatedTime>> all;
    for (const SimulatedCall& call : calls) {
        all.push_back(times_of(simulation, call));
    }
    return all;
}

std::vector<std::vector<SimulatedTime>> simulated_times(const CalibratedPlatform& platform,
                                                        const std::string& collective, const Layout& layout,
                                                        const std::vector<std::size_t>& sizes) {
    CalibratedPlatform large = platform;
    large.topology.nodes = std::max({2, layout.nodes, platform.topology.nodes});
    large.machine.noise = {};
    const TemporaryPlatform file(platform_xml(large.topology, large.machine));
    std::vector<SimulatedCall> calls;
    for (const std::size_t bytes : sizes) {
        calls.push_back({collective, bytes});
    }
    return simulated_times(file.path(), layout, calls);
}

}  // namespace tuner
