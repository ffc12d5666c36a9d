// SPDX-License-Identifier: MIT
// Exchanges of messages that a plan asks for: the patterns of the benchmark that are no tunable collectives,
// and how much of a nonblocking collective is hidden. Fixed cases at the sizes of a grid, with no search.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "checked_json.hpp"

namespace tuner {

struct PlannedExchange {
    std::string name;                               // of the benchmark's pattern
    std::vector<std::string> ways = {};             // variants or algorithms; empty: all
    std::string link = {};                          // of two ranks: within or between (nodes)
    bool all_pairs = false;                         // all ranks at once, p with p + n/2
    bool overlap = false;                           // of a nonblocking collective, and computation
    std::string datatype = {};                      // of a reduction
    std::string operation = {};                     // of a reduction
    std::map<std::string, double> parameters = {};  // the others are as the benchmark has them
    std::size_t min_bytes = 1;
    std::size_t max_bytes = 1;
    bool operator==(const PlannedExchange&) const = default;
};

// What it is called in a journal, in comparisons and reports: ping_pong between, halo dimensions=3
std::string label_of(const PlannedExchange& exchange);

// How many cases it has at a size, about: one for each way, more for overlap
std::size_t cases_of_size(const PlannedExchange& exchange);

// What compares networks: latency, bandwidth, rates, contention, overlap, availability, local calls
std::vector<PlannedExchange> exchanges_of_networks();

Json to_json(const PlannedExchange& exchange);
PlannedExchange exchange_from(const CheckedJson& json);  // a name, or an object

}  // namespace tuner
