// SPDX-License-Identifier: MIT
// One side of a comparison: a network of a run, with everything of it that is compared.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare.hpp"

namespace tuner {

struct ComparedRun {
    std::string folder;
    RunData data;
    Cells cells;
    std::optional<Config> config;
    NetworkParameters parameters;
    std::vector<std::string> networks;
};

ComparedRun load_compared_run(const std::string& folder);
// Throws an Error that lists them
const std::string& known_network(const ComparedRun& run, const std::string& name);

using RecordsByAlgorithm = std::map<std::string, std::vector<const CaseRecord*>>;
using RecordsBySize = std::map<std::size_t, RecordsByAlgorithm>;

// A network of a run, with cells that are named without it
struct MeasuredNetwork {
    ComparedSide about;
    Conditions conditions;
    std::map<CellKey, Cell> cells;
    std::map<CellKey, RecordsBySize> records;
    std::map<Layout, KernelCounters> counters;
    NetworkParameters parameters;
    ExchangeCurves exchanges;
    std::optional<Config> config;
    double loss_bound = 0;
};

MeasuredNetwork network_of(const ComparedRun& run, const std::string& network);

}  // namespace tuner
