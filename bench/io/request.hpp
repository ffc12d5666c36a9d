// SPDX-License-Identifier: MIT
// What to measure, from the command line or from a line of JSON, checked on all ranks alike.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "overlap_measurement.hpp"
#include "session.hpp"

namespace bench {

struct Request {
    std::string collective;
    std::vector<std::size_t> sizes;
    std::vector<std::string> algorithms;  // "all": the default and every one that the library has
    std::string datatype = "byte";
    std::string operation = "sum";
    int root = 0;
    bool rotate_root = false;
    bool in_place = false;
    Order order = Order::random;
    int calls_in_a_row = 1;
    models::ArrivalMix arrival;           // empty: a common start
    double arrival_unit_us = 0;           // of its width; 0: measured
    std::string arrival_from;             // file of the pattern `recorded`
    models::Communicators communicators;  // that call at the same time

    // of exchanges between two ranks
    int peer = -1;           // of the root; below zero: by `link`
    std::string link;        // within or between (nodes), slowest; empty: between, if there are several nodes
    bool all_pairs = false;  // all ranks at once, p with p + n/2
    std::vector<Pair> pairs;  // these at once
    std::map<std::string, double> parameters;

    int refine = 0;  // up to so many sizes more, where a line between the measured ones is worst

    std::optional<OverlapPlan> overlap;  // of a nonblocking collective: what of it can be hidden
};

// Collective. The groups of a request. Throws std::invalid_argument with what is wrong and what would be
// right.
std::vector<GroupSpec> groups_of(const Request& request, Session& session);

// The values of the pattern's parameters, in the order of its table
std::vector<double> parameters_of(const Request& request, const Pattern& pattern);

}  // namespace bench
