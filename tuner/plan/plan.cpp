// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
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

std::size_t memory_from(const CheckedJson& json) {
    return json.json().is_string() ? parsed(json, parse_bytes)
                                   : static_cast<std::size_t>(json.integer(0, INT64_MAX));
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

// May be empty: only together, as in a search
std::vector<models::Arrival> arrivals_from(const CheckedJson& json) {
    std::vector<models::Arrival> arrivals;
    if (json.json() == Json::array()) {
        return arrivals;
    }
    for (const CheckedJson& element : json.list()) {
        arrivals.push_back(parsed(element, models::parse_arrival));
        if (arrivals.back().pattern->is_recorded) {
            element.fail("arrivals of a program come from its trace: tune --profile; remove it");
        }
        if (arrivals.back().pattern->calls_in_a_row > 1) {
            element.fail("calls in a row are verified wherever ranks start far apart; remove it");
        }
        if (std::find(arrivals.begin(), arrivals.end() - 1, arrivals.back()) != arrivals.end() - 1) {
            element.fail("is listed twice; remove one");
        }
    }
    return arrivals;
}

std::vector<models::Communicators> ways_from(const CheckedJson& json) {
    std::vector<models::Communicators> ways;
    for (const CheckedJson& element : json.list()) {
        const models::Communicators way = parsed(element, models::parse_communicators);
        if (std::find(ways.begin(), ways.end(), way) != ways.end()) {
            element.fail("is listed twice; remove one");
        }
        ways.push_back(way);
    }
    return ways;
}

// May be empty: together
models::ArrivalMix mix_from(const CheckedJson& json) {
    models::ArrivalMix mix;
    if (json.json() == Json::array()) {
        return mix;
    }
    for (const CheckedJson& element : json.list()) {
        mix.push_back(parsed(element, models::parse_arrival));
        if (mix.back().pattern->calls_in_a_row > 1) {
            element.fail("calls in a row cannot take turns with other arrivals; remove it");
        }
    }
    return mix;
}

Json to_json(const models::ArrivalMix& mix) {
    Json list = Json::array();
    for (const models::Arrival& arrival : mix) {
        list.push_back(models::to_string(arrival));
    }
    return list;
}

// {"NAME": ["value", "value"]}
std::vector<PlannedKnob> knobs_from(const CheckedJson& json) {
    std::vector<PlannedKnob> knobs;
    for (const auto& [name, values] : json.items()) {
        PlannedKnob knob = {name, {}};
        for (const CheckedJson& value : values.list()) {
            knob.values.push_back(value.text());
        }
        if (!is_name_of_variable(name)) {
            values.fail("'" + name + "' is not the name of a variable; write {\"NAME\": [\"value\"]}");
        }
        knobs.push_back(std::move(knob));
    }
    return knobs;
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
    Json communicators = Json::array();
    for (const models::Communicators& way : plan.communicators) {
        communicators.push_back(models::to_string(way));
    }
    Json knobs = Json::object();
    for (const PlannedKnob& knob : plan.knobs) {
        knobs[knob.variable] = knob.values;
    }
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
            {"arrivals", to_json(plan.arrivals)},
            {"mix", to_json(plan.mix)},
            {"guidelines", plan.guidelines},
            {"communicators", communicators},
            {"knobs", knobs},
            {"reproducible", models::to_string(plan.reproducible)},
            {"max_memory", plan.max_memory},
            {"budget_seconds", plan.budget_seconds},
            {"exhaustive", plan.exhaustive},
            {"race", plan.race}};
}

bool is_name_of_variable(const std::string& name) {
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
           std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return c == '_' || (c < 0x80 && std::isalnum(c) != 0); });
}

PlannedKnob parse_knob(const std::string& text) {
    const std::size_t equals = text.find('=');
    PlannedKnob knob = {text.substr(0, equals), {}};
    for (std::size_t at = equals; at != std::string::npos;) {
        const std::size_t comma = text.find(',', at + 1);
        knob.values.push_back(text.substr(at + 1, comma == std::string::npos ? comma : comma - at - 1));
        at = comma;
    }
    if (!is_name_of_variable(knob.variable) || knob.values.empty() ||
        std::any_of(knob.values.begin(), knob.values.end(),
                    [](const auto& value) { return value.empty(); })) {
        throw std::invalid_argument("'" + text + "': expected a variable and its values, such as NAME=1,2");
    }
    return knob;
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
    if (json.has("arrivals")) {
        plan.arrivals = arrivals_from(json.at("arrivals"));
    }
    if (json.has("guidelines")) {
        plan.guidelines = json.at("guidelines").boolean();
    }
    if (json.has("communicators")) {
        plan.communicators = ways_from(json.at("communicators"));
    }
    if (json.has("mix")) {
        plan.mix = mix_from(json.at("mix"));
    }
    if (json.has("knobs")) {
        plan.knobs = knobs_from(json.at("knobs"));
    }
    if (json.has("reproducible")) {
        plan.reproducible = parsed(json.at("reproducible"), models::parse_reproducible);
    }
    if (json.has("max_memory")) {
        plan.max_memory = memory_from(json.at("max_memory"));
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
