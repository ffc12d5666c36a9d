// SPDX-License-Identifier: MIT
// From measured times to rules. The library's default is always a candidate and wins ties: a rule needs an
// algorithm that is faster, repetition by repetition, beyond the interval of the ratio and by more than the
// loss bound.
#pragma once

#include "config.hpp"
#include "plan.hpp"
#include "prediction.hpp"
#include "range_rules.hpp"

namespace tuner {

// Where a rule of one layout was measured. A rule for a range has none: std::logic_error.
CellKey cell_of(const Rule& rule);
// Where a rule is measured on one of its layouts
CellKey cell_at(const Rule& rule, const Layout& layout);

// Relative to the default, so that what disturbed both does not count. What the default itself ran is no
// other algorithm, though it was measured by its name, too.
models::MeasuredSize time_against_default(const std::string& algorithm, const CellTime& time,
                                          const CellTime& own);

// Rules of one cell, in the order of their sizes, within the measured sizes. Smaller sizes are left to the
// library, except those below 8 bytes if 8 bytes or less were measured.
std::vector<Rule> rules_of(const CellKey& key, const Cell& cell, double loss_bound);

// What rules come from: the algorithm of each range of sizes, the library's default among them
struct ChosenRange {
    std::string algorithm;
    std::vector<std::string> used;  // as reported by the library, each once; of the default, what it chose
    double changeover_bytes = 0;    // where it takes over from the range before; 0 for the first range
    models::Interval from_interval = {0, 0};
};
std::string to_string(const ChosenRange& range);  // its algorithm; default (binomial, ring) for the default
std::vector<ChosenRange> ranges_of(const Cell& cell, double loss_bound);

// Rules of all cells, and beyond their largest sizes by the model that `fit` and `predict` show: `shapes`
// comes from shapes_of and has every network of the cells. Small gaps are closed (small_gaps.hpp). The caller
// sets `created`, `run`, `library` and `fingerprint`.
// With an extent, also for layouts of the cluster that were not measured (range_rules.hpp).
Config decide(const Cells& cells, double loss_bound, const Shapes& shapes, std::optional<Extent> extent = {});

}  // namespace tuner
