// SPDX-License-Identifier: MIT
// The cases of a run by what they are, collectives and exchanges alike, each with all of its repetitions:
// what distributions and combinations of runs are made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "journal.hpp"
#include "statistics.hpp"

namespace tuner {

struct CaseKey {
    Stage stage;  // search or exchange
    std::string network;
    Layout layout;
    std::string what;  // collective, with its operation; or the exchange's label in the plan
    std::string way;   // algorithm, or way to send; of overlap, also how it was measured
    std::size_t bytes = 0;
    auto operator<=>(const CaseKey&) const = default;
};
std::string to_string(const CaseKey& key);

struct MeasuredCase {
    CaseRecord about;  // without samples
    std::vector<double> sorted_seconds;
    models::Interval median_interval;  // 95%; wider if repetitions are like their neighbours
};

// Several groups of one case: all samples together. Of an overlap with several intervals between tests, the
// one that hides most.
std::map<CaseKey, MeasuredCase> measured_cases(const RunData& run);

}  // namespace tuner
