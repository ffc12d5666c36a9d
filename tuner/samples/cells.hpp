// SPDX-License-Identifier: MIT
// What was measured, as medians with their intervals: the samples of a run, grouped into cells (network,
// layout, collective, operation), each with its sizes and algorithms.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "changeover_points.hpp"
#include "comparison.hpp"
#include "journal.hpp"

namespace tuner {

inline const std::string default_algorithm = "default";  // what the library chooses by itself

// What a set of rules is for
struct CellKey {
    std::string network;
    Layout layout;
    std::string collective;
    std::string operation;  // empty: the collective has none
    auto operator<=>(const CellKey&) const = default;
};
// Rules are for built-in operations, measured with this one. Other operations are measured for information
// only: a rule of MPICH can tell built-in operations from others, but not how costly the user's function is.
inline constexpr const char* operation_of_rules = "sum";
inline bool is_for_rules(const CellKey& key) {
    return key.operation.empty() || key.operation == operation_of_rules;
}

struct CellTime {
    models::MeasuredSize time;
    std::size_t samples = 0;
    std::size_t groups = 0;    // how often it was measured, as far as it counts
    std::size_t attempts = 0;  // how often it was asked for, failures included
    std::size_t together = 0;  // groups in which the default was measured, too
    std::string used;          // by the library's word; of `default`, what it chose
    models::ResultBits bits;   // of a reduction, if they were looked at
    bool is_decided = false;   // in a race: no more repetitions were needed
    // Default / this algorithm, repetition by repetition as far as both were measured together: the machine
    // may have been slower while only one of them was. With an interval of 99%; nothing: they were not
    // measured together.
    std::optional<models::Ratio> gain;
};

using Times = std::map<std::string, CellTime>;  // of one size, by algorithm

struct Cell {
    std::map<std::size_t, Times> times;  // by size; only what was measured
    // what could not be measured, with the reason, by size and algorithm
    std::map<std::size_t, std::map<std::string, std::string>> missing;
};

using Cells = std::map<CellKey, Cell>;

// The time of an algorithm that ran, be it that the library chose it; nullptr if it did not run at this size.
// That of the default also if the algorithm itself left a race, since both need not run on.
const CellTime* time_of(const Times& times, const std::string& algorithm);

// Of the cases of one stage (search or verify). Several groups of one case: all samples together, but without
// what was measured apart from the default if there are others.
Cells cells_of(const RunData& run, Stage stage);
Cell cell_of(const RunData& run, Stage stage, const CellKey& key);

}  // namespace tuner
