// SPDX-License-Identifier: MIT
// The exchanges of a plan: where each is measured, and what to ask for next. As with all cases, the next
// question follows from the journal alone, so that an interrupted run resumes where it was.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner.hpp"

namespace tuner {

// Layouts of the cluster on which an exchange is measured: those of two ranks and local calls on one, as
// layout_for says, all others on each.
std::vector<Layout> layouts_of(const PlannedExchange& exchange, const Cluster& cluster);

std::vector<std::size_t> sizes_of(const PlannedExchange& exchange, double size_step);

// Nothing when all is known, or when the next size would take too long: all ways together at most
inline constexpr double longest_group_seconds = 8;
std::optional<Group> next_exchange_case(const RunData& run, const Plan& plan, const PlannedExchange& exchange,
                                        const std::string& network, const Layout& layout);

}  // namespace tuner
