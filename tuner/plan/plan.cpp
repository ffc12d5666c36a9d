// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "error.hpp"
#include "planned_sizes.hpp"
#include "units.hpp"

namespace tuner {

namespace {

struct NumberKey {
    const char* key;
    double Plan::*value;
    double smallest;
    double largest;
    bool is_time = false;
};
constexpr NumberKey numbers[] = {{"size_step", &Plan::size_step, 1.05, 1e6},
                                 {"changeover_factor", &Plan::changeover_factor, 1.01, 1e6},
                                 {"loss_bound", &Plan::loss_bound, 0, 1},
                                 {"until_loss", &Plan::until_loss, 0, 1},
                                 {"min_gain", &Plan::min_gain, 0, 1},
                                 {"precision", &Plan::precision, 0.0001, 1},
                                 {"case_seconds", &Plan::case_seconds, 0.001, 3600, true},
                                 {"budget_seconds", &Plan::budget_seconds, 0, 1e9, true}};

struct CountKey {
    const char* key;
    int Plan::*value;
    int smallest;
};
constexpr CountKey counts[] = {
    {"min_repetitions", &Plan::min_repetitions, 6},  // with fewer, the median has no interval
    {"verify_repetitions", &Plan::verify_repetitions, 6},
    {"verify_sizes", &Plan::verify_sizes, 1}};

double number_from(const CheckedJson& json, const NumberKey& row) {
    const double number =
        row.is_time && json.json().is_string() ? parsed(json, parse_seconds) : json.number();
    if (!(number >= row.smallest && number <= row.largest)) {
        json.fail(fmt::format("expected a number from {} to {}, got {}", row.smallest, row.largest, number));
    }
    return number;
}

std::string label_of(const PlannedCollective& collective) {
    return collective.name + (collective.operation.empty() ? "" : " (" + collective.operation + ")");
}

// Of a list that may be missing or empty, since a plan may have collectives only or exchanges only
template <class Planned>
std::vector<Planned> planned_list(const CheckedJson& json, const char* key,
                                  Planned (*from)(const CheckedJson&)) {
    std::vector<Planned> all;
    std::set<std::string> labels;
    if (!json.has(key) || json.at(key).json() == Json::array()) {
        return all;
    }
    for (const CheckedJson& element : json.at(key).list()) {
        all.push_back(from(element));
        const std::string label = label_of(all.back());
        if (!labels.insert(label).second) {
            element.fail(label + " is listed twice; remove one");
        }
    }
    return all;
}

template <class Planned>
Json list_of(const std::vector<Planned>& all) {
    Json list = Json::array();
    for (const Planned& one : all) {
        list.push_back(to_json(one));
    }
    return list;
}

}  // namespace

const PlannedCollective& planned_collective(const Plan& plan, const std::string& name,
                                            const std::string& operation) {
    const auto found =
        std::find_if(plan.collectives.begin(), plan.collectives.end(),
                     [&](const PlannedCollective& c) { return c.name == name && c.operation == operation; });
    if (found == plan.collectives.end()) {
        throw failure("the plan no longer has " + name + "; decide again: changeover decide");
    }
    return *found;
}

Plan with_collectives(const Plan& plan, const std::vector<std::string>& names) {
    Plan chosen = plan;
    chosen.collectives.clear();
    std::size_t largest = 0;  // of the plan
    for (const PlannedCollective& collective : plan.collectives) {
        largest = std::max(largest, collective.max_bytes);
    }
    for (const std::string& name : std::set(names.begin(), names.end())) {
        const KnownCollective known = known_collective(name);
        const std::size_t before = chosen.collectives.size();
        std::copy_if(plan.collectives.begin(), plan.collectives.end(), std::back_inserter(chosen.collectives),
                     [&](const PlannedCollective& collective) { return collective.name == name; });
        if (chosen.collectives.size() == before) {
            chosen.collectives.push_back(planned(known, largest));
        }
    }
    return chosen;
}

Json to_json(const Plan& plan) {
    return {{"name", plan.name},
            {"collectives", list_of(plan.collectives)},
            {"exchanges", list_of(plan.exchanges)},
            {"size_step", plan.size_step},
            {"changeover_factor", plan.changeover_factor},
            {"loss_bound", plan.loss_bound},
            {"until_loss", plan.until_loss},
            {"min_gain", plan.min_gain},
            {"precision", plan.precision},
            {"case_seconds", plan.case_seconds},
            {"min_repetitions", plan.min_repetitions},
            {"verify_repetitions", plan.verify_repetitions},
            {"verify_sizes", plan.verify_sizes},
            {"budget_seconds", plan.budget_seconds},
            {"exhaustive", plan.exhaustive},
            {"race", plan.race}};
}

Plan plan_from(const CheckedJson& json) {
    Plan plan = plan_named("standard");
    std::vector<std::string> keys;
    const Json complete = to_json(plan);
    for (const auto& [key, value] : complete.items()) {
        keys.push_back(key);
    }
    json.only_keys(keys);
    plan.name = json.has("name") ? json.at("name").text() : "own";
    plan.exchanges = planned_list(json, "exchanges", exchange_from);
    if (json.has("collectives") || !plan.exchanges.empty()) {
        plan.collectives = planned_list(json, "collectives", collective_from);
    }
    if (plan.collectives.empty() && plan.exchanges.empty()) {
        json.at("collectives").list();  // fails: there is nothing to measure
    }
    for (const NumberKey& row : numbers) {
        if (json.has(row.key)) {
            plan.*row.value = number_from(json.at(row.key), row);
        }
    }
    for (const CountKey& row : counts) {
        if (json.has(row.key)) {
            plan.*row.value = static_cast<int>(json.at(row.key).integer(row.smallest, 100000));
        }
    }
    if (json.has("exhaustive")) {
        plan.exhaustive = json.at("exhaustive").boolean();
    }
    if (json.has("race")) {
        plan.race = json.at("race").boolean();
    }
    return plan;
}

}  // namespace tuner
