// SPDX-License-Identifier: MIT
#include "calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "statistics.hpp"
#include "tails.hpp"

namespace tuner {

namespace {

constexpr std::size_t fewest_samples = 10;
constexpr double far_out = 3;  // times the median

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : models::median(values);
}

// Messages of two ranks say more of a link than all collectives; where all nodes are one machine, handling a
// message is a cost of its own
void set_link(models::LinkCosts& link, const LinkParameters* measured, double handling_seconds) {
    if (measured == nullptr || measured->log_gp.size() != link.segments.size()) {
        return;
    }
    for (std::size_t i = 0; i < link.segments.size(); ++i) {
        const models::LogGpSegment& of = measured->log_gp[i];
        const double latency =
            of.latency_seconds.value + of.send_overhead_seconds.value + of.receive_overhead_seconds.value;
        link.segments[i].latency_seconds = std::max(0.0, latency - handling_seconds);
        link.segments[i].seconds_per_byte = of.gap_seconds_per_byte.value;
    }
}

// The latency of the model is L + o_s + o_r; overheads that are measured to be longer leave no time for it
void set_overheads(SimulatedMachine& machine, const LinkParameters* link) {
    if (link == nullptr || link->log_gp.empty()) {
        return;
    }
    const double most = machine.parameters.between.segments.front().latency_seconds / 2;
    const models::LogGpSegment& eager = link->log_gp.front();
    machine.send_overhead_seconds = std::clamp(eager.send_overhead_seconds.value, 0.0, most);
    machine.receive_overhead_seconds = std::clamp(eager.receive_overhead_seconds.value, 0.0, most);
}

}  // namespace

Noise noise_of(const RunData& run, const std::string& network) {
    std::vector<double> sigmas;
    double samples = 0;
    double outliers = 0;
    double time_outs = 0;
    std::vector<double> factors;
    for (const CaseRecord& record : run.cases) {
        if (record.stage != Stage::search || record.network != network ||
            record.samples_seconds.size() < fewest_samples) {
            continue;
        }
        std::vector<double> sorted = record.samples_seconds;
        std::sort(sorted.begin(), sorted.end());
        const double median = models::median(sorted);
        // half of a normal distribution is within 0.6745 standard deviations
        const double quartiles = std::log(sorted[sorted.size() * 3 / 4] / sorted[sorted.size() / 4]);
        sigmas.push_back(quartiles / (2 * 0.6745));
        for (const double seconds : sorted) {
            const bool is_time_out = models::is_like_time_out(seconds - median);
            time_outs += is_time_out;
            if (!is_time_out && seconds > far_out * median) {
                ++outliers;
                factors.push_back(seconds / median);
            }
        }
        samples += static_cast<double>(sorted.size());
    }
    Noise noise;
    if (samples > 0) {
        noise.sigma = median_of(std::move(sigmas));
        noise.outliers = outliers / samples;
        noise.time_outs = time_outs / samples;
        noise.outlier_factor = factors.empty() ? noise.outlier_factor : median_of(std::move(factors));
    }
    return noise;
}

CalibratedPlatform calibrated_from(const SavedRun& run, const std::string& network, int nodes) {
    const Cells cells = cells_of(run.data(), Stage::search);
    const std::string name = only_network(cells, network);
    const NetworkParameters messages = run.network_parameters();
    const std::optional<Prediction> model = Prediction::of(cells, name, shape_of(run.data(), messages, name));
    if (!model) {
        throw failure("cannot fit a model of network '" + name +
                      "': no measured algorithm there has a cost model; try: changeover run");
    }
    CalibratedPlatform platform;
    SimulatedMachine& machine = platform.machine;
    machine.parameters = model->fit().parameters;
    const models::Contention& contention = machine.parameters.contention;
    set_link(machine.parameters.between, find_link(messages, name, Link::between_nodes),
             contention.message_between_seconds);
    set_link(machine.parameters.within, find_link(messages, name, Link::within_node),
             contention.message_within_seconds);
    const double per_byte = machine.parameters.between.segments.back().seconds_per_byte;
    if (!(per_byte > 0)) {
        throw failure("the run does not determine the bandwidth of network '" + name +
                      "' between nodes; measure a layout of several nodes with larger messages");
    }
    // what the links of the platform do is theirs; sharing them is what SimGrid computes
    platform.topology.bytes_per_second = 1 / per_byte;
    platform.topology.latency_seconds = 0;
    machine.parameters.contention.has_streams = false;
    machine.parameters.contention.stream_seconds_per_byte = 0;
    set_overheads(machine, find_link(messages, name, Link::between_nodes));
    machine.noise = noise_of(run.data(), name);
    platform.topology.nodes = nodes > 0 ? nodes : static_cast<int>(run.cluster().hosts.size());
    return platform;
}

}  // namespace tuner
