// SPDX-License-Identifier: MIT
// The report as one HTML file: style, script, figures and data are inside, and a content security policy
// forbids it to load anything.
#pragma once

#include <string>
#include <vector>

#include "report_data.hpp"

namespace tuner::report {

std::string html_page(const ReportData& data);

// What to type to use the rules of a run, for each network; also for other formats
struct HowTo {
    std::string title;
    std::string lines;
};
std::vector<HowTo> how_to_use(const ReportData& data);

}  // namespace tuner::report
