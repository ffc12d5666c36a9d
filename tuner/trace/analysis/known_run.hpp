// SPDX-License-Identifier: MIT
// What a tuned run knows about the calls and messages of a trace: times, rules, and the model of the network.
#pragma once

#include <optional>

#include "config.hpp"
#include "prediction.hpp"

namespace tuner::trace {

struct KnownRun {
    std::string network;
    Cells cells;
    Config config;  // no rules if the run has none (yet)
    std::optional<Prediction> prediction;
    bool has_arrivals = false;  // measured with ranks that arrive as in a program, or in a mix of patterns

    // Empty name: the only network. `rules`: a configuration in place of that of the run; empty: its own.
    // Throws an Error.
    KnownRun(const std::string& folder, const std::string& network_name, const std::string& rules = "");
};

}  // namespace tuner::trace
