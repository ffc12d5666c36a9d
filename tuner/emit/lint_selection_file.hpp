// SPDX-License-Identifier: MIT
// Looks for what would end a job, or a call, in a selection file of an unpatched MPICH, which checks next to
// nothing.
#pragma once

#include <string>
#include <vector>

#include "lint.hpp"
#include "stock_target.hpp"

namespace tuner {

bool is_selection_file(const std::string& text);
std::vector<Finding> lint_selection_file(const std::string& text, const StockTarget& target);

}  // namespace tuner
