// SPDX-License-Identifier: MIT
// Two configurations side by side: two algorithms in one trace, or two traces. Where the time went, and what
// of the schedules explains it.
#pragma once

#include "checked_json.hpp"
#include "text_table.hpp"
#include "trace.hpp"

namespace tuner::trace {

// Calls of the same collective, size and shape
struct ComparedKinds {
    const Kind* a;
    const Kind* b;
};

struct TraceComparison {
    std::string a;
    std::string b;
    std::vector<ComparedKinds> pairs;  // the most time first
};

// Two algorithms of a trace. Throws an Error if they have no calls in common that could be compared.
TraceComparison compare_algorithms(const Analysis& analysis, const std::string& a, const std::string& b);
// Two traces; of several algorithms for a call, the one that takes most time
TraceComparison compare_traces(const LoadedTrace& a, const LoadedTrace& b);

// One way to do a call: an algorithm, in one of several traces
struct Configuration {
    std::string name;
    const Kind* kind;
};
// The same collective, size and ranks in several ways; the quickest first
using SameCall = std::vector<Configuration>;

// All that traces have; the most time first. The traces must outlive them.
std::vector<SameCall> same_calls(const std::vector<const LoadedTrace*>& traces);
std::vector<SameCall> same_calls(const TraceComparison& comparison);

std::string title_of(const SameCall& call);  // allgather 64Ki 4x2
TextTable table_of(const SameCall& call);    // where the time goes; of two, with the difference
// Bytes by stage; and what of the schedules goes with the difference between the slowest and the quickest
std::string explanation_of(const SameCall& call);

// What a kind moves in one call
struct Moved {
    double interface_bytes = 0;  // through the busiest interface, all stages
    double exchanged_bytes = 0;  // of these, both ways between the same two ranks at once
    double path_messages = 0;    // on the critical path
};
Moved moved_by(const Kind& kind);

std::string to_text(const TraceComparison& comparison);
Json to_json(const TraceComparison& comparison);

}  // namespace tuner::trace
