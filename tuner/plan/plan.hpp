// SPDX-License-Identifier: MIT
// What to measure and how precisely: the plans quick, standard, full and network, or the user's own file
// (docs/plans.md has its keys).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arrival.hpp"
#include "communicators.hpp"
#include "planned_collective.hpp"
#include "planned_exchange.hpp"
#include "reproducible.hpp"

namespace tuner {

// A variable of the library, and what is tried in place of its default
struct PlannedKnob {
    std::string variable;
    std::vector<std::string> values;
    bool operator==(const PlannedKnob&) const = default;
};

struct Plan {
    std::string name;
    std::vector<PlannedCollective> collectives;  // to be tuned
    std::vector<PlannedExchange> exchanges = {};
    double size_step = 8;            // factor between the sizes of the first, coarse grid
    double changeover_factor = 1.2;  // a changeover is known well enough within this factor
    double loss_bound = 0.01;        // ... or if a wrong one cannot lose more than this
    double until_loss = 0;           // a search ends when its rules are expected to lose at most this
    double min_gain = 0.02;          // of a rule: a smaller one is not worth it
    double precision = 0.02;         // of medians, see changeover-bench
    double case_seconds = 0.2;       // at most for one case
    int min_repetitions = 15;
    int verify_repetitions = 40;  // pairs for each verified size, in three jobs together
    int verify_sizes = 6;         // of each rule; more if the default switches inside
    // Under these, too, no rule may be slower than the default; together, as in a search, is always tested
    std::vector<models::Arrival> arrivals = {};
    bool guidelines = false;  // rules that hold are audited, too: do they violate any that the default keeps?
    // Layouts are measured as these parts of jobs, which call at once; world: as jobs of their own
    std::vector<models::Communicators> communicators = {{}};
    // In which ranks take turns where candidates are searched and rules are proven; empty: together. One that
    // is listed twice has twice the calls.
    models::ArrivalMix mix = {};
    std::vector<PlannedKnob> knobs = {};  // each in jobs of its own, after the rules
    models::Reproducible reproducible = models::Reproducible::any;  // of the results of reductions
    std::size_t max_memory = 0;  // bytes that the algorithm of a rule may allocate on a rank; 0: no limit
    double budget_seconds = 0;   // of the whole tuning; 0: no limit
    bool exhaustive = false;     // every size of a fine grid, every algorithm
    bool race = true;            // what is known to be slower at a size is not repeated further there
    bool races() const { return race && !exhaustive; }
    bool operator==(const Plan&) const = default;
};

// The plan with these collectives only; those that it does not have are added. Throws an Error for a name
// that is not known.
Plan with_collectives(const Plan& plan, const std::vector<std::string>& names);

bool is_name_of_variable(const std::string& name);  // as shells and module files can set it
// NAME=VALUE or NAME=VALUE,VALUE... Throws std::invalid_argument.
PlannedKnob parse_knob(const std::string& text);

// Throws an Error if the plan has no such collective
const PlannedCollective& planned_collective(const Plan& plan, const std::string& name,
                                            const std::string& operation);

Plan plan_named(const std::string& name);  // quick, standard, full, network, or a file
Json to_json(const Plan& plan);            // complete: without any default
Plan plan_from(const CheckedJson& json);   // what it does not say is as in the plan standard

}  // namespace tuner
