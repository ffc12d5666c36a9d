// SPDX-License-Identifier: MIT
// What dominates the critical paths of all calls: a node, a link between two nodes, or a rank.
#pragma once

#include <optional>

#include "analysis.hpp"

namespace tuner::trace {

std::optional<Critical> find_critical(const Matched& matched, const CriticalPaths& paths);

}  // namespace tuner::trace
