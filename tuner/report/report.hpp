// SPDX-License-Identifier: MIT
// `changeover report`: a run as a page, as a single figure, or as a summary for an issue tracker.
#pragma once

#include <string>
#include <vector>

#include "page.hpp"

namespace tuner::report {

struct ReportOptions {
    std::string folder;
    std::string against = {};  // another run to compare it with
    std::string format = "html";
    std::string figure = {};                // svg and png: its name
    std::string file = {};                  // empty: report.html of the run, or standard output
    std::vector<OtherSection> others = {};  // html
};

std::vector<std::string> report_formats();

void write_report(const ReportOptions& options);

}  // namespace tuner::report
