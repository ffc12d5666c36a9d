// SPDX-License-Identifier: MIT
// `changeover trace`: what the event collectors of the patched MPICH recorded, read, matched and analysed,
// and what is made of it.
#pragma once

#include <memory>
#include <string>

#include "analysis.hpp"
#include "checked_json.hpp"
#include "text_table.hpp"

namespace tuner::trace {

// Its parts refer to each other.
struct LoadedTrace {
    Trace trace;
    Matched matched;
    Analysis analysis;

    explicit LoadedTrace(const std::string& prefix);
    LoadedTrace(const LoadedTrace&) = delete;
    LoadedTrace& operator=(const LoadedTrace&) = delete;
};

std::string to_text(const LoadedTrace& loaded);
Json to_json(const LoadedTrace& loaded);

// Parts of the text that comparisons and pages show, too
std::string overview_text(const LoadedTrace& loaded);  // files, clocks, what could not be used
std::string findings_text(const LoadedTrace& loaded);  // who is late, what is critical
TextTable kinds_table(const Analysis& analysis);       // calls and their costs, the heaviest
std::string kinds_left_out(const Analysis& analysis);  // in words; empty: none
std::string kind_text(const Kind& kind);               // one kind: all of the following
std::string kind_summary(const Kind& kind);            // times, orders, critical path
TextTable stages_table(const Kind& kind);
std::string classes_text(const Kind& kind);
std::string time_text(double seconds);  // 0 and below, too
std::string percent_text(double share);
std::string counted(std::size_t count, const char* what);  // 1 call, 2,000 calls

}  // namespace tuner::trace
