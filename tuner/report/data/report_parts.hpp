// SPDX-License-Identifier: MIT
// The steps of gather(), a file each. They fill in parts of the data, in this order.
#pragma once

#include "report_data.hpp"

namespace tuner::report {

// report_cells: the choice at each size of each cell
void add_cells(ReportData& data, const Cells& cells);

// report_distributions: the largest and the smallest verified gain, and the cases with the longest tails
void add_distributions(ReportData& data, const RunData& run);

// report_places: what the jobs of each network and layout said
void add_places(ReportData& data, const RunData& run);
Place& place_of(ReportData& data, const std::string& network, const Layout& layout);

// report_problems: what is imprecise, missing, failed, or not done yet
void add_doubtful(ReportData& data, const RunData& run);
void add_state(ReportData& data);
void add_missing_cells(ReportData& data, const Cells& cells);
void add_failed_cases(ReportData& data, const RunData& run, const Cells& cells);

}  // namespace tuner::report
