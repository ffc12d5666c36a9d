// SPDX-License-Identifier: MIT
#include "what_if.hpp"

#include <fmt/core.h>

#include <set>

#include "error.hpp"
#include "network_parameters.hpp"
#include "prediction.hpp"
#include "units.hpp"

namespace tuner {

namespace {

void set_parameter(models::Parameters& parameters, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
        throw wrong_use("--set " + setting + ": no '='; try: --set between.latency=90us");
    }
    const std::string name = setting.substr(0, equals);
    try {
        parameters.at(name) = parse_seconds(setting.substr(equals + 1));
    } catch (const std::out_of_range&) {
        throw wrong_use("--set " + setting + ": there is no parameter '" + name + "'" +
                        suggestion(name, parameters.names()));
    }
}

}  // namespace

void print_what_if(const WhatIf& what_if) {
    RunData run = load_run(what_if.folder);
    forget_stale(run);
    const Cells cells = cells_of(run, "search");
    const std::string network = only_network(cells, what_if.network);
    std::optional<Prediction> fitted =
        Prediction::of(cells, network, shape_of(run, load_network_parameters(what_if.folder), network));
    if (!fitted) {
        throw failure("cannot fit a model of network '" + network +
                      "': nothing was measured there that a model knows; try: changeover run");
    }
    Prediction& prediction = *fitted;
    fmt::print("network {}\n{}", network, parameters_table(prediction.fit()));
    NetworkParameters messages = load_network_parameters(what_if.folder);
    std::erase_if(messages, [&](const LinkParameters& link) { return link.network != network; });
    if (!messages.empty()) {
        fmt::print("\nmessages of two ranks, as measured\n{}", parameters_table(messages));
    }
    for (const std::string& setting : what_if.settings) {
        set_parameter(prediction.parameters(), setting);
        fmt::print("with {}\n", setting);
    }
    std::set<Layout> layouts;
    for (const auto& [key, cell] : cells) {
        if (key.network == network) {
            layouts.insert(key.layout);
        }
    }
    if (!what_if.layout.empty()) {
        layouts = {parse_layout(what_if.layout)};
    }
    for (const Layout& layout : layouts) {
        for (const std::string& size : what_if.bytes) {
            fmt::print("\n{} {} {}\n", what_if.collective, to_string(layout), size);
            const auto predicted = prediction.predict(what_if.collective, layout, parse_bytes(size));
            if (predicted.empty()) {
                throw wrong_use("there is no model of '" + what_if.collective + "'");
            }
            for (const Prediction::Predicted& p : predicted) {
                fmt::print("  {:<40} {:>10}\n", p.algorithm, seconds_text(p.seconds));
            }
        }
    }
}

}  // namespace tuner
