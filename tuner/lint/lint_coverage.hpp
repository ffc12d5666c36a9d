// SPDX-License-Identifier: MIT
// Which rules are never used, which hide parts of others, and what no rule is for.
#pragma once

#include "lint.hpp"

namespace tuner {

void check_overlaps(const std::vector<Rule>& rules, std::vector<Finding>& findings);
void check_coverage(const Config& config, std::vector<Finding>& findings);

}  // namespace tuner
