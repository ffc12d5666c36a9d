// SPDX-License-Identifier: MIT
#include "planned_collective.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"
#include "planned_sizes.hpp"

namespace tuner {

namespace {

constexpr std::size_t largest_message = 2 * Ki * Mi;  // MPI counts in int

const std::vector<std::string> operations = {"sum", "user", "ordered"};

struct Datatype {
    std::string name;
    std::size_t bytes;
};
const std::vector<Datatype> datatypes = {{"byte", 1}, {"int", 4}, {"float", 4}, {"double", 8}};

std::vector<std::string> names_of_datatypes() {
    std::vector<std::string> names;
    for (const Datatype& datatype : datatypes) {
        names.push_back(datatype.name);
    }
    return names;
}

}  // namespace

std::vector<KnownCollective> known_collectives() {
    std::vector<KnownCollective> known;
    for (const models::Collective& row : models::collectives()) {
        known.push_back({std::string(row.name), &row, false});
    }
    for (const models::Collective& row : models::collectives()) {
        if (row.plans_nonblocking) {
            known.push_back({"i" + std::string(row.name), &row, true});
        }
    }
    return known;
}

std::vector<std::string> names_of_collectives() {
    std::vector<std::string> names;
    for (const KnownCollective& collective : known_collectives()) {
        names.push_back(collective.name);
    }
    return names;
}

KnownCollective known_collective(const std::string& name) {
    for (const KnownCollective& collective : known_collectives()) {
        if (collective.name == name) {
            return collective;
        }
    }
    throw usage_error(
        fmt::format("there is no collective '{}'; {}", name, suggestion(name, names_of_collectives())));
}

bool has_operation(const std::string& collective) {
    const std::vector<KnownCollective> known = known_collectives();
    return std::any_of(known.begin(), known.end(),
                       [&](const KnownCollective& c) { return c.name == collective && c.row->combines; });
}

std::size_t element_bytes(const PlannedCollective& collective) {
    constexpr std::size_t of_ordered = 4;  // the benchmark has one datatype for it
    if (collective.operation == "ordered") {
        return of_ordered;
    }
    const auto datatype = std::find_if(datatypes.begin(), datatypes.end(),
                                       [&](const Datatype& d) { return d.name == collective.datatype; });
    return datatype == datatypes.end() ? 1 : datatype->bytes;
}

PlannedCollective planned(const KnownCollective& collective, std::size_t max_bytes) {
    PlannedCollective result;
    result.name = collective.name;
    if (collective.row->combines) {
        result.datatype = "float";
        result.operation = "sum";
    }
    // a barrier has no message, but a size must be above zero
    result.max_bytes = !collective.row->has_message       ? result.min_bytes
                       : collective.row->grows_with_ranks ? max_bytes / 8
                                                          : max_bytes;
    return result;
}

Json to_json(const PlannedCollective& collective) {
    Json json = {{"name", collective.name}};
    if (!collective.datatype.empty()) {
        json["datatype"] = collective.datatype;
    }
    if (!collective.operation.empty()) {
        json["operation"] = collective.operation;
    }
    json["min_bytes"] = collective.min_bytes;
    json["max_bytes"] = collective.max_bytes;
    return json;
}

PlannedCollective collective_from(const CheckedJson& json) {
    const bool is_object = json.is_object();
    if (is_object) {
        json.only_keys({"name", "datatype", "operation", "min_bytes", "max_bytes"});
    }
    const KnownCollective known =
        known_collective((is_object ? json.at("name") : json).one_of(names_of_collectives()));
    PlannedCollective collective = planned(known, 4 * Mi);
    if (json.has("datatype")) {
        collective.datatype = json.at("datatype").one_of(names_of_datatypes());
    }
    if (json.has("operation")) {
        collective.operation = json.at("operation").one_of(operations);
        if (!known.row->combines) {
            json.at("operation").fail(collective.name + " has no operation; remove the key");
        }
    }
    read_sizes(json, {element_bytes(collective), largest_message}, collective.min_bytes,
               collective.max_bytes);
    return collective;
}

}  // namespace tuner
