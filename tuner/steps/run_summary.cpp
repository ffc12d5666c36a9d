// SPDX-License-Identifier: MIT
#include "run_summary.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <set>

#include "arrival_flips.hpp"
#include "command.hpp"
#include "error.hpp"
#include "exchange_headlines.hpp"
#include "network_changes.hpp"
#include "output.hpp"
#include "proofs.hpp"
#include "run_state.hpp"
#include "stage_costs.hpp"
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

// With what was found stale since: it took time, too
std::string costs_text(const std::string& folder) {
    const std::string table = costs_table(stage_costs(load_run(folder)));
    return table.empty() ? "" : "\nTime of all jobs, by stage:\n" + table;
}

// What is missing before jobs can use the rules; nothing can be verified in a combination
void print_state(const SavedRun& run) {
    const std::string note = state_note(run_state(run.files(), run.data()), run.files());
    if (!note.empty() && !is_combination(run.data().manifest)) {
        print_note("Note: {}\n", note);
    }
}

}  // namespace

void print_summary(const std::string& folder) {
    const SavedRun run(folder);
    const ExchangeCurves exchanges = exchange_curves(run.data());
    const std::optional<Config> config = config_of(run.files());
    if (config) {
        print_data("{}", summary_text(*config, proofs_of(run.files()), costs_of(run.data()), folder));
    } else if (exchanges.empty()) {
        require_decided(run.files());
    }
    print_data("{}", to_text(arrival_flips(run.data())));
    print_data("{}", headlines_table(exchanges));
    for (const NetworkChange& change : network_changes(run.data())) {
        print_data("\nNote: {}\n", to_string(change));
    }
    print_data("{}", networks_text(run.data(), run.network_parameters()));
    print_data("{}", costs_text(folder));
    std::fflush(stdout);  // before what is printed on standard error
    if (config) {
        print_state(run);
    }
}

}  // namespace tuner::commands
