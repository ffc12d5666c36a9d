// SPDX-License-Identifier: MIT
#include "calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "planned_collective.hpp"
#include "simulation.hpp"
#include "statistics.hpp"
#include "tails.hpp"

namespace tuner {

namespace {

constexpr std::size_t fewest_samples = 10;
constexpr std::size_t eager_limit_of_ch3 = 128 * 1024;
constexpr double far_out = 3;  // times the median

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : models::median(values);
}

// Messages of two ranks say more of a link than all collectives
void set_link(models::LinkCosts& link, const LinkParameters* measured) {
    if (measured == nullptr || measured->log_gp.size() != link.segments.size()) {
        return;
    }
    for (std::size_t i = 0; i < link.segments.size(); ++i) {
        const models::LogGpSegment& of = measured->log_gp[i];
        link.segments[i].latency_seconds =
            of.latency_seconds.value + of.send_overhead_seconds.value + of.receive_overhead_seconds.value;
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

// Where short messages pass a rate limit in a burst, that looks like a protocol of its own
void set_protocols_of_ch3(models::LinkCosts& link) {
    const models::ProtocolSegment first = link.segments.front();
    const models::ProtocolSegment last = link.segments.back();
    link.segments = {{eager_limit_of_ch3, first.latency_seconds, last.seconds_per_byte},
                     {models::LinkCosts::no_end, last.latency_seconds, last.seconds_per_byte}};
}

// Of a job whose nodes are one machine; nullptr: there was none
const Json* header_of_one_machine(const RunData& run) {
    const auto found = std::find_if(run.events.begin(), run.events.end(), [](const Json& event) {
        return event.at("event") == "job_header" && event.at("header").value("machines", 0) == 1 &&
               event.at("header").value("nodes", Json::array()).size() > 1;
    });
    return found == run.events.end() ? nullptr : &found->at("header");
}

// The ranks share the cores of one machine, and their network is limited by its kernel. These are values to
// start from; a simulation finds better ones.
void set_shared_cores(SimulatedMachine& machine, const Json& of) {
    machine.cores.count = of.value("cores", 1);
    machine.cores.dispatch_seconds = 5e-6;
    machine.cores.wake_seconds = 5e-6;
    machine.cores.between_seconds = 5e-6;
    machine.cores.between_seconds_per_byte = 1e-9;
    machine.cores.within_seconds_per_byte = 1e-9;
    machine.burst_bytes = 3000;  // two frames
    machine.starts_after_barrier = of.value("start", "").find("barrier") != std::string::npos;
    // Jobs of one size cannot tell this from the rest. Of poll, by the processor's time of calls that block,
    // with 1, 8 and 64 connections on a Neoverse-V1: 3.8, 4.8 and 14.8 us.
    machine.cores.peer_seconds = of.value("device", "") == "ch3:sock" ? 0.17e-6 : 0;
    machine.parameters.between.gap_seconds = std::max(machine.parameters.between.gap_seconds, 1e-6);
    if (of.value("device", "").starts_with("ch3")) {
        set_protocols_of_ch3(machine.parameters.between);
        set_protocols_of_ch3(machine.parameters.within);
    }
}

// Those that can be simulated
std::vector<Json> lines_of(const Prediction& model) {
    std::vector<Json> lines;
    for (const Prediction::Explained& time : model.explained()) {
        const PlannedCollective collective = planned(known_collective(time.cell.collective), time.bytes);
        if (is_for_rules(time.cell) &&
            models::find_algorithm(models::modelled_as(collective.name), time.algorithm) != nullptr) {
            lines.push_back({{"layout", layout_argument(time.cell.layout)},
                             {"collective", collective.name},
                             {"algorithm", time.algorithm},
                             {"bytes", time.bytes},
                             {"element_bytes", element_bytes(collective)},
                             {"seconds", time.measured_seconds}});
        }
    }
    return lines;
}

// Asks changeover-sim for parameters with which its times are like those measured; throws an Error if it was
// not built
void refine(CalibratedPlatform& platform, const Prediction& model, const std::vector<Json>& lines,
            Progress& progress) {
    Topology measured = platform.topology;
    for (const Prediction::Explained& time : model.explained()) {
        measured.nodes = std::max(measured.nodes, time.cell.layout.nodes);
    }
    const TemporaryPlatform file(platform_xml(measured, platform.machine));
    Simulation simulation(file.path(), {"--calibrate"});
    for (const Json& line : lines) {
        simulation.send(line);
    }
    simulation.end_of_lines();
    const auto start = Clock::now();
    Json line = simulation.next();
    for (; line.at("type") == "progress"; line = simulation.next()) {
        const double step = line.at("step").get<double>();
        const std::chrono::duration<double> spent = Clock::now() - start;
        progress.show({lines.size(), spent.count() * (line.at("of").get<double>() / step - 1),
                       fmt::format("calibrating, step {:.0f}", step)});
    }
    progress.clear();
    const Noise noise = platform.machine.noise;
    platform.machine = machine_from(line.at("properties").get<Properties>(), file.path());
    platform.machine.noise = noise;
    platform.topology.bytes_per_second =
        1 / platform.machine.parameters.between.segments.back().seconds_per_byte;
    platform.simulated_times = line.at("simulated").get<std::size_t>();
    platform.median_error = line.at("median_error").get<double>();
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

CalibratedPlatform calibrated_from(const SavedRun& run, const std::string& network, int nodes,
                                   Progress& progress) {
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
    set_link(machine.parameters.between, find_link(messages, name, Link::between_nodes));
    set_link(machine.parameters.within, find_link(messages, name, Link::within_node));
    const double per_byte = machine.parameters.between.segments.back().seconds_per_byte;
    if (!(per_byte > 0)) {
        throw failure("the run does not determine the bandwidth of network '" + name +
                      "' between nodes; measure a layout of several nodes with larger messages");
    }
    // what the links of the platform do is theirs; sharing them is what SimGrid computes
    platform.topology.bytes_per_second = 1 / per_byte;
    platform.topology.latency_seconds = 0;
    machine.parameters.contention = {};
    set_overheads(machine, find_link(messages, name, Link::between_nodes));
    machine.noise = noise_of(run.data(), name);
    platform.topology.nodes = nodes > 0 ? nodes : static_cast<int>(run.cluster().hosts.size());
    const std::vector<Json> lines = lines_of(*model);
    if (const Json* header = header_of_one_machine(run.data()); header != nullptr && !lines.empty()) {
        set_shared_cores(machine, *header);
        refine(platform, *model, lines, progress);
    }
    return platform;
}

}  // namespace tuner
