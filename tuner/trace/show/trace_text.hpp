// SPDX-License-Identifier: MIT
// A trace as text and as JSON, and the parts of the text that comparisons and pages show, too.
#pragma once

#include <string>

#include "checked_json.hpp"
#include "text_table.hpp"
#include "trace.hpp"

namespace tuner::trace {

std::string to_text(const LoadedTrace& loaded);
Json to_json(const LoadedTrace& loaded);

std::string overview_text(const LoadedTrace& loaded);                // files, clocks, what could not be used
std::string findings_text(const LoadedTrace& loaded);                // who is late, what is critical
TextTable kinds_table(const Analysis& analysis);                     // calls and their costs, the heaviest
std::string kinds_left_out(const Analysis& analysis);                // in words; empty: none
std::string kind_text(const Matched& matched, const Kind& kind);     // one kind: all of the following
std::string kind_summary(const Matched& matched, const Kind& kind);  // times, orders, critical path
TextTable stages_table(const Kind& kind);
std::string classes_text(const Matched& matched, const Kind& kind);

}  // namespace tuner::trace
