// SPDX-License-Identifier: MIT
// The calls of a real program: what a tuned configuration would gain for exactly these, and a plan that
// measures what they need and nothing else.
#pragma once

#include "checked_json.hpp"
#include "known_run.hpp"
#include "plan.hpp"
#include "text_table.hpp"
#include "trace.hpp"

namespace tuner::trace {

struct KindGain {
    const Kind* kind = nullptr;
    std::string tuned;      // algorithm by the configuration; empty: no rule, nothing changes
    double seconds = 0;     // of all calls, each from its last arrival to its last departure
    double of_seconds = 0;  // what the gain is a part of: `seconds`, or as the benchmark times calls
    double gain_seconds = 0;
    std::string basis;  // measured, model, verified (the rule's own gain); or why there is none
};

struct Gains {
    std::vector<KindGain> kinds;  // as in the analysis
    double seconds = 0;
    double of_seconds = 0;
    double gain_seconds = 0;
    double known_seconds = 0;  // of calls that the run can say something about
};

// Gains are of the time from the last arrival on: no algorithm makes a late rank come earlier. Where they are
// by the benchmark's times, which begin with the first arrival, so do the calls', as far as the benchmark's
// go.
Gains gains_of(const Analysis& analysis, KnownRun& run);

std::string summary_of(const Gains& gains, double program_seconds);
std::string to_text(const Gains& gains, double program_seconds);
Json to_json(const Gains& gains);

// Collectives with at least 1% of the time, the most time first, and from half the smallest to twice the
// largest size that the program uses. What the plan does not have is left out, and noted. Arrivals are those
// of the program. Throws an Error if nothing is left.
Plan plan_for(const Plan& plan, const Analysis& analysis, std::vector<std::string>& notes);

// The layouts that the program's communicators have; all if none of them has
std::vector<Layout> layouts_for(const std::vector<Layout>& layouts, const Analysis& analysis,
                                std::vector<std::string>& notes);

}  // namespace tuner::trace
