// SPDX-License-Identifier: MIT
// The collectives of a plan, and those that a plan can have: the rows of models/schedules/collectives.cpp,
// and the nonblocking versions that are marked there.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "checked_json.hpp"
#include "collectives.hpp"

namespace tuner {

struct PlannedCollective {
    std::string name;
    std::string datatype;   // empty: the benchmark's default
    std::string operation;  // empty: the collective has none
    std::size_t min_bytes = 8;
    std::size_t max_bytes = 1 << 20;
    bool operator==(const PlannedCollective&) const = default;
};

std::size_t element_bytes(const PlannedCollective& collective);  // of its datatype: sizes are multiples of it

// What a plan can have
struct KnownCollective {
    std::string name;
    const models::Collective* row;
    bool is_nonblocking;
};
std::vector<KnownCollective> known_collectives();  // blocking ones first
std::vector<std::string> names_of_collectives();
// Throws an Error that lists them
KnownCollective known_collective(const std::string& name);

bool has_operation(const std::string& collective);  // false: has none, or is not known

// With the datatype, operation and sizes that a plan with this largest message size has
PlannedCollective planned(const KnownCollective& collective, std::size_t max_bytes);

Json to_json(const PlannedCollective& collective);
PlannedCollective collective_from(const CheckedJson& json);  // a name, or an object

}  // namespace tuner
