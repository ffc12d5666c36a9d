// SPDX-License-Identifier: MIT
// The point-to-point parameters of each network of a run, by link: inside a node and between nodes. Kept in
// `network.json` of the run, with what they were fitted to, so that runs and networks can be compared.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cluster.hpp"
#include "point_to_point.hpp"

namespace tuner {

enum class Link { within_node, between_nodes };
const char* to_string(Link link);  // within, between: as in the cost model's names of parameters

// Half the median round trip of one message
struct OneWayTime {
    std::size_t bytes = 0;
    double seconds = 0;
    models::Interval interval = {0, 0};  // 95%
};

struct LinkParameters {
    std::string network;
    Link link = Link::between_nodes;
    Layout layout;                             // that it was measured on
    std::vector<models::LogGpSegment> log_gp;  // ascending sizes: eager, rendezvous ...
    std::vector<OneWayTime> one_way;           // ascending sizes
};

// In the order of the run's networks; what could not be measured is not there.
using NetworkParameters = std::vector<LinkParameters>;

const LinkParameters* find_link(const NetworkParameters& parameters, const std::string& network, Link link);

Json to_json(const NetworkParameters& parameters);
NetworkParameters network_parameters_from(const CheckedJson& json);

void save_network_parameters(const std::filesystem::path& folder, const NetworkParameters& parameters);
// Empty for a run that has none (yet)
NetworkParameters load_network_parameters(const std::filesystem::path& folder);

// For people: one row for each segment of a link
std::string parameters_table(const NetworkParameters& parameters);

}  // namespace tuner
