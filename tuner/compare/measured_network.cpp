// SPDX-License-Identifier: MIT
#include "measured_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "command.hpp"
#include "error.hpp"

namespace tuner {

namespace {

constexpr Stage stage = Stage::search;

}  // namespace

ComparedRun load_compared_run(const std::string& folder) {
    ComparedRun run;
    run.folder = folder;
    const SavedRun saved(folder);
    run.data = saved.data();
    run.cells = cells_of(run.data, stage);
    run.config = config_of(saved.files());
    run.parameters = saved.network_parameters();
    std::set<std::string> networks;
    for (const CaseRecord& record : run.data.cases) {
        if (record.stage == stage || record.stage == Stage::exchange) {
            networks.insert(record.network);
        }
    }
    run.networks.assign(networks.begin(), networks.end());
    if (networks.empty()) {
        throw usage_error(fmt::format("the run {} has no measured case; try: changeover run --run {}", folder,
                                      shell_quoted(folder)));
    }
    return run;
}

MeasuredNetwork network_of(const ComparedRun& run, const std::string& network) {
    MeasuredNetwork side;
    const Json& fingerprint = run.data.manifest.fingerprint;
    const bool is_simulated = fingerprint.is_object() && fingerprint.value("library", "") == "simulated";
    side.about = {run.folder, network, run.data.manifest.created, "none", is_simulated};
    side.conditions = conditions_of(run.data, network);
    side.counters = counters_of(run.data, network);
    side.parameters = run.parameters;
    side.config = run.config;
    side.loss_bound =
        run.data.manifest.plan.is_object() ? run.data.manifest.plan.value("loss_bound", 0.0) : 0;
    if (run.config) {
        const auto rules = std::count_if(run.config->rules.begin(), run.config->rules.end(),
                                         [&](const Rule& rule) { return rule.network == network; });
        side.about.config = fmt::format("{} rule{}, {}verified", rules, rules == 1 ? "" : "s",
                                        run.config->verified ? "" : "not ");
    }
    for (const auto& [key, cell] : run.cells) {
        if (key.network == network) {
            side.cells.emplace(CellKey{"", key.layout, key.collective, key.operation}, cell);
        }
    }
    for (const auto& [key, curve] : exchange_curves(run.data)) {
        if (key.network == network) {
            side.exchanges.emplace(ExchangeKey{"", key.layout, key.exchange, key.way}, curve);
        }
    }
    for (const CaseRecord& record : run.data.cases) {
        if (record.stage == stage && record.network == network && record.status == Status::measured &&
            !record.samples_seconds.empty()) {
            side.records[{"", record.layout, record.collective, record.operation}][record.bytes]
                        [record.algorithm]
                            .push_back(&record);
        }
    }
    return side;
}

const std::string& known_network(const ComparedRun& run, const std::string& name) {
    const auto found = std::find(run.networks.begin(), run.networks.end(), name);
    if (found == run.networks.end()) {
        throw usage_error(fmt::format("the run {} has no network '{}'; {}", run.folder, name,
                                      suggestion(name, run.networks)));
    }
    return *found;
}

}  // namespace tuner
