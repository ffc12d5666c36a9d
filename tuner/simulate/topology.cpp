// SPDX-License-Identifier: MIT
#include "topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "checked_json.hpp"
#include "error.hpp"

namespace tuner {

namespace {

constexpr int most_nodes_of_a_leaf = 32;  // half the ports of a usual switch

// `count` factors of a number, as near to each other as can be, the largest first
std::vector<int> near_factors(int number, int count) {
    std::vector<int> factors;
    for (; count > 1; --count) {
        int factor = std::max(1, static_cast<int>(std::floor(std::pow(number, 1.0 / count) + 1e-9)));
        while (number % factor != 0) {
            --factor;
        }
        factors.push_back(factor);
        number /= factor;
    }
    factors.push_back(number);
    std::sort(factors.rbegin(), factors.rend());
    return factors;
}

// fat-tree:2to1 has two links down for each one up
double ratio_of_fat_tree(const std::string& kind) {
    int down = 1;
    int up = 1;
    char rest = 0;
    const bool is_plain = kind == "fat-tree";
    const bool has_ratio = std::sscanf(kind.c_str(), "fat-tree:%dto%d%c", &down, &up, &rest) == 2;
    if (!is_plain && (!has_ratio || up < 1 || down < up)) {
        throw usage_error("'" + kind + "' is not a fat tree; write fat-tree, or fat-tree:2to1");
    }
    return static_cast<double>(down) / up;
}

// Two levels of switches: "2;nodes of a leaf,leaves;1,links up of a leaf;1,1"
std::string fat_tree(const Topology& topology) {
    const double ratio = ratio_of_fat_tree(topology.kind);
    int leaf = std::min(most_nodes_of_a_leaf, topology.nodes / 2);
    while (leaf > 1 && (topology.nodes % leaf != 0 || std::fmod(leaf, ratio) != 0)) {
        --leaf;
    }
    if (leaf < 2) {
        throw usage_error(fmt::format(
            "{} nodes do not fill the leaf switches of {}; take a multiple of a number up to {} that divides "
            "by its ratio, such as {}",
            topology.nodes, topology.kind, most_nodes_of_a_leaf,
            static_cast<int>(16 * ratio * std::max(2.0, std::round(topology.nodes / (16 * ratio))))));
    }
    return fmt::format("2;{},{};1,{};1,1", leaf, topology.nodes / leaf, static_cast<int>(leaf / ratio));
}

std::string torus(const Topology& topology) {
    return fmt::format("{}", fmt::join(near_factors(topology.nodes, 3), ","));
}

// Groups of chassis of routers of nodes, all connected to all of their level
std::string dragonfly(const Topology& topology) {
    const std::vector<int> factors = near_factors(topology.nodes, 4);
    if (factors.back() < 2) {
        throw usage_error(fmt::format(
            "{} nodes are not groups of chassis of routers of at least 2 each; take for example {}",
            topology.nodes, 16 * std::max(1, topology.nodes / 16)));
    }
    // SimGrid 3.32 finds no route if there are more groups than routers in a chassis
    return fmt::format("{},1;{},1;{},1;{}", factors[1], factors[2], factors[0], factors[3]);
}

struct Kind {
    const char* name;
    const char* simgrid;  // its value of `topology`; null: nodes have one switch
    std::string (*parameters)(const Topology&);
};
constexpr std::array kinds = {
    Kind{"star", nullptr, nullptr},
    Kind{"fat-tree", "FAT_TREE", fat_tree},
    Kind{"torus", "TORUS", torus},
    Kind{"dragonfly", "DRAGONFLY", dragonfly},
};

const Kind& kind_of(const Topology& topology) {
    const std::string name = topology.kind.substr(0, topology.kind.find(':'));
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.name == name; });
    const bool has_ratio = name.size() != topology.kind.size();
    if (found == kinds.end() || (has_ratio && name != "fat-tree")) {
        std::vector<std::string> names = {"fat-tree:2to1"};
        for (const Kind& kind : kinds) {
            names.emplace_back(kind.name);
        }
        throw usage_error("there is no topology '" + topology.kind + "'; " +
                          suggestion(topology.kind, names));
    }
    return *found;
}

struct BandwidthUnit {
    const char* name;
    double bytes_per_second;
};
constexpr std::array bandwidth_units = {
    BandwidthUnit{"kbit", 125},   BandwidthUnit{"mbit", 125e3}, BandwidthUnit{"gbit", 125e6},
    BandwidthUnit{"tbit", 125e9}, BandwidthUnit{"kB", 1e3},     BandwidthUnit{"MB", 1e6},
    BandwidthUnit{"GB", 1e9},
};

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
    }
    return result;
}

}  // namespace

double parse_bandwidth(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(end, text.data() + text.size());
    const auto found = std::find_if(bandwidth_units.begin(), bandwidth_units.end(),
                                    [&](const BandwidthUnit& row) { return unit == row.name; });
    if (error != std::errc() || found == bandwidth_units.end() || !(value > 0) || !std::isfinite(value)) {
        throw usage_error("'" + text + "' is not a bandwidth; write for example 100gbit, 100mbit or 12.5GB");
    }
    return value * found->bytes_per_second;
}

std::string host_range(const Topology& topology) {
    return fmt::format("n[0-{}]", topology.nodes - 1);
}

std::string platform_xml(const Topology& topology, const SimulatedMachine& machine) {
    if (topology.nodes < 2) {
        throw usage_error("a platform has at least 2 nodes");
    }
    const Kind& kind = kind_of(topology);
    SimulatedMachine of_nodes = machine;
    of_nodes.are_nodes_alike = kind.simgrid == nullptr;
    if (topology.interfaces > 1) {
        of_nodes.message_bytes_per_second = topology.bytes_per_second;
    }
    std::string text =
        "<?xml version='1.0'?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<!-- Written by changeover platform. Times and bandwidths are those of a simulation. -->\n"
        "<platform version=\"4.1\">\n"
        "  <zone id=\"changeover\" routing=\"Full\">\n";
    for (const auto& [name, value] : to_properties(of_nodes)) {
        text += fmt::format("    <prop id=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value));
    }
    // a message of a star goes over two links
    const double latency = kind.simgrid ? topology.latency_seconds : topology.latency_seconds / 2;
    text += fmt::format(
        "    <cluster id=\"nodes\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" bw=\"{}Bps\" "
        "lat=\"{}s\" sharing_policy=\"SPLITDUPLEX\"",
        topology.nodes - 1, topology.bytes_per_second * topology.interfaces, latency);
    if (kind.simgrid) {
        text +=
            fmt::format(" topology=\"{}\" topo_parameters=\"{}\"", kind.simgrid, kind.parameters(topology));
    }
    return text + "/>\n  </zone>\n</platform>\n";
}

}  // namespace tuner
