// SPDX-License-Identifier: MIT
// The parameters of the cost model of each network, and its errors at held-out sizes.
#include <memory>
#include <set>

#include "command.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "fit_quality.hpp"
#include "output.hpp"
#include "saved_run.hpp"

namespace tuner::commands {

namespace {

void print_fit(const std::string& folder) {
    const SavedRun run(folder);
    const NetworkParameters measured = run.network_parameters();
    const Cells cells = cells_of(run.data(), Stage::search);
    std::set<std::string> networks;
    for (const auto& [key, cell] : cells) {
        networks.insert(key.network);
    }
    if (networks.empty()) {
        throw failure("nothing was measured in " + folder + "; try: changeover run --run " +
                      shell_quoted(folder));
    }
    for (const std::string& network : networks) {
        const models::Parameters shape = shape_of(run.data(), measured, network);
        const std::optional<Prediction> fitted = Prediction::of(cells, network, shape);
        print_data("network {}\n{}", network,
                   fitted ? parameters_table(fitted->fit()) : "no measured algorithm has a cost model\n");
        if (fitted) {
            print_data("{}", typical_error_text(fitted->error()));
        }
        if (const std::string names = without_model(
                cells, network, fitted ? fitted->explained() : std::vector<Prediction::Explained>());
            !names.empty()) {
            print_data("without a cost model, chosen by measured times alone: {}\n", names);
        }
        print_data("{}", held_out_table(held_out_errors(cells, network, shape)));
    }
}

}  // namespace

void define_fit(CLI::App& command, Invocation&) {
    const auto folder = std::make_shared<std::string>(default_run);
    add_run_option(command, *folder);
    command.callback([folder] { print_fit(*folder); });
}

}  // namespace tuner::commands
