// SPDX-License-Identifier: MIT
#include "message_costs.hpp"

#include <algorithm>

namespace tuner {

namespace {

int slow_node_of(const SimulatedJob& job) {
    const auto slow = std::find_if(job.hosts.begin(), job.hosts.end(), [&](const simgrid::s4u::Host* host) {
        return host->get_name() == job.machine.slow_host;
    });
    return slow == job.hosts.end() ? -1 : static_cast<int>(slow - job.hosts.begin());
}

}  // namespace

MessageCosts::MessageCosts(const SimulatedJob& job) : job_(job), slow_node_(slow_node_of(job)) {}

double MessageCosts::slowness(const LiveMessage& of) const {
    const bool is_slow =
        slow_node_ >= 0 && (node(of.source) == slow_node_ || node(of.destination) == slow_node_);
    return is_slow ? job_.machine.slow_factor : 1;
}

double MessageCosts::core_seconds(const LiveMessage& of) const {
    const SharedCores& shared = job_.machine.cores;
    const auto bytes = static_cast<double>(of.bytes);
    return is_within(of) ? shared.within_seconds_per_byte * bytes
                         : shared.between_seconds + shared.between_seconds_per_byte * bytes;
}

double MessageCosts::payload(const LiveMessage& of, double bytes_per_second) const {
    const double per_byte = segment(of).seconds_per_byte;
    const double factor = per_byte > 0 ? per_byte * bytes_per_second : 1;
    return slowness(of) * (factor * static_cast<double>(of.bytes) + link(of).gap_seconds * bytes_per_second);
}

double MessageCosts::latency_without_overheads(const LiveMessage& of) const {
    const double taken = job_.machine.send_overhead_seconds + job_.machine.receive_overhead_seconds +
                         (is_within(of) ? 0 : link(of).gap_seconds);
    return std::max(0.0, segment(of).latency_seconds - taken);
}

}  // namespace tuner
