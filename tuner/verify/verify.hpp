// SPDX-License-Identifier: MIT
// Proves rules: default against the rule's algorithm at sizes that were not used for deciding, in pairs,
// interleaved in one job. A rule that loses somewhere is narrowed, one that does not win is dropped, and what
// was changed is verified again.
#pragma once

#include <functional>

#include "comparison.hpp"
#include "config.hpp"
#include "plan.hpp"

namespace tuner {

constexpr double error_rate = 0.05;  // of a test, after correction
constexpr std::size_t size_granule =
    8;  // verified sizes are multiples of it, so that every datatype divides them

// One verified size
struct Proof {
    CellKey cell;
    std::size_t bytes = 0;
    std::string algorithm;
    models::Ratio ratio;  // default / tuned: above 1 is a gain
    double p_slower = 1;  // of: tuned is not slower than the default; small if it is slower
    double p_faster = 1;  // of: tuned is not faster
};

// Measures the algorithms at a size, the same number of repetitions each, interleaved. Empty samples: it
// could not be measured.
using MeasurePairs = std::function<std::vector<CaseRecord>(const CellKey& cell, std::size_t bytes,
                                                           const std::vector<std::string>& algorithms)>;

struct Verification {
    std::vector<Rule> rules;         // that hold, with their verified gain
    std::vector<Proof> proofs;       // of all sizes that were looked at, in order
    std::vector<std::string> notes;  // what was dropped or narrowed, and why
};

Verification verify(const Config& config, const Cells& cells, const Plan& plan, const MeasurePairs& measure);

// Default against the rule's algorithm at each of the sizes; without those that could not be measured
std::vector<Proof> prove(const Rule& rule, const std::vector<std::size_t>& sizes,
                         const MeasurePairs& measure);

// Sizes inside a rule that are not among the measured ones, at most `count`: near its ends and between.
std::vector<std::size_t> sizes_to_verify(const Rule& rule, const Cell& cell, std::size_t count);

std::string name_of(const Rule& rule);  // for people

// Rules after a look at their proofs: whole, narrowed, or gone. p-values are corrected for their number
// (Holm).
std::vector<Rule> judge(const Rule& rule, std::span<const Proof> proofs, std::vector<std::string>& notes);

}  // namespace tuner
