// SPDX-License-Identifier: MIT
// Times by the cost model with their prediction intervals, also for another latency, bandwidth, number of
// nodes or ranks.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <set>

#include "command.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "network_changes.hpp"
#include "output.hpp"
#include "prediction.hpp"
#include "saved_run.hpp"
#include "simulated_prediction.hpp"
#include "units.hpp"
#include "what_if.hpp"

namespace tuner::commands {

namespace {

struct Options {
    std::string folder = default_run;
    std::string network;  // empty: the only one
    std::string collective = "bcast";
    std::string layout;  // empty: those that were measured
    std::vector<std::string> bytes = {"1Ki", "16Ki", "256Ki"};
    std::vector<std::string> scales;    // PROPERTY=FACTOR
    std::vector<std::string> settings;  // NAME=VALUE
    std::string engine = "model";
    std::string format = "text";
};

std::set<Layout> layouts_for(const Options& o, const Cells& cells, const std::string& network) {
    if (!o.layout.empty()) {
        return {parse_layout(o.layout)};
    }
    std::set<Layout> layouts;
    for (const auto& [key, cell] : cells) {
        if (key.network == network) {
            layouts.insert(key.layout);
        }
    }
    return layouts;
}

// What one layout and size would take
struct PredictedCall {
    Layout layout;
    std::string size;  // as given
    std::vector<Prediction::Predicted> times;
    std::vector<SimulatedTime> simulated = {};  // with --engine simgrid
};

struct Predictions {
    std::string network;
    Prediction model;
    NetworkParameters messages;          // of two ranks, as measured
    std::vector<NetworkChange> changes;  // since when it is measured
    std::vector<PredictedCall> calls;
};

std::string interval_text(const models::Interval& interval) {
    return std::isfinite(interval.high) ? seconds_text(interval.low) + " to " + seconds_text(interval.high)
                                        : "unknown";
}

std::string to_text(const Predictions& predictions, const Options& o) {
    std::string text = "network " + predictions.network + "\n";
    for (const NetworkChange& change : predictions.changes) {
        text += to_string(change) + "\n";
    }
    text += parameters_table(predictions.model.fit());
    text += typical_error_text(predictions.model.error());
    if (!predictions.messages.empty()) {
        text += "\nmessages of two ranks, as measured\n" + parameters_table(predictions.messages);
    }
    for (const std::string& setting : o.scales) {
        text += "with " + setting + " times as much\n";
    }
    for (const std::string& setting : o.settings) {
        text += "with " + setting + "\n";
    }
    for (const PredictedCall& call : predictions.calls) {
        text += fmt::format("\n{:<42} {:>10}   95% of measured times\n",
                            o.collective + " " + to_string(call.layout) + " " + call.size, "time");
        for (const Prediction::Predicted& p : call.times) {
            text += fmt::format("  {:<40} {:>10}   {}\n", p.algorithm, seconds_text(p.seconds),
                                interval_text(p.interval));
        }
        if (!call.simulated.empty()) {
            text += "  simulated by SimGrid, with contention for shared links\n";
        }
        for (const SimulatedTime& p : call.simulated) {
            text += fmt::format("  {:<40} {:>10}\n", p.algorithm, seconds_text(p.seconds));
        }
    }
    return text;
}

Json json_of(const models::Interval& interval) {
    return std::isfinite(interval.high) ? Json{interval.low, interval.high} : Json();
}

Json to_json(const Predictions& predictions, const Options& o) {
    Json json = {{"network", predictions.network},
                 {"collective", o.collective},
                 {"settings", o.settings},
                 {"scales", o.scales},
                 {"typical_error", predictions.model.error().typical()},
                 {"parameters", Json::array()},
                 {"predictions", Json::array()}};
    for (const models::FittedParameter& p : predictions.model.fit().fit.parameters) {
        json["parameters"].push_back({{"name", p.name},
                                      {"value", p.value},
                                      {"interval", json_of(p.interval)},
                                      {"determined", models::to_string(p.determined)}});
    }
    for (const PredictedCall& call : predictions.calls) {
        Json times = Json::array();
        for (const Prediction::Predicted& p : call.times) {
            times.push_back({{"algorithm", p.algorithm},
                             {"seconds", p.seconds},
                             {"interval_seconds", json_of(p.interval)}});
        }
        json["predictions"].push_back({{"layout", to_string(call.layout)},
                                       {"bytes", parse_bytes(call.size)},
                                       {"times", std::move(times)}});
        for (const SimulatedTime& p : call.simulated) {
            json["predictions"].back()["simulated"].push_back(
                {{"algorithm", p.algorithm}, {"seconds", p.seconds}});
        }
    }
    return json;
}

std::vector<PredictedCall> calls_of(Prediction& model, const Options& o, const std::set<Layout>& layouts) {
    std::vector<PredictedCall> calls;
    for (const Layout& layout : layouts) {
        for (const std::string& size : o.bytes) {
            calls.push_back({layout, size, model.predict(o.collective, layout, parse_bytes(size))});
            if (calls.back().times.empty()) {
                throw usage_error("there is no cost model of '" + o.collective + "'; " +
                                  suggestion(o.collective, model.collectives()));
            }
        }
    }
    return calls;
}

// The same what-if questions, of the platform
void apply_settings(CalibratedPlatform& platform, const Options& o) {
    models::Parameters& parameters = platform.machine.parameters;
    for (const std::string& setting : o.scales) {
        scale_parameters(parameters, setting);
    }
    for (const std::string& setting : o.settings) {
        set_parameter(parameters, setting);
    }
    platform.topology.bytes_per_second = 1 / parameters.between.segments.back().seconds_per_byte;
}

void add_simulated(std::vector<PredictedCall>& calls, const CalibratedPlatform& platform,
                   const std::string& collective) {
    for (PredictedCall& call : calls) {
        call.simulated = simulated_times(platform, collective, call.layout, {parse_bytes(call.size)}).front();
    }
}

Predictions predict(const Options& o) {
    const SavedRun run(o.folder);
    const Cells cells = cells_of(run.data(), Stage::search);
    const std::string network = only_network(cells, o.network);
    NetworkParameters messages = run.network_parameters();
    std::optional<Prediction> model = Prediction::of(cells, network, shape_of(run.data(), messages, network));
    if (!model) {
        throw failure("cannot fit a model of network '" + network +
                      "': no measured algorithm there has a cost model; try: changeover run");
    }
    std::erase_if(messages, [&](const LinkParameters& link) { return link.network != network; });
    for (const std::string& setting : o.scales) {
        scale_parameters(model->parameters(), setting);
    }
    for (const std::string& setting : o.settings) {
        set_parameter(model->parameters(), setting);
    }
    std::vector<PredictedCall> calls = calls_of(*model, o, layouts_for(o, cells, network));
    if (o.engine == "simgrid") {
        Progress progress;
        CalibratedPlatform platform = calibrated_from(run, network, 0, progress);
        apply_settings(platform, o);
        add_simulated(calls, platform, o.collective);
    }
    std::vector<NetworkChange> changes = network_changes(run.data());
    std::erase_if(changes, [&](const NetworkChange& change) { return change.network != network; });
    return {network, std::move(*model), std::move(messages), std::move(changes), std::move(calls)};
}

}  // namespace

void define_predict(CLI::App& command, Invocation&) {
    const auto o = std::make_shared<Options>();
    add_run_option(command, o->folder);
    command.add_option("--network", o->network, "network of the run, if there are several");
    command.add_option("--collective", o->collective, "such as bcast")->capture_default_str();
    command.add_option("--layout", o->layout,
                       "nodes x ranks per node, such as 64x8 or 64x8:round-robin (default: those measured)");
    command.add_option("--bytes", o->bytes, "comma-separated message sizes")
        ->delimiter(',')
        ->capture_default_str();
    command
        .add_option("--scale", o->scales,
                    "another network, in terms of this one: between.bandwidth=4, between.latency=0.5, "
                    "between.message-rate, the same of within, processor")
        ->delimiter(',');
    command
        .add_option("--set", o->settings,
                    "set a parameter of the model, such as between.latency=90us or between.byte=1ns")
        ->delimiter(',');
    command
        .add_option("--engine", o->engine,
                    "model: the closed form; simgrid: also a simulation with contention")
        ->check(CLI::IsMember({"model", "simgrid"}))
        ->capture_default_str();
    add_format_option(command, o->format);
    command.footer(
        "The interval holds 95% of the times that would be measured, by the model's errors for algorithms "
        "and\n"
        "layouts that were left out of its fit. A parameter that is set counts as exact.");
    command.callback([o] {
        const Predictions predictions = predict(*o);
        print_data("{}",
                   o->format == "json" ? to_json(predictions, *o).dump(1) + "\n" : to_text(predictions, *o));
    });
}

}  // namespace tuner::commands
