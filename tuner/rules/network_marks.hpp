// SPDX-License-Identifier: MIT
// How a job of a user finds out which network it runs on: by what the jobs that were measured there had. The
// tuning file carries it to the library.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checked_json.hpp"
#include "run_data.hpp"

namespace tuner {

struct NetworkMarks {
    std::vector<std::string> subnets;     // 10.1.0.0/16
    std::vector<std::string> interfaces;  // by name
    bool operator==(const NetworkMarks&) const = default;

    bool empty() const { return subnets.empty() && interfaces.empty(); }
};
using NetworkMarksByName = std::map<std::string, NetworkMarks>;

// Of all networks of the run, by the connections between nodes that its jobs had. Two networks that share a
// subnet, or without one an interface, cannot be told apart by it: it is left out of both.
NetworkMarksByName marks_of(const RunData& run);

Json to_json(const NetworkMarks& marks);
NetworkMarksByName marks_from(const CheckedJson& json);  // of all networks; throws an Error

}  // namespace tuner
