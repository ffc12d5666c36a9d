// SPDX-License-Identifier: MIT
#include "planned_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planned_collective.hpp"
#include "planned_sizes.hpp"

namespace tuner {

namespace {

constexpr std::size_t largest_exchange = 1024 * Mi;

// What the benchmark has, with the sizes that are measured if the plan does not say which
struct ExchangeRow {
    std::string name;
    bool is_of_two_ranks;
    std::size_t ways;  // that the benchmark has
    std::size_t min_bytes;
    std::size_t max_bytes;
    bool is_nonblocking = false;  // a collective, overlapped with computation
    bool combines = false;
};

const std::vector<ExchangeRow> patterns = {
    {"ping_pong", true, 8, 1, 4 * Mi},        {"one_way", true, 1, 1, Mi},
    {"bandwidth", true, 2, 1, 4 * Mi},        {"availability", true, 2, Ki, Mi},
    {"ring", false, 2, 16, 256 * Ki},         {"halo", false, 1, 16, 256 * Ki},
    {"master_worker", false, 4, 16, 16 * Ki}, {"local_call", false, 3, 1, 1},
    {"new_communicator", false, 2, 1, 1}};

// Of the overlap of one algorithm: without computation, by time and by work without tests, and with as many
// as the search tries
constexpr std::size_t cases_of_overlap = 12;

std::vector<ExchangeRow> known_exchanges() {
    std::vector<ExchangeRow> rows = patterns;
    for (const KnownCollective& collective : known_collectives()) {
        if (collective.is_nonblocking) {
            const std::size_t max_bytes = collective.row->grows_with_ranks ? 64 * Ki : 256 * Ki;
            rows.push_back({collective.name, false, 1, Ki, max_bytes, true, collective.row->combines});
        }
    }
    return rows;
}

std::vector<std::string> names_of_exchanges() {
    std::vector<std::string> names;
    for (const ExchangeRow& row : known_exchanges()) {
        names.push_back(row.name);
    }
    return names;
}

ExchangeRow row_of(const std::string& name) {
    const std::vector<ExchangeRow> rows = known_exchanges();
    return *std::find_if(rows.begin(), rows.end(), [&](const ExchangeRow& row) { return name == row.name; });
}

PlannedExchange planned(const ExchangeRow& row) {
    PlannedExchange exchange;
    exchange.name = row.name;
    exchange.link = row.is_of_two_ranks ? "between" : "";
    exchange.overlap = row.is_nonblocking;
    if (exchange.overlap) {
        exchange.ways = {"default"};
    }
    if (row.combines) {
        exchange.datatype = "float";
        exchange.operation = "sum";
    }
    exchange.min_bytes = row.min_bytes;
    exchange.max_bytes = row.max_bytes;
    return exchange;
}

// What a pattern is also measured as, to compare networks
void add_variants(PlannedExchange exchange, std::vector<PlannedExchange>& exchanges) {
    if (exchange.name == "ping_pong" || exchange.name == "bandwidth") {
        exchange.link = "within";
        exchange.ways = exchange.name == "ping_pong" ? std::vector<std::string>{"send"} : exchange.ways;
        exchanges.push_back(exchange);
    }
    if (exchange.name == "bandwidth") {
        exchange.link = "";
        exchange.all_pairs = true;
        exchanges.push_back(exchange);
    }
    if (exchange.name == "halo") {
        exchange.parameters = {{"dimensions", 3}};
        exchanges.push_back(exchange);
    }
}

}  // namespace

std::string label_of(const PlannedExchange& exchange) {
    std::string label = exchange.name;
    label += exchange.all_pairs ? " halves" : exchange.link.empty() ? "" : " " + exchange.link;
    label += exchange.overlap ? " overlap" : "";
    for (const auto& [name, value] : exchange.parameters) {
        label += fmt::format(" {}={:g}", name, value);
    }
    return label;
}

std::size_t cases_of_size(const PlannedExchange& exchange) {
    const std::size_t ways = exchange.ways.empty() ? row_of(exchange.name).ways : exchange.ways.size();
    return exchange.overlap ? ways * cases_of_overlap : ways;
}

std::vector<PlannedExchange> exchanges_of_networks() {
    std::vector<std::string> names = {"ping_pong",        "one_way",       "bandwidth",
                                      "availability",     "master_worker", "local_call",
                                      "new_communicator", "ring",          "halo"};
    for (const KnownCollective& collective : known_collectives()) {
        if (collective.is_nonblocking && collective.row->smallest_plan == models::SmallestPlan::quick) {
            names.push_back(collective.name);
        }
    }
    std::vector<PlannedExchange> exchanges;
    for (const std::string& name : names) {
        exchanges.push_back(planned(row_of(name)));
        add_variants(exchanges.back(), exchanges);
    }
    return exchanges;
}

Json to_json(const PlannedExchange& e) {
    Json json = {{"name", e.name}};
    if (!e.ways.empty()) {
        json["ways"] = e.ways;
    }
    if (e.all_pairs) {
        json["pairs"] = "halves";
    } else if (!e.link.empty()) {
        json["link"] = e.link;
    }
    if (!e.parameters.empty()) {
        json["parameters"] = e.parameters;
    }
    json["min_bytes"] = e.min_bytes;
    json["max_bytes"] = e.max_bytes;
    return json;
}

PlannedExchange exchange_from(const CheckedJson& json) {
    const std::vector<std::string> names = names_of_exchanges();
    if (!json.is_object()) {
        return planned(row_of(json.one_of(names)));
    }
    json.only_keys({"name", "ways", "link", "pairs", "parameters", "min_bytes", "max_bytes"});
    const ExchangeRow row = row_of(json.at("name").one_of(names));
    PlannedExchange exchange = planned(row);
    for (const char* key : {"link", "pairs"}) {
        if (json.has(key) && !row.is_of_two_ranks) {
            json.at(key).fail(exchange.name + " is between all ranks; remove the key");
        }
    }
    if (json.has("ways")) {
        exchange.ways.clear();
        for (const CheckedJson& way : json.at("ways").list()) {
            exchange.ways.push_back(way.text());
        }
    }
    if (json.has("link")) {
        exchange.link = json.at("link").one_of({"within", "between"});
    }
    if (json.has("pairs")) {
        json.at("pairs").one_of({"halves"});
        exchange.all_pairs = true;
        exchange.link = "";
    }
    if (json.has("parameters")) {
        for (const auto& [name, value] : json.at("parameters").json().items()) {
            exchange.parameters[name] = json.at("parameters").at(name).number();
        }
    }
    read_sizes(json, {1, largest_exchange}, exchange.min_bytes, exchange.max_bytes);
    return exchange;
}

}  // namespace tuner
