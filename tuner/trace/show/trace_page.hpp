// SPDX-License-Identifier: MIT
// What is shown of traces: as one HTML file that needs nothing else, and as a section of a run's report. Both
// are made of the same parts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "against_model.hpp"
#include "page.hpp"
#include "profile.hpp"
#include "trace_comparison.hpp"

namespace tuner::trace {

// What a run says about the calls of a trace
struct OfRun {
    std::string folder;
    std::string network;
    Gains gains;
    std::optional<AgainstModel> against;  // the run has a model

    OfRun(const LoadedTrace& loaded, const std::string& folder, const std::string& network,
          const std::string& rules = "");
};

struct ShownTrace {
    const LoadedTrace& loaded;
    std::vector<const Kind*> kinds;  // to draw, the heaviest first
    std::optional<OfRun> of_run;
};

// Those whose name has the text; throws an Error that names the trace if there are none.
std::vector<const Kind*> chosen_kinds(const LoadedTrace& loaded, const std::string& only);

std::string html_page(const ShownTrace& trace, const std::vector<SameCall>& compared);

// Throws an Error if one of the traces cannot be shown. Empty network: the run's only one; if it has several,
// the section says why there are no gains.
report::OtherSection report_section(const std::vector<std::string>& prefixes, const std::string& run,
                                    const std::string& network);

}  // namespace tuner::trace
