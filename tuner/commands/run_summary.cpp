// SPDX-License-Identifier: MIT
#include "run_summary.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <set>

#include "commands.hpp"
#include "error.hpp"
#include "exchange_headlines.hpp"
#include "proofs.hpp"
#include "summary.hpp"

namespace tuner::commands {

namespace {

// What was measured of each network, and what it was
std::string networks_text(const RunData& data, const NetworkParameters& parameters) {
    std::set<std::string> used;
    for (const CaseRecord& record : data.cases) {
        if (record.layout.nodes > 1 && (!record.device.empty() || !record.interface.empty())) {
            used.insert(fmt::format("{}: {}{}", record.network, record.device,
                                    record.interface.empty() ? "" : " on interface " + record.interface));
        }
    }
    std::string text = "\n";
    for (const std::string& line : used) {
        text += "Network " + line + "\n";
    }
    return parameters.empty()
               ? text
               : text + "Messages of two ranks (LogGP, 95% intervals):\n" + parameters_table(parameters);
}

Costs costs_of(const RunData& data) {
    Costs costs;
    for (const CaseRecord& record : data.cases) {
        costs.benchmark_seconds += record.seconds_spent;
        ++costs.cases;
    }
    return costs;
}

}  // namespace

void print_summary(const std::string& folder) {
    const SavedRun run(folder);
    const ExchangeCurves exchanges = exchange_curves(run.data());
    if (const std::optional<Config> config = config_of(run.files())) {
        fmt::print("{}", summary_text(*config, proofs_of(run.files()), costs_of(run.data()), folder));
    } else if (exchanges.empty()) {
        throw usage_error("the run in " + folder +
                          " has no configuration yet; try: changeover decide --run " + folder);
    }
    fmt::print("{}", headlines_table(exchanges));
    fmt::print("{}", networks_text(run.data(), run.network_parameters()));
    std::fflush(stdout);  // before what is printed on standard error
}

void define_summary(CLI::App& command, Invocation&) {
    const auto folder = std::make_shared<std::string>(default_run);
    add_run_option(command, *folder);
    command.callback([folder] { print_summary(*folder); });
}

}  // namespace tuner::commands
