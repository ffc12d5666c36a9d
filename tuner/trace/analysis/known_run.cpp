// SPDX-License-Identifier: MIT
#include "known_run.hpp"

namespace tuner::trace {

KnownRun::KnownRun(const std::string& folder, const std::string& network_name, const std::string& rules) {
    const SavedRun run(folder);
    cells = cells_of(run.data(), Stage::search);
    network = only_network(cells, network_name);
    prediction = Prediction::of(cells, network, shape_of(run.data(), run.network_parameters(), network));
    config = rules.empty() ? config_of(run.files()).value_or(Config{}) : read_config(rules);
    has_arrivals = !run.plan().mix.empty();
}

}  // namespace tuner::trace
