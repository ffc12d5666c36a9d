// SPDX-License-Identifier: MIT
#include "known_run.hpp"

#include <filesystem>

namespace tuner::trace {

KnownRun::KnownRun(const std::string& folder, const std::string& network_name) {
    RunData run = load_run(folder);
    forget_stale(run);
    cells = cells_of(run, "search");
    network = only_network(cells, network_name);
    prediction = Prediction::of(cells, network, shape_of(run, load_network_parameters(folder), network));
    if (const std::string file = folder + "/config.json"; std::filesystem::exists(file)) {
        config = read_config(file);
    }
}

}  // namespace tuner::trace
