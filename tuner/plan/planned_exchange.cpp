// SPDX-License-Identifier: MIT
#include "planned_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr std::size_t Ki = 1024;
constexpr std::size_t Mi = Ki * Ki;
constexpr std::size_t largest_bytes = 1024 * Mi;

// What the benchmark has, with the sizes that are measured if nobody says which
struct ExchangeRow {
    const char* name;
    bool is_of_two_ranks;
    std::size_t min_bytes;
    std::size_t max_bytes;
    bool is_nonblocking = false;  // a collective
    bool combines = false;
};
constexpr ExchangeRow rows[] = {{"ping_pong", true, 1, 4 * Mi},
                                {"one_way", true, 1, Mi},
                                {"bandwidth", true, 1, 4 * Mi},
                                {"availability", true, Ki, Mi},
                                {"ring", false, 16, 256 * Ki},
                                {"halo", false, 16, 256 * Ki},
                                {"master_worker", false, 16, 16 * Ki},
                                {"local_call", false, 1, 1},
                                {"new_communicator", false, 1, 1},
                                {"ibcast", false, Ki, 256 * Ki, true},
                                {"iallreduce", false, Ki, 256 * Ki, true, true},
                                {"iallgather", false, Ki, 64 * Ki, true},
                                {"ialltoall", false, Ki, 64 * Ki, true},
                                {"ireduce", false, Ki, 256 * Ki, true, true}};

const ExchangeRow& row_of(const std::string& name) {
    return *std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return name == row.name; });
}

PlannedExchange planned(const std::string& name) {
    const ExchangeRow& row = row_of(name);
    PlannedExchange exchange;
    exchange.name = name;
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

std::size_t bytes_from(const CheckedJson& json) {
    std::size_t bytes = 0;
    try {
        bytes = json.json().is_string() ? parse_bytes(json.text())
                                        : static_cast<std::size_t>(json.integer(1, INT64_MAX));
    } catch (const Error& error) {
        json.fail(error.what());
    }
    if (bytes == 0 || bytes > largest_bytes) {
        json.fail(fmt::format("{} bytes are not possible; write 1 to {} (1 GiB)", bytes, largest_bytes));
    }
    return bytes;
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

std::vector<PlannedExchange> exchanges_of_networks() {
    std::vector<PlannedExchange> exchanges;
    for (const char* name :
         {"ping_pong", "one_way", "bandwidth", "availability", "master_worker", "local_call",
          "new_communicator", "ring", "halo", "ibcast", "iallreduce", "iallgather", "ialltoall"}) {
        exchanges.push_back(planned(name));
        PlannedExchange other = exchanges.back();
        if (other.name == "ping_pong" || other.name == "bandwidth") {
            other.link = "within";
            other.ways = other.name == "ping_pong" ? std::vector<std::string>{"send"} : other.ways;
            exchanges.push_back(other);
        }
        if (other.name == "bandwidth") {
            other.link = "";
            other.all_pairs = true;
            exchanges.push_back(other);
        }
        if (other.name == "halo") {
            other.parameters = {{"dimensions", 3}};
            exchanges.push_back(other);
        }
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
    std::vector<std::string> names;
    for (const ExchangeRow& row : rows) {
        names.emplace_back(row.name);
    }
    if (!json.is_object()) {
        return planned(json.one_of(names));
    }
    json.only_keys({"name", "ways", "link", "pairs", "parameters", "min_bytes", "max_bytes"});
    PlannedExchange exchange = planned(json.at("name").one_of(names));
    const bool is_of_two_ranks = row_of(exchange.name).is_of_two_ranks;
    for (const char* key : {"link", "pairs"}) {
        if (json.has(key) && !is_of_two_ranks) {
            json.at(key).fail(exchange.name + " is of all ranks; remove the key");
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
    if (json.has("min_bytes")) {
        exchange.min_bytes = bytes_from(json.at("min_bytes"));
        exchange.max_bytes = std::max(exchange.min_bytes, exchange.max_bytes);
    }
    if (json.has("max_bytes")) {
        exchange.max_bytes = bytes_from(json.at("max_bytes"));
    }
    if (exchange.min_bytes > exchange.max_bytes) {
        json.fail(fmt::format("min_bytes {} is above max_bytes {}; exchange them", exchange.min_bytes,
                              exchange.max_bytes));
    }
    return exchange;
}

}  // namespace tuner
