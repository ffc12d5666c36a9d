// SPDX-License-Identifier: MIT
#include "prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "error.hpp"

namespace tuner {

namespace {

// The implementation that has most of the measured algorithms: a cell does not name its library, but the
// names of its algorithms do
models::Implementation implementation_of(const Cells& cells, const std::string& network) {
    long more_in_openmpi = 0;
    bool is_patched = false;
    for (const auto& [key, cell] : cells) {
        if (key.network != network) {
            continue;
        }
        for (const auto& [bytes, times] : cell.times) {
            for (const auto& [name, time] : times) {
                const auto is_in = [&, &algorithm = name](models::Implementation implementation) {
                    return models::find_algorithm(key.collective, algorithm, implementation) != nullptr;
                };
                more_in_openmpi +=
                    is_in(models::Implementation::openmpi) - is_in(models::Implementation::mpich);
                is_patched |= models::is_composition(key.collective, name);
            }
        }
    }
    return more_in_openmpi > 0 ? models::Implementation::openmpi
           : is_patched        ? models::Implementation::mpich
                               : models::Implementation::stock_mpich;
}

// Empty if one algorithm on one layout is all that was measured
std::vector<HeldOutError> held_out_errors_of(const Prediction& prediction,
                                             const std::vector<models::Observation>& observations) {
    const std::vector<double>& residuals = prediction.fit().fit.held_out_residuals;
    std::vector<HeldOutError> errors;
    for (std::size_t i = 0; i < residuals.size(); ++i) {
        errors.push_back({prediction.explained()[i].cell.collective, observations[i].cluster, residuals[i]});
    }
    return errors;
}

}  // namespace

std::optional<Prediction> Prediction::of(const Cells& cells, const std::string& network,
                                         const models::Parameters& shape, View view) {
    Prediction prediction;
    prediction.view_ = view;
    prediction.implementation_ = implementation_of(cells, network);
    std::vector<models::Observation> observations;
    std::map<std::tuple<std::string, std::string, Layout>, std::size_t> clusters;
    for (const auto& [key, cell] : cells) {
        if (key.network != network) {
            continue;
        }
        models::CostTable& table = prediction.table_of(key.layout);
        for (const auto& [bytes, times] : cell.times) {
            for (const auto& [name, time] : times) {
                const models::Algorithm* algorithm =
                    models::find_algorithm(key.collective, name, prediction.implementation_);
                const models::Call call{&table.layout(), bytes};
                if (algorithm != nullptr && bytes > 0 && models::is_allowed(*algorithm, call)) {
                    const auto cluster =
                        clusters.try_emplace({key.collective, name, key.layout}, clusters.size()).first;
                    observations.push_back({&table.profile_of(*algorithm, call), static_cast<double>(bytes),
                                            time.time.median_seconds, algorithm->name, cluster->second});
                    prediction.explained_.push_back({key, bytes, name, time.time.median_seconds, 0, true});
                }
            }
        }
    }
    if (observations.empty()) {
        return std::nullopt;
    }
    models::NetworkFit& fit = prediction.fit_;
    fit = models::fit_network(observations, shape);
    for (std::size_t i = 0; i < prediction.explained_.size(); ++i) {
        Explained& explained = prediction.explained_[i];
        explained.predicted_seconds = explained.measured_seconds / std::exp(fit.fit.residuals[i]);
    }
    prediction.error_ = PredictionError(held_out_errors_of(prediction, observations));
    for (const std::size_t i : fit.unexplained) {
        prediction.explained_[i].is_explained = false;
    }
    return prediction;
}

models::CostTable& Prediction::table_of(const Layout& layout) {
    std::unique_ptr<models::CostTable>& table = tables_[layout];
    if (!table) {
        table = std::make_unique<models::CostTable>(placement_of(
            view_ == View::nodes_and_ranks ? layout : Layout{layout.ranks(), 1, layout.mapping}));
    }
    return *table;
}

std::optional<double> Prediction::seconds(const std::string& collective, const std::string& algorithm,
                                          const Layout& layout, std::size_t bytes) {
    models::CostTable& table = table_of(layout);
    const models::Call call{&table.layout(), bytes};
    const models::Algorithm* model = models::find_algorithm(collective, algorithm, implementation_);
    if (model == nullptr || !models::is_allowed(*model, call)) {
        return std::nullopt;
    }
    return table.seconds(*model, call, fit_.parameters);
}

std::vector<Prediction::Predicted> Prediction::predict(const std::string& collective, const Layout& layout,
                                                       std::size_t bytes) {
    models::CostTable& table = table_of(layout);
    const models::Call call{&table.layout(), bytes};
    std::vector<Predicted> result;
    for (const models::Algorithm& algorithm : models::algorithms(implementation_)) {
        if (algorithm.collective == collective && models::is_allowed(algorithm, call)) {
            const double seconds = table.seconds(algorithm, call, fit_.parameters);
            result.push_back({std::string(algorithm.name), seconds, error_.interval(collective, seconds)});
        }
    }
    std::sort(result.begin(), result.end(),
              [](const Predicted& x, const Predicted& y) { return x.seconds < y.seconds; });
    return result;
}

std::vector<std::string> Prediction::collectives() const {
    std::set<std::string> names;
    for (const models::Algorithm& algorithm : models::algorithms(implementation_)) {
        names.emplace(algorithm.collective);
    }
    return {names.begin(), names.end()};
}

std::string only_network(const Cells& cells, const std::string& wanted) {
    std::set<std::string> names;
    for (const auto& [key, cell] : cells) {
        names.insert(key.network);
    }
    if (names.empty()) {
        throw failure("nothing was measured in this run; try: changeover run --run DIR");
    }
    if (wanted.empty() && names.size() == 1) {
        return *names.begin();
    }
    if (!names.contains(wanted)) {
        throw usage_error(wanted.empty()
                              ? fmt::format("the run has several networks; name one with --network: {}",
                                            fmt::join(names, ", "))
                              : "the run has no network '" + wanted + "'; " +
                                    suggestion(wanted, {names.begin(), names.end()}));
    }
    return wanted;
}

models::Parameters shape_of(const RunData& run, const NetworkParameters& measured,
                            const std::string& network) {
    // TCP's first ten segments need no acknowledgement (RFC 6928), of 1448 bytes each on Ethernet. In the lab
    // exchanges are at full duplex up to about this size; see models/README.md.
    constexpr double initial_window_bytes = 10 * 1448;
    models::Parameters shape;
    shape.between.free_opposite_bytes = initial_window_bytes;
    shape.contention.has_streams = true;
    for (const Json& event : run.events) {
        if (event.at("event") == "job_header" && event.at("header").value("machines", 0) == 1) {
            shape.contention.has_one_machine = true;
        }
    }
    for (const auto& [link, segments] : {std::pair(Link::between_nodes, &shape.between.segments),
                                         std::pair(Link::within_node, &shape.within.segments)}) {
        if (const LinkParameters* found = find_link(measured, network, link)) {
            segments->clear();
            for (const models::LogGpSegment& segment : found->log_gp) {
                segments->push_back({static_cast<std::size_t>(segment.to_bytes)});
            }
            segments->back().up_to_bytes = models::LinkCosts::no_end;
        }
    }
    return shape;
}

Shapes shapes_of(const Cells& cells, const RunData& run, const NetworkParameters& measured) {
    Shapes shapes;
    for (const auto& [key, cell] : cells) {
        shapes.try_emplace(key.network, shape_of(run, measured, key.network));
    }
    return shapes;
}

bool is_time_parameter(const std::string& name) {
    constexpr const char* names_of_times[] = {"latency", "gap", "message"};
    return std::any_of(std::begin(names_of_times), std::end(names_of_times),
                       [&](const char* part) { return name.find(part) != name.npos; });
}

std::string parameters_table(const models::NetworkFit& fit) {
    std::string text = fmt::format("{:<20} {:>12} {:>26}\n", "parameter", "value", "95% interval");
    for (const models::FittedParameter& p : fit.fit.parameters) {
        const bool is_time = is_time_parameter(p.name);
        const double scale = is_time ? 1e6 : 1e9;
        const char* unit = is_time ? "us" : "ns/byte";
        text += p.determined == models::Determined::unknown
                    ? fmt::format("{:<20} {:>12}\n", p.name, "unknown")
                    : fmt::format(
                          "{:<20} {:>12} {:>26}\n", p.name, fmt::format("{:.3g} {}", scale * p.value, unit),
                          fmt::format("{:.3g} to {:.3g}", scale * p.interval.low, scale * p.interval.high));
    }
    for (const models::AlgorithmResidual& residual : fit.by_algorithm) {
        text += fmt::format("{:<40} {:>4} times, median error {:.0f}%\n", residual.algorithm,
                            residual.observations, 100 * residual.median_error);
    }
    return text;
}

std::string typical_error_text(const PredictionError& error) {
    return error.clusters() < 2
               ? ""
               : fmt::format(
                     "typical error of the model: {:.0f}% (each of {} algorithms and layouts predicted "
                     "by a fit without its times)\n",
                     100 * error.typical(), error.clusters());
}

}  // namespace tuner
