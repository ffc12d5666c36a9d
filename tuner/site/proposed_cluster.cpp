// SPDX-License-Identifier: MIT
#include "proposed_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "node_differences.hpp"

namespace tuner {

namespace {

constexpr const char* virtual_interfaces[] = {"docker", "virbr",   "veth", "br-",
                                              "cni",    "flannel", "tun",  "tap"};

bool is_virtual(const std::string& name) {
    return std::any_of(std::begin(virtual_interfaces), std::end(virtual_interfaces),
                       [&](const char* start) { return name.starts_with(start); });
}

std::string speed_text(int megabits) {
    return megabits == 0 ? "speed not known" : fmt::format("{} Mbit/s", megabits);
}

int fewest_cores(const AskedNodes& asked) {
    int fewest = 0;
    for (const auto& [host, facts] : asked.facts) {
        fewest = fewest == 0 ? facts.cores : std::min(fewest, facts.cores);
    }
    return std::max(1, fewest);
}

}  // namespace

std::vector<ProposedNetwork> networks_of(const AskedNodes& asked) {
    struct Found {
        std::set<std::string> addresses;  // of nodes that are one machine: the same
        int megabits = 0;                 // of the slowest
    };
    std::map<std::pair<std::string, std::string>, Found> found;
    for (const auto& [host, facts] : asked.facts) {
        std::set<std::pair<std::string, std::string>> of_node;
        for (const NodeInterface& row : facts.interfaces) {
            const std::pair key(row.name, row.subnet);
            if (!is_virtual(row.name) && of_node.insert(key).second) {
                auto& [addresses, megabits] = found[key];
                megabits = addresses.empty() ? row.megabits : std::min(megabits, row.megabits);
                addresses.insert(row.address);
            }
        }
    }
    std::vector<ProposedNetwork> networks;
    for (const auto& [key, row] : found) {
        if (row.addresses.size() == asked.facts.size()) {
            networks.push_back({key.first, key.second, row.megabits});
        }
    }
    std::stable_sort(
        networks.begin(), networks.end(),
        [](const ProposedNetwork& a, const ProposedNetwork& b) { return a.megabits > b.megabits; });
    return networks;
}

std::vector<std::string> differences(const AskedNodes& asked) {
    std::vector<std::string> texts;
    for (const NodeProperty& property : node_properties) {
        for (const NodeDifference& row : differences_in(asked, property)) {
            texts.push_back(row.host + ": " + row.text);
        }
    }
    return texts;
}

namespace {

std::vector<std::string> libraries_of_all(const AskedNodes& asked) {
    std::map<std::string, std::size_t> counts;
    for (const auto& [host, facts] : asked.facts) {
        for (const std::string& library : facts.libraries) {
            ++counts[library];
        }
    }
    std::vector<std::string> libraries;
    for (const auto& [library, count] : counts) {
        if (count == asked.facts.size()) {
            libraries.push_back(library);
        }
    }
    return libraries;
}

std::string hosts_text(const ProposedCluster& proposed) {
    if (proposed.hosts.empty()) {
        return "    \"hosts_from\": \"slurm\",\n";
    }
    std::string text = "    // as many ranks on each node as the smallest has cores\n    \"hosts\": [";
    for (std::size_t i = 0; i < proposed.hosts.size(); ++i) {
        text += fmt::format("{}{{\"name\": {}, \"slots\": {}}}", i == 0 ? "" : ",\n              ",
                            Json(proposed.hosts[i]).dump(), fewest_cores(proposed.asked));
    }
    return text + "],\n";
}

}  // namespace

std::string cluster_file_text(const ProposedCluster& proposed) {
    std::string text = fmt::format(
        "// Written by changeover init, from {}. Edit it as you like; then try:\n"
        "//   changeover doctor --cluster FILE     checks the nodes, and starts a short job on each network\n"
        "//   changeover tune --cluster FILE\n{{\n",
        proposed.origin);
    text += fmt::format("    \"name\": {},\n", Json(proposed.name).dump());
    for (const std::string& difference : differences(proposed.asked)) {
        text += "    // differs: " + difference + "\n";
    }
    for (const std::string& library : libraries_of_all(proposed.asked)) {
        text += "    // on all nodes: " + library + "\n";
    }
    text += hosts_text(proposed);
    text += fmt::format("    \"launcher\": {},\n", proposed.launcher.dump());
    if (!proposed.mpi.empty()) {
        text += fmt::format("    \"mpi\": {},\n", proposed.mpi.dump());
    }
    text += "    \"networks\": [";
    const std::vector<ProposedNetwork> networks = networks_of(proposed.asked);
    const bool is_one_node = proposed.asked.facts.size() == 1;
    for (std::size_t i = 0; i < networks.size() && !is_one_node; ++i) {
        text += fmt::format("{}\n        // {}, {}\n        {{\"name\": {}, \"interface\": {}}}",
                            i == 0 ? "" : ",", networks[i].subnet, speed_text(networks[i].megabits),
                            Json(networks[i].interface).dump(), Json(networks[i].interface).dump());
    }
    text += networks.empty() || is_one_node ? "{\"name\": \"default\"}],\n" : "\n    ],\n";
    return text +
           "    // the tuner chooses them; or a list: [{\"nodes\": 4, \"ppn\": 8}]\n    \"layouts\": "
           "\"auto\"\n}\n";
}

}  // namespace tuner
