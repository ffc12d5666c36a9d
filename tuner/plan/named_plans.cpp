// SPDX-License-Identifier: MIT
// The plans that have a name: quick, standard, full, network.
#include <fmt/format.h>

#include <filesystem>

#include "error.hpp"
#include "plan.hpp"
#include "planned_sizes.hpp"

namespace tuner {

namespace {

using models::SmallestPlan;

// The collectives that a plan of this size measures
std::vector<PlannedCollective> collectives_of(SmallestPlan plan, std::size_t max_bytes) {
    std::vector<PlannedCollective> collectives;
    for (const KnownCollective& collective : known_collectives()) {
        // Of a nonblocking one, most programs care more for what it hides than for how long it takes.
        const SmallestPlan smallest =
            collective.is_nonblocking ? SmallestPlan::full : collective.row->smallest_plan;
        if (smallest <= plan) {
            collectives.push_back(planned(collective, max_bytes));
        }
    }
    return collectives;
}

// Three kinds of imbalance (of one rank, of all ranks in order, by chance), for half the time of a call and
// twice
std::vector<models::Arrival> usual_arrivals() {
    std::vector<models::Arrival> arrivals;
    for (const char* text :
         {"one-late:0.5", "one-late:2", "ascending:0.5", "ascending:2", "random:0.5", "random:2"}) {
        arrivals.push_back(models::parse_arrival(text));
    }
    return arrivals;
}

// Two layouts of up to 8 ranks on two cores with ch3:sock are searched in about 100 s with these numbers; the
// budget leaves a minute for verifying them.
Plan make_quick() {
    Plan plan;
    plan.name = "quick";
    plan.collectives = collectives_of(SmallestPlan::quick, Mi);
    plan.changeover_factor = 1.4;
    plan.loss_bound = 0.02;
    plan.case_seconds = 0.2;
    plan.verify_repetitions = 30;
    plan.verify_sizes = 5;
    plan.arrivals = {models::parse_arrival("ascending:2")};  // in which most rules lose that lose in any
    plan.budget_seconds = 170;
    return plan;
}

Plan make_standard() {
    Plan plan;
    plan.name = "standard";
    plan.collectives = collectives_of(SmallestPlan::standard, 4 * Mi);
    plan.case_seconds = 0.3;
    plan.arrivals = usual_arrivals();
    plan.guidelines = true;
    return plan;
}

// Every operation of a reduction, too
Plan make_full() {
    Plan plan;
    plan.name = "full";
    for (PlannedCollective& collective : collectives_of(SmallestPlan::full, 16 * Mi)) {
        plan.collectives.push_back(collective);
        for (const char* operation : {"user", "ordered"}) {
            if (!collective.operation.empty()) {
                collective.operation = operation;
                plan.collectives.push_back(collective);
            }
        }
    }
    plan.size_step = 4;
    plan.changeover_factor = 1.1;
    plan.precision = 0.01;
    plan.case_seconds = 1;
    plan.min_repetitions = 30;
    plan.verify_repetitions = 100;
    plan.verify_sizes = 10;
    plan.arrivals = usual_arrivals();
    plan.guidelines = true;
    return plan;
}

// Two networks of the lab (one of 100 Mbit/s) with one layout took 205 s
Plan make_network() {
    Plan plan;
    plan.name = "network";
    plan.exchanges = exchanges_of_networks();
    plan.size_step = 4;
    return plan;
}

const std::vector<std::pair<std::string, Plan (*)()>> plans = {
    {"quick", make_quick}, {"standard", make_standard}, {"full", make_full}, {"network", make_network}};

}  // namespace

Plan plan_named(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& [known, make] : plans) {
        if (name == known) {
            return make();
        }
        names.push_back(known);
    }
    if (!std::filesystem::exists(name)) {
        throw usage_error(
            fmt::format("there is no plan and no file '{}'; {}", name, suggestion(name, names)));
    }
    const CheckedJson json = CheckedJson::parse_file(name);
    Plan plan = plan_from(json);
    if (!json.has("name")) {
        plan.name = std::filesystem::path(name).stem().string();
    }
    return plan;
}

}  // namespace tuner
