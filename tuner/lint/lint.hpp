// SPDX-License-Identifier: MIT
// Looks for what is wrong or missing in a configuration or a tuning file, before a job meets it.
#pragma once

#include <string>
#include <vector>

#include "config.hpp"
#include "stock_target.hpp"

namespace tuner {

enum class Severity { note, warning, error };
const char* to_string(Severity severity);

struct Finding {
    Severity severity;
    std::string place;  // rules[3]; in a tuning file /mpir/3
    std::string problem;
    std::string remedy;
};

std::vector<Finding> lint(const Config& config);
std::vector<Finding> lint_tuning_file(const std::string& file);
// Of any of MPICH's layers; what would end a job, or a call, or give wrong results: MPICH checks next to
// nothing
std::vector<Finding> lint_selection_file(const std::string& text, const StockTarget& target);
bool is_selection_file(const std::string& text);
// Either of them, or a selection file for a release of MPICH (empty: the first one). A file that cannot be
// read is a finding, too.
std::vector<Finding> lint_file(const std::string& file, const std::string& target = {});

std::string to_text(const Finding& finding);
int exit_code(const std::vector<Finding>& findings);  // 1 if there is an error

}  // namespace tuner
