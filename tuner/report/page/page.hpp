// SPDX-License-Identifier: MIT
// The report as one HTML file: style, script, figures and data are inside, and a content security policy
// forbids it to load anything.
#pragma once

#include <string>
#include <vector>

#include "report_data.hpp"

namespace tuner::report {

// Made elsewhere, from something else than the run
struct OtherSection {
    std::string id;
    std::string title;   // in the list of sections
    std::string markup;  // the whole element
};

std::string html_page(const ReportData& data, const std::vector<OtherSection>& others = {});

// What to type to use the rules of a run, for each network; also for other formats
struct HowTo {
    std::string title;
    std::string lines;
};
std::vector<HowTo> how_to_use(const ReportData& data);

}  // namespace tuner::report
