// SPDX-License-Identifier: MIT
// The answer of a report as Markdown, short enough for an issue tracker.
#pragma once

#include <string>

#include "report_data.hpp"

namespace tuner::report {

std::string markdown_summary(const ReportData& data);

// Text from outside inside of Markdown: nothing in it is markup, and it stays on its line
std::string markdown_text(const std::string& text);

}  // namespace tuner::report
