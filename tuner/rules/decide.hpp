// SPDX-License-Identifier: MIT
// From measured times to rules. The library's default is always a candidate and wins ties: a rule needs an
// algorithm that is faster beyond the intervals of both medians and by more than the loss bound.
#pragma once

#include "config.hpp"
#include "plan.hpp"

namespace tuner {

// Where a rule was measured
CellKey cell_of(const Rule& rule);

// Rules of one cell, by size, for what was measured. Smaller sizes are left to the library, except those
// below 8 bytes if that was measured.
std::vector<Rule> rules_of(const CellKey& key, const Cell& cell, double loss_bound);

// What rules come from: the algorithm of each range of sizes, the library's default among them
struct ChosenRange {
    std::string algorithm;
    std::vector<std::string>
        used;               // by the library's word, without repetition; of the default, what it chose
    double from_bytes = 0;  // where it takes over from the range before; the first one has no such size
    models::Interval from_interval = {0, 0};
};
std::string to_string(const ChosenRange& range);  // its algorithm; default (binomial, ring) for the default
std::vector<ChosenRange> ranges_of(const Cell& cell, double loss_bound);

// Of all cells, and beyond their largest sizes by the model; `created`, `run`, `library` and `fingerprint`
// are the caller's.
Config decide(const Cells& cells, double loss_bound);

}  // namespace tuner
