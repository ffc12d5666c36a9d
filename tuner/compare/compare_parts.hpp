// SPDX-License-Identifier: MIT
// What is compared, by kind; compare.cpp puts it together.
#pragma once

#include <set>

#include "measured_network.hpp"

namespace tuner {

// A win needs both: the whole interval beyond the margin, and a test that holds for all sizes of the table
Winner winner_of(const models::Interval& interval, double p, double margin);

const char* to_string(Winner winner);     // A, B, or nothing
std::string name_of(const CellKey& key);  // for people: allreduce (sum) 4x2

ComparedCell compared_cell(const MeasuredNetwork& a, const MeasuredNetwork& b, const CellKey& key,
                           const Comparison& comparison);
void compare_messages(const MeasuredNetwork& a, const MeasuredNetwork& b, Comparison& comparison);
// `layouts`: those of the exchanges that both have are added
void compare_exchanges(const MeasuredNetwork& a, const MeasuredNetwork& b, Comparison& comparison,
                       std::set<Layout>& layouts);

}  // namespace tuner
