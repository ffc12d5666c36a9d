// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "error.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr std::size_t Ki = 1024;
constexpr std::size_t Mi = Ki * Ki;
constexpr std::size_t largest_bytes = 2 * Ki * Mi;  // MPI counts in int

// What the benchmark can measure. Not standard: MPICH has one algorithm only, or it is nonblocking, where
// most programs care more for what it hides than for how long it takes.
struct CollectiveRow {
    const char* name;
    bool combines;
    bool has_message;
    bool is_standard;
    bool is_quick;          // what programs spend most of their time in
    bool grows_with_ranks;  // a message of n bytes moves n times the ranks, or more
};
constexpr CollectiveRow rows[] = {
    {"bcast", false, true, true, true, false},
    {"allreduce", true, true, true, true, false},
    {"allgather", false, true, true, true, true},
    {"alltoall", false, true, true, true, true},
    {"reduce", true, true, true, false, false},
    {"reduce_scatter", true, true, true, false, true},
    {"reduce_scatter_block", true, true, true, false, true},
    {"allgatherv", false, true, true, false, true},
    {"alltoallv", false, true, true, false, true},
    {"scan", true, true, true, false, false},
    {"barrier", false, false, true, false, false},
    {"gather", false, true, false, false, true},
    {"scatter", false, true, false, false, true},
    {"exscan", true, true, false, false, false},
    {"ibcast", false, true, false, false, false},
    {"ireduce", true, true, false, false, false},
    {"iallreduce", true, true, false, false, false},
    {"iallgather", false, true, false, false, true},
    {"ialltoall", false, true, false, false, true},
};

const std::vector<std::string> operations = {"sum", "user", "ordered"};
const std::vector<std::pair<std::string, std::size_t>> datatypes = {
    {"byte", 1}, {"int", 4}, {"float", 4}, {"double", 8}};

const CollectiveRow& row_of(const std::string& name) {
    return *std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return name == row.name; });
}

PlannedCollective planned(const CollectiveRow& row, std::size_t max_bytes) {
    PlannedCollective collective;
    collective.name = row.name;
    if (row.combines) {
        collective.datatype = "float";
        collective.operation = "sum";
    }
    // a barrier has no message, but a size must be above zero
    collective.max_bytes = !row.has_message       ? collective.min_bytes
                           : row.grows_with_ranks ? max_bytes / 8
                                                  : max_bytes;
    return collective;
}

// Two layouts of up to 8 ranks on two cores with ch3:sock are searched in about 100 s with these numbers; the
// budget leaves a minute for verifying them.
Plan make_quick() {
    Plan plan;
    plan.name = "quick";
    for (const CollectiveRow& row : rows) {
        if (row.is_quick) {
            plan.collectives.push_back(planned(row, Mi));
        }
    }
    plan.changeover_factor = 1.4;
    plan.loss_bound = 0.02;
    plan.case_seconds = 0.2;
    plan.verify_repetitions = 30;
    plan.verify_sizes = 5;
    plan.budget_seconds = 170;
    return plan;
}

Plan make_standard() {
    Plan plan;
    plan.name = "standard";
    for (const CollectiveRow& row : rows) {
        if (row.is_standard) {
            plan.collectives.push_back(planned(row, 4 * Mi));
        }
    }
    plan.case_seconds = 0.3;
    return plan;
}

Plan make_full() {
    Plan plan;
    plan.name = "full";
    for (const CollectiveRow& row : rows) {
        PlannedCollective collective = planned(row, 16 * Mi);
        plan.collectives.push_back(collective);
        for (const char* operation : {"user", "ordered"}) {
            if (row.combines) {
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

template <class Row>
std::vector<std::string> names_of(const Row& table) {
    std::vector<std::string> names;
    for (const auto& [name, value] : table) {
        names.push_back(name);
    }
    return names;
}

template <class Parse>
auto parsed(const CheckedJson& json, Parse parse) {
    try {
        return parse(json.text());
    } catch (const Error& error) {
        json.fail(error.what());
    }
}

std::size_t bytes_from(const CheckedJson& json, std::size_t element) {
    const std::size_t bytes = json.json().is_string() ? parsed(json, parse_bytes)
                                                      : static_cast<std::size_t>(json.integer(1, INT64_MAX));
    if (bytes == 0 || bytes > largest_bytes) {
        json.fail(fmt::format("{} bytes are not possible; write 1 to {} (2 GiB, more than MPI can count)",
                              bytes, largest_bytes));
    }
    if (bytes % element != 0) {
        json.fail(
            fmt::format("{} bytes are not a multiple of an element of {} bytes; round it", bytes, element));
    }
    return bytes;
}

double number_from(const CheckedJson& json, double smallest, double largest, bool is_time) {
    const double number = is_time && json.json().is_string() ? parsed(json, parse_seconds) : json.number();
    if (!(number >= smallest && number <= largest)) {
        json.fail(
            fmt::format("{} is not possible here; write a number from {} to {}", number, smallest, largest));
    }
    return number;
}

PlannedCollective collective_from(const CheckedJson& json) {
    const std::vector<std::string> names = known_collectives();
    const bool is_object = json.is_object();
    if (is_object) {
        json.only_keys({"name", "datatype", "operation", "min_bytes", "max_bytes"});
    }
    const CollectiveRow& row = row_of((is_object ? json.at("name") : json).one_of(names));
    PlannedCollective collective = planned(row, 4 * Mi);
    if (json.has("datatype")) {
        collective.datatype = json.at("datatype").one_of(names_of(datatypes));
    }
    if (json.has("operation")) {
        collective.operation = json.at("operation").one_of(operations);
        if (!row.combines) {
            json.at("operation").fail(collective.name + " has no operation; remove the key");
        }
    }
    const std::size_t element = element_bytes(collective);
    if (json.has("min_bytes")) {
        collective.min_bytes = bytes_from(json.at("min_bytes"), element);
        collective.max_bytes = std::max(collective.min_bytes, collective.max_bytes);
    }
    if (json.has("max_bytes")) {
        collective.max_bytes = bytes_from(json.at("max_bytes"), element);
    }
    if (collective.min_bytes > collective.max_bytes) {
        json.fail(fmt::format("min_bytes {} is above max_bytes {}; exchange them", collective.min_bytes,
                              collective.max_bytes));
    }
    return collective;
}

}  // namespace

std::vector<std::string> known_collectives() {
    std::vector<std::string> names;
    for (const CollectiveRow& row : rows) {
        names.emplace_back(row.name);
    }
    return names;
}

bool has_operation(const std::string& collective) {
    return std::any_of(std::begin(rows), std::end(rows),
                       [&](const auto& row) { return collective == row.name && row.combines; });
}

Plan with_collectives(const Plan& plan, const std::vector<std::string>& names) {
    const std::vector<std::string> known = known_collectives();
    Plan chosen = plan;
    chosen.collectives.clear();
    std::size_t largest = 0;  // of the plan
    for (const PlannedCollective& collective : plan.collectives) {
        largest = std::max(largest, collective.max_bytes);
    }
    for (const std::string& name : std::set(names.begin(), names.end())) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw wrong_use(fmt::format("there is no collective '{}'; {}", name, suggestion(name, known)));
        }
        const std::size_t before = chosen.collectives.size();
        std::copy_if(plan.collectives.begin(), plan.collectives.end(), std::back_inserter(chosen.collectives),
                     [&](const PlannedCollective& collective) { return collective.name == name; });
        if (chosen.collectives.size() == before) {
            chosen.collectives.push_back(planned(row_of(name), largest));
        }
    }
    return chosen;
}

std::size_t element_bytes(const PlannedCollective& collective) {
    constexpr std::size_t of_ordered = 4;  // the benchmark has one datatype for it
    if (collective.operation == "ordered") {
        return of_ordered;
    }
    for (const auto& [name, bytes] : datatypes) {
        if (name == collective.datatype) {
            return bytes;
        }
    }
    return 1;
}

Plan plan_named(const std::string& name) {
    for (const auto& [known, make] : plans) {
        if (name == known) {
            return make();
        }
    }
    if (!std::filesystem::exists(name)) {
        throw wrong_use(
            fmt::format("there is no plan and no file '{}'; {}", name, suggestion(name, names_of(plans))));
    }
    const CheckedJson json = CheckedJson::parse_file(name);
    Plan plan = plan_from(json);
    if (!json.has("name")) {
        plan.name = std::filesystem::path(name).stem().string();
    }
    return plan;
}

Json to_json(const Plan& plan) {
    Json collectives = Json::array();
    for (const PlannedCollective& c : plan.collectives) {
        Json json = {{"name", c.name}};
        if (!c.datatype.empty()) {
            json["datatype"] = c.datatype;
        }
        if (!c.operation.empty()) {
            json["operation"] = c.operation;
        }
        json["min_bytes"] = c.min_bytes;
        json["max_bytes"] = c.max_bytes;
        collectives.push_back(std::move(json));
    }
    Json exchanges = Json::array();
    for (const PlannedExchange& exchange : plan.exchanges) {
        exchanges.push_back(to_json(exchange));
    }
    return {{"name", plan.name},
            {"collectives", collectives},
            {"exchanges", exchanges},
            {"size_step", plan.size_step},
            {"changeover_factor", plan.changeover_factor},
            {"loss_bound", plan.loss_bound},
            {"precision", plan.precision},
            {"case_seconds", plan.case_seconds},
            {"min_repetitions", plan.min_repetitions},
            {"verify_repetitions", plan.verify_repetitions},
            {"verify_sizes", plan.verify_sizes},
            {"budget_seconds", plan.budget_seconds},
            {"exhaustive", plan.exhaustive}};
}

Plan plan_from(const CheckedJson& json) {
    Plan plan = make_standard();
    json.only_keys(names_of(to_json(plan).items()));
    plan.name = json.has("name") ? json.at("name").text() : "own";
    // an empty list is as good as none, since a plan may have only one of the two
    const auto elements = [&](const char* key) {
        return json.has(key) && json.at(key).json() != Json::array() ? json.at(key).list()
                                                                     : std::vector<CheckedJson>();
    };
    for (const CheckedJson& element : elements("exchanges")) {
        PlannedExchange exchange = exchange_from(element);
        for (const PlannedExchange& other : plan.exchanges) {
            if (label_of(other) == label_of(exchange)) {
                element.fail(label_of(exchange) + " is there twice; remove one of them");
            }
        }
        plan.exchanges.push_back(std::move(exchange));
    }
    if (json.has("collectives") || !plan.exchanges.empty()) {
        plan.collectives.clear();
        for (const CheckedJson& element :
             plan.exchanges.empty() ? json.at("collectives").list() : elements("collectives")) {
            PlannedCollective collective = collective_from(element);
            for (const PlannedCollective& other : plan.collectives) {
                if (other.name == collective.name && other.operation == collective.operation) {
                    element.fail(collective.name + " is there twice; remove one of them");
                }
            }
            plan.collectives.push_back(std::move(collective));
        }
    }
    const struct {
        const char* key;
        double& value;
        double smallest;
        double largest;
        bool is_time = false;
    } numbers[] = {{"size_step", plan.size_step, 1.05, 1e6},
                   {"changeover_factor", plan.changeover_factor, 1.01, 1e6},
                   {"loss_bound", plan.loss_bound, 0, 1},
                   {"precision", plan.precision, 0.0001, 1},
                   {"case_seconds", plan.case_seconds, 0.001, 3600, true},
                   {"budget_seconds", plan.budget_seconds, 0, 1e9, true}};
    for (const auto& number : numbers) {
        if (json.has(number.key)) {
            number.value = number_from(json.at(number.key), number.smallest, number.largest, number.is_time);
        }
    }
    const struct {
        const char* key;
        int& value;
        int smallest;
    } counts[] = {{"min_repetitions", plan.min_repetitions, 6},  // with fewer, the median has no interval
                  {"verify_repetitions", plan.verify_repetitions, 6},
                  {"verify_sizes", plan.verify_sizes, 1}};
    for (const auto& count : counts) {
        if (json.has(count.key)) {
            count.value = static_cast<int>(json.at(count.key).integer(count.smallest, 100000));
        }
    }
    if (json.has("exhaustive")) {
        plan.exhaustive = json.at("exhaustive").boolean();
    }
    return plan;
}

}  // namespace tuner
