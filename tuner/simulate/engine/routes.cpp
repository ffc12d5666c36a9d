// SPDX-License-Identifier: MIT
#include "routes.hpp"

#include <algorithm>
#include <limits>

namespace tuner {

namespace {

namespace s4u = simgrid::s4u;

constexpr std::size_t most_nodes_to_remember = 2048;
constexpr double unknown = -1;

double bandwidth_between(const std::vector<s4u::Host*>& hosts, double most) {
    double least = most > 0 ? most : std::numeric_limits<double>::infinity();
    if (hosts.size() > 1) {
        std::vector<s4u::Link*> links;
        double latency = 0;
        hosts[0]->route_to(hosts[1], links, &latency);
        for (const s4u::Link* link : links) {
            least = std::min(least, link->get_bandwidth());
        }
    }
    return least;
}

}  // namespace

Routes::Routes(const std::vector<s4u::Host*>& hosts, double most_bytes_per_second)
    : hosts_(hosts), bytes_per_second_(bandwidth_between(hosts, most_bytes_per_second)) {
    if (hosts.size() <= most_nodes_to_remember) {
        latencies_.assign(hosts.size() * hosts.size(), unknown);
    }
}

double Routes::asked_latency(int from, int to) const {
    std::vector<s4u::Link*> links;
    double latency = 0;
    hosts_[static_cast<std::size_t>(from)]->route_to(hosts_[static_cast<std::size_t>(to)], links, &latency);
    return latency;
}

double Routes::latency(int from, int to) {
    if (latencies_.empty()) {
        return asked_latency(from, to);
    }
    double& known = latencies_[static_cast<std::size_t>(from) * hosts_.size() + static_cast<std::size_t>(to)];
    if (known == unknown) {
        known = asked_latency(from, to);
    }
    return known;
}

}  // namespace tuner
