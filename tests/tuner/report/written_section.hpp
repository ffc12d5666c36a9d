// SPDX-License-Identifier: MIT
// For tests: one section of the page.
#pragma once

#include "contains.hpp"
#include "html.hpp"
#include "report_run.hpp"

inline std::string written(void (*section)(tuner::report::Html& html, const tuner::report::Context& context),
                           const ReportRun& run) {
    const tuner::report::ReportData data = tuner::report::gather(run.folder());
    tuner::report::Html html;
    section(html, {data, tables_of(data), figures_of(data)});
    return html.markup;
}
