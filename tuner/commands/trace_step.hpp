// SPDX-License-Identifier: MIT
// The command `changeover trace`.
#pragma once

#include <string>
#include <vector>

namespace tuner::trace {

struct TraceOptions {
    std::string prefix;
    std::string only;                   // kinds of calls whose name has this text
    std::vector<std::string> compared;  // two algorithms of the trace, or two traces (then without `prefix`)
    std::string run;                    // folder of a run: its model and rules
    std::string network;                // of the run; empty: the only one
    std::string format = "text";
    std::string figure;  // timemap, messages or waits
    std::string file;    // of the figure, or the text; empty: standard output
    std::string html;
    std::string chrome;
};

void print_trace(const TraceOptions& options);

}  // namespace tuner::trace
