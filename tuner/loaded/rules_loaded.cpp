// SPDX-License-Identifier: MIT
#include "rules_loaded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "emit.hpp"
#include "error.hpp"
#include "files.hpp"
#include "mpi_library.hpp"

namespace tuner {

Network with_rules(const OpenRun& open, const Config& config, const std::string& name, const Layout& layout) {
    const MpiLibrary& library = find_library(open.cluster.library);
    const std::string file = std::filesystem::absolute(
        fmt::format("{}/loaded-{}-{}{}", open.files.folder(), name, to_string(layout), library.rules_suffix));
    EmitOptions options;
    options.network = name;
    options.layout = layout;
    options.assume_commutative = true;                           // as those of the benchmark are
    const bool reads_file = reads_tuning_files(config.library);  // what jobs of users read, before all else
    write_file_atomically(file,
                          find_format(reads_file ? "mpich" : rules_format_of(config)).emit(config, options));
    Network network = open.cluster.network(name);
    for (const auto& variable :
         reads_file ? environment_of_tuning_file(file, name) : library.environment(file, name)) {
        if (variable.first == "LD_PRELOAD" &&
            !std::filesystem::exists(variable.second)) {  // a job would only ignore it
            throw failure(fmt::format("{} is missing; build it: scripts/build", variable.second));
        }
        network.environment.push_back(variable);
    }
    if (const std::string format = second_format_of(config); !format.empty()) {
        write_file_atomically(second_file_of(file), find_format(format).emit(config, options));
        const Environment more = *environment_of_format(format, second_file_of(file));
        network.environment.insert(network.environment.end(), more.begin(), more.end());
    }
    return network;
}

void set_network(Cluster& cluster, Network network) {
    const auto same = std::find_if(cluster.networks.begin(), cluster.networks.end(),
                                   [&](const Network& one) { return one.name == network.name; });
    *same = std::move(network);
}

Group group_of_job(const CellKey& cell, std::size_t bytes, const Plan& plan, const Cells& cells, Stage stage,
                   int repetitions) {
    double call_seconds = 0.001;
    const auto& times = cells.at(cell).times;
    if (const auto above = times.lower_bound(bytes); above != times.end()) {
        for (const auto& [algorithm, time] : above->second) {
            call_seconds = std::max(call_seconds, time.time.median_seconds);
        }
    }
    Group group;
    group.stage = stage;
    group.collective = planned_collective(plan, cell.collective, cell.operation);
    group.bytes = bytes;
    group.algorithms = {default_algorithm};
    group.limits.min_repetitions = group.limits.max_repetitions = repetitions;
    group.limits.max_seconds = 60;
    group.limits.expected_seconds = 20 * call_seconds + group.limits.max_repetitions * call_seconds;
    return group;
}

std::vector<Layout> outer_layouts(const Cells& cells, const std::string& network) {
    const Layout* most = nullptr;
    const Layout* flat = nullptr;
    for (const auto& [key, cell] : cells) {
        const Layout& layout = key.layout;
        if (key.network == network && (!most || layout.ranks() > most->ranks())) {
            most = &layout;
        }
        if (key.network == network && layout.ppn == 1 && (!flat || layout.nodes > flat->nodes)) {
            flat = &layout;
        }
    }
    std::vector<Layout> layouts;
    for (const Layout* layout : {most, flat}) {
        if (layout != nullptr && (layouts.empty() || layouts.front() != *layout)) {
            layouts.push_back(*layout);
        }
    }
    return layouts;
}

std::vector<std::size_t> spread_sizes(const Cell& cell, std::size_t count) {
    constexpr double longest_call = 0.2;
    std::vector<std::size_t> all;
    for (const auto& [bytes, times] : cell.times) {
        const CellTime* time = time_of(times, default_algorithm);
        if (time && time->time.median_seconds <= longest_call) {
            all.push_back(bytes);
        }
    }
    std::set<std::size_t> chosen;
    for (std::size_t i = 0; i < count && !all.empty(); ++i) {
        chosen.insert(all[i * (all.size() - 1) / (count - 1)]);
    }
    return {chosen.begin(), chosen.end()};
}

}  // namespace tuner
