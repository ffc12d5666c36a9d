// SPDX-License-Identifier: MIT
// Times by the cost model, also for another latency, bandwidth, number of nodes or ranks.
#include <memory>
#include <set>

#include "commands.hpp"
#include "error.hpp"
#include "output.hpp"
#include "prediction.hpp"
#include "saved_run.hpp"
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
    std::vector<std::string> settings;  // NAME=VALUE
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

void print_times(Prediction& prediction, const Options& o, const Layout& layout) {
    for (const std::string& size : o.bytes) {
        print_data("\n{} {} {}\n", o.collective, to_string(layout), size);
        const auto predicted = prediction.predict(o.collective, layout, parse_bytes(size));
        if (predicted.empty()) {
            throw usage_error("there is no cost model of '" + o.collective + "'");
        }
        for (const Prediction::Predicted& p : predicted) {
            print_data("  {:<40} {:>10}\n", p.algorithm, seconds_text(p.seconds));
        }
    }
}

void predict(const Options& o) {
    const SavedRun run(o.folder);
    const Cells cells = cells_of(run.data(), Stage::search);
    const std::string network = only_network(cells, o.network);
    NetworkParameters messages = run.network_parameters();
    std::optional<Prediction> prediction =
        Prediction::of(cells, network, shape_of(run.data(), messages, network));
    if (!prediction) {
        throw failure("cannot fit a model of network '" + network +
                      "': no measured algorithm there has a cost model; try: changeover run");
    }
    print_data("network {}\n{}", network, parameters_table(prediction->fit()));
    std::erase_if(messages, [&](const LinkParameters& link) { return link.network != network; });
    if (!messages.empty()) {
        print_data("\nmessages of two ranks, as measured\n{}", parameters_table(messages));
    }
    for (const std::string& setting : o.settings) {
        set_parameter(prediction->parameters(), setting);
        print_data("with {}\n", setting);
    }
    for (const Layout& layout : layouts_for(o, cells, network)) {
        print_times(*prediction, o, layout);
    }
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
        .add_option("--set", o->settings,
                    "set a parameter of the model, such as between.latency=90us or between.byte=1ns")
        ->delimiter(',');
    command.callback([o] { predict(*o); });
}

}  // namespace tuner::commands
