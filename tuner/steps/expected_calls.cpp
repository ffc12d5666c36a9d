// SPDX-License-Identifier: MIT
#include "expected_calls.hpp"

#include <algorithm>

#include "mpi_library.hpp"
#include "planned_collective.hpp"

namespace tuner::commands {

namespace {

// As long as nothing is measured: TCP on Ethernet of 10 Gbit/s, and shared memory
constexpr models::ProtocolSegment assumed_between = {models::LinkCosts::no_end, 50e-6, 1e-9};
constexpr models::ProtocolSegment assumed_within = {models::LinkCosts::no_end, 5e-6, 0.3e-9};
constexpr std::size_t algorithms_without_model = 4;

models::ProtocolSegment segment_of(const LinkParameters* link, const models::ProtocolSegment& assumed) {
    if (link == nullptr || link->one_way.size() < 2) {
        return assumed;
    }
    const OneWayTime& small = link->one_way.front();
    const OneWayTime& large = link->one_way.back();
    return {models::LinkCosts::no_end, small.seconds,
            std::max(0.0, large.seconds - small.seconds) / static_cast<double>(large.bytes - small.bytes)};
}

}  // namespace

ExpectedCalls::ExpectedCalls(const Cluster& cluster, const NetworkParameters& measured)
    : cluster_(cluster), measured_(measured) {}

models::Parameters ExpectedCalls::parameters_of(const std::string& network) const {
    models::Parameters parameters;
    parameters.between.segments = {
        segment_of(find_link(measured_, network, Link::between_nodes), assumed_between)};
    parameters.within.segments = {
        segment_of(find_link(measured_, network, Link::within_node), assumed_within)};
    if (cluster_.is_faked()) {  // each message takes time of cores that all ranks share
        parameters.contention.has_one_machine = true;
        parameters.contention.message_between_seconds =
            parameters.between.segments.front().latency_seconds / 2;
        parameters.contention.message_within_seconds = parameters.within.segments.front().latency_seconds / 2;
    }
    return parameters;
}

std::vector<double> ExpectedCalls::at(const std::string& network, const Layout& layout,
                                      const std::string& collective, std::size_t bytes) {
    std::unique_ptr<models::CostTable>& table = tables_[layout];
    if (!table) {
        table = std::make_unique<models::CostTable>(placement_of(layout));
    }
    const models::Parameters parameters = parameters_of(network);
    const models::Call call{&table->layout(), bytes};
    const std::string_view name = known_collective(collective).row->name;
    std::vector<double> seconds;
    for (const models::Algorithm& algorithm : models::algorithms(find_library(cluster_.library).models)) {
        if (models::is_for(algorithm, name) && models::is_allowed(algorithm, call)) {
            seconds.push_back(table->seconds(algorithm, call, parameters));
        }
    }
    if (seconds.empty()) {
        const models::ProtocolSegment& message = parameters.between.segments.front();
        seconds.assign(algorithms_without_model,
                       message.latency_seconds + message.seconds_per_byte * static_cast<double>(bytes));
    }
    seconds.push_back(*std::min_element(seconds.begin(), seconds.end()));  // the default
    return seconds;
}

}  // namespace tuner::commands
