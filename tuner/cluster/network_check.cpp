// SPDX-License-Identifier: MIT
#include "network_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace tuner {

namespace {

constexpr const char* remedy =
    "choose the network by variables of the MPI library, as \"environment\" of the network in the cluster "
    "file";

std::vector<std::string> list_of(const Json& node, const char* key) {
    return node.contains(key) ? node.at(key).get<std::vector<std::string>>() : std::vector<std::string>{};
}

std::string evidence_of(const Json& header) {
    return header.contains("network") ? header.at("network").at("evidence").get<std::string>() : "unknown";
}

bool is_within(const std::vector<std::string>& some, const std::vector<std::string>& all) {
    return std::all_of(some.begin(), some.end(), [&](const std::string& text) {
        return std::find(all.begin(), all.end(), text) != all.end();
    });
}

std::string text_of_node(const Json& node) {
    return fmt::format("{} uses {} ({})", node.at("node").get<std::string>(),
                       fmt::join(list_of(node, "interfaces"), ", "),
                       fmt::join(list_of(node, "addresses"), ", "));
}

std::string problem_of_node(const Json& node, const Network& network, bool is_faked) {
    if (!network.interface.empty() && !is_within(list_of(node, "interfaces"), {network.interface})) {
        return fmt::format("{}, not the interface {}; {}", text_of_node(node), network.interface, remedy);
    }
    if (network.host_suffix.empty() || !network.interface.empty() || is_faked) {
        return "";
    }
    const std::vector<std::string> wanted = list_of(node, "name_addresses");
    if (wanted.empty()) {
        return fmt::format(
            "the name with the suffix {} of node {} does not resolve there; add it to the hosts file of the "
            "node, or correct \"host_suffix\"",
            network.host_suffix, node.at("node").get<std::string>());
    }
    if (!is_within(list_of(node, "addresses"), wanted)) {
        return fmt::format("{}, but {} is {}; {}", text_of_node(node), node.at("name").get<std::string>(),
                           fmt::join(wanted, ", "), remedy);
    }
    return "";
}

}  // namespace

std::string network_problem(const Json& header, const Cluster& cluster, const Network& network) {
    const std::string evidence = evidence_of(header);
    const bool is_named = !network.interface.empty() || (!network.host_suffix.empty() && !cluster.is_faked());
    if (!is_named || evidence == "one node") {
        return "";
    }
    if (evidence != "sockets") {
        return fmt::format(
            "that the network {} is used cannot be confirmed: the job has no TCP connection between nodes{}; "
            "remove \"interface\" and \"host_suffix\" of the network and {}",
            network.name,
            evidence == "library"
                ? " (it says: " + header.at("network").at("library").get<std::string>() + ")"
                : "",
            remedy);
    }
    for (const Json& node : header.at("network").at("nodes")) {
        if (const std::string problem = problem_of_node(node, network, cluster.is_faked());
            !problem.empty()) {
            return fmt::format("the job does not use the network {}: {}", network.name, problem);
        }
    }
    return "";
}

std::string interfaces_text(const Json& header) {
    std::set<std::string> names;
    if (evidence_of(header) == "sockets") {
        for (const Json& node : header.at("network").at("nodes")) {
            const std::vector<std::string> of_node = list_of(node, "interfaces");
            names.insert(of_node.begin(), of_node.end());
        }
    }
    return fmt::format("{}", fmt::join(names, ","));
}

std::string network_text(const Json& header) {
    const std::string evidence = evidence_of(header);
    if (evidence == "one node") {
        return "none: all ranks are on one node";
    }
    if (evidence == "library") {
        return header.at("network").at("library").get<std::string>() + " (reported by the library)";
    }
    if (evidence != "sockets") {
        return "unknown";
    }
    std::vector<std::string> nodes;
    bool is_loopback = false;
    for (const Json& node : header.at("network").at("nodes")) {
        nodes.push_back(text_of_node(node));
        is_loopback = is_loopback || node.at("loopback").get<bool>();
    }
    return fmt::format("{} (confirmed by sockets{})", fmt::join(nodes, "; "),
                       is_loopback ? "; through the loopback of the machine" : "");
}

}  // namespace tuner
